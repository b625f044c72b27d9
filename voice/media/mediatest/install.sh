#!/usr/bin/env bash
# Human speech and speaking programs for the tests, unpacked into a folder: nothing is installed on the machine, and root is not needed.
#
#   voice/media/mediatest/install.sh [FOLDER]     (default: .cache/speech at the module's root; done once, then a check of a millisecond)
#
# Prompts spoken by a woman in English and one in French (asterisk-core-sounds, 8 kHz), people who read aloud (pocketsphinx-testdata, 16 kHz), and the programs
# espeak-ng and flite (which speak) and pocketsphinx (which recognises English), in FOLDER/bin. They are of this machine's own release: apt, with a state of its own in
# the folder, checks the release's signature and each package's SHA-256; no script of a package runs.
#
# Exit codes: 0 installed; 3 this machine is not a Debian with apt, so nothing was tried; 1 anything else.
set -euo pipefail
umask 022

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../../.cache/speech}
packages='asterisk-core-sounds-en-wav asterisk-core-sounds-fr-wav pocketsphinx-testdata espeak-ng flite pocketsphinx pocketsphinx-en-us'
say() { printf 'speech: %s\n' "$*" >&2; }

if [ ! -r /etc/debian_version ] || ! command -v apt-get dpkg dpkg-deb flock >/dev/null; then
    say "LEFT OUT: all tests that need recorded speech or espeak-ng, because this machine is no Debian with apt"
    exit 3
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root

exec 9>"$folder/lock"
flock 9
want="$(sha256sum <"$0" | cut -c1-16) $(dpkg --print-architecture) $(cat /etc/debian_version)"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$want" ]; then
    exit 0
fi
began=$(date +%s%N)
rm -rf "$folder/stamp" "$folder/apt" "$folder/bin" "$root"
mkdir -p "$folder"/apt/{lists,archives}/partial "$folder/apt/state" "$folder/bin" "$root"
log=$folder/apt/log

# What every Debian has, and what packages ask for but programs do not need.
base='libc6 libgcc-s1 libstdc++6 zlib1g debconf dpkg adduser'
provides=
for name in $base; do provides+="${provides:+, }$name (= 99999:1)"; done
printf 'Package: not-needed\nStatus: install ok installed\nMaintainer: nobody\nArchitecture: all\nMulti-Arch: foreign\nVersion: 1\nDescription: stands for the base system\nProvides: %s\n\n' "$provides" >"$folder/apt/status"
cat >"$folder/apt/conf" <<END
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/status";
Dir::State::lists "$folder/apt/lists";
Dir::Cache "$folder/apt";
Dir::Cache::archives "$folder/apt/archives";
Dir::Log "$folder/apt";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Sandbox::User "$(id -un)";
APT::Install-Recommends "false";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
END
# shellcheck disable=SC2086
if ! { apt-get -c "$folder/apt/conf" -q update && apt-get -c "$folder/apt/conf" -q -y --download-only install $packages; } >>"$log" 2>&1; then
    tail -n 5 "$log" >&2
    exit 1
fi
for deb in "$folder"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --no-same-owner \
        --exclude=./etc --exclude=./var --exclude=./usr/share/{doc,man,locale,lintian,info,bug,vim}
done

# Each program finds its libraries and data in the folder.
libraries=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || ls "$root/usr/lib" | grep -- -linux-gnu | head -n 1)
for program in espeak-ng flite pocketsphinx_continuous; do
    [ -x "$root/usr/bin/$program" ] || { say "$program is not in its package"; exit 1; }
    cat >"$folder/bin/$program" <<END
#!/bin/sh
LD_LIBRARY_PATH='$libraries:$libraries/pulseaudio:$libraries/blas:$libraries/lapack:$root/lib/${libraries##*/}' ESPEAK_DATA_PATH='$libraries' exec '$root/usr/bin/$program' "\$@"
END
    chmod +x "$folder/bin/$program"
done
"$folder/bin/espeak-ng" --version >"$folder/versions" || { say "espeak-ng does not run"; exit 1; }
if ldd "$root/usr/bin/pocketsphinx_continuous" >/dev/null && "$folder/bin/pocketsphinx_continuous" -infile /dev/null 2>&1 | grep -q 'shared libraries'; then
    say "pocketsphinx does not run" && exit 1
fi
(cd "$folder/apt/archives" && printf '%s\n' *.deb) >>"$folder/versions"
rm -rf "$folder/apt/archives" "$folder/apt/lists" "$folder"/apt/*.bin
printf '%s' "$want" >"$folder/stamp"
say "$(($(wc -l <"$folder/versions") - 1)) packages, $(du -sm "$root" | cut -f1) MB, in $((($(date +%s%N) - began) / 100000000)) tenths of a second"
