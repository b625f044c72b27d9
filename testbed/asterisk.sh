#!/bin/sh
# Becomes the unpacked Asterisk: asterisk.sh ROOT ARGUMENTS... It needs neither a chroot nor this machine's C library.
set -eu
root=$1
shift
for library in "$root"/usr/lib/*/libasteriskpj.so.2; do :; done
for loader in "$root"/usr/lib64/ld-linux-*.so.* "$root"/usr/lib/ld-linux-*.so.* "${library%/*}"/ld-linux-*.so.*; do
    [ ! -e "$loader" ] || break
done
exec "$loader" --argv0 asterisk --library-path "${library%/*}" "$root/usr/sbin/asterisk" "$@"
