#!/usr/bin/env bash
# Chromium for the tests of the owner's page: Debian's own package, installed if it is not there.
#
#   test/browser/install.sh
#
# Exit codes: 0 it is there; 3 it is not, and this is no Debian with apt, or not root, so nothing was tried; 1 anything else.
set -euo pipefail
say() { printf 'browser: %s\n' "$*" >&2; }

for name in "${READBACK_CHROMIUM:-chromium}" chromium; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done
if [ ! -r /etc/debian_version ] || ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    say "LEFT OUT: all tests of the owner's page in a real browser, because Chromium is not here, and this is no Debian with apt and root"
    exit 3
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { apt-get install -y --no-install-recommends chromium >>"$log" 2>&1; }
if ! install && ! { apt-get update >>"$log" 2>&1 && install; }; then
    tail -n 20 "$log" >&2
    say "Chromium could not be installed"
    exit 1
fi
