#!/usr/bin/env bash
# systemd's own checks for the tests, unpacked into a folder: nothing is installed on the machine, and root is not needed.
#
#   test/deploy/systemd.sh [FOLDER]     (default: .cache/systemd at the module's root; done once, then a check of a millisecond)
#
# It prints the folder, in whose bin/ are systemd-analyze and systemd-sysusers. They are of this machine's own release: apt, with a state of its own in the folder, checks the release's signature
# and each package's SHA-256; no script of a package runs.
#
# Exit codes: 0 installed; 3 this machine is not a Debian with apt, so nothing was tried; 1 anything else.
set -euo pipefail
umask 022

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../.cache/systemd}
say() { printf 'systemd: %s\n' "$*" >&2; }

if [ ! -r /etc/debian_version ] || ! command -v apt-get dpkg dpkg-deb flock >/dev/null; then
    say "LEFT OUT: what systemd says of the units, because this machine has no systemd-analyze and is no Debian with apt"
    exit 3
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root

exec 9>"$folder/lock"
flock 9
want="$(sha256sum <"$0" | cut -c1-16) $(dpkg --print-architecture) $(cat /etc/debian_version)"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$want" ]; then
    printf '%s\n' "$folder"
    exit 0
fi
rm -rf "$folder/stamp" "$folder/apt" "$folder/bin" "$root"
mkdir -p "$folder"/apt/{lists,archives}/partial "$folder/apt/state" "$folder/bin" "$root"
log=$folder/apt/log

base='libc6 libgcc-s1 libstdc++6 zlib1g debconf dpkg adduser mount util-linux passwd'
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
if ! { apt-get -c "$folder/apt/conf" -q update && apt-get -c "$folder/apt/conf" -q -y --download-only install systemd; } >>"$log" 2>&1; then
    tail -n 5 "$log" >&2
    exit 1
fi
# Its unit files are kept: a check of a unit looks at those that it names.
for deb in "$folder"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --no-same-owner --keep-directory-symlink --exclude=./etc --exclude=./var --exclude=./usr/share/{doc,man,locale,lintian,info,bug}
done
libraries=$(find "$root" -name 'libsystemd-*.so' -printf '%h:')$(find "$root" -type d -name '*-linux-gnu*' -path '*/lib/*' -printf '%p:')
for program in systemd-analyze systemd-sysusers; do
    real=$(find "$root" -name "$program" -type f -perm -u+x | head -n 1)
    [ -n "$real" ] || { say "$program is not in its package"; exit 1; }
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s SYSTEMD_UNIT_PATH="$PWD:%s" exec %s "$@"\n' "'${libraries%:}'" "$(find "$root" -type d -path '*/systemd/system' | head -n 1)" "'$real'" >"$folder/bin/$program"
    chmod +x "$folder/bin/$program"
done
"$folder/bin/systemd-analyze" --version >"$folder/versions" || { say "what was unpacked does not run"; exit 1; }
rm -rf "$folder/apt/archives" "$folder/apt/lists" "$folder"/apt/*.bin
printf '%s' "$want" >"$folder/stamp"
printf '%s\n' "$folder"
