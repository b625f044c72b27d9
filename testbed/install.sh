#!/usr/bin/env bash
# A real Asterisk and a real ntfy for the tests, unpacked into a folder: nothing is installed on the machine, and root is not needed.
#
#   testbed/install.sh [FOLDER]     (default: .cache/testbed beside this folder; done once, then a check of a millisecond)
#
# Debian 12 has neither program, and a newer suite of the same mirror has both. apt, with a state of its own in the folder, checks that
# suite's signature, works out which packages are needed and checks each by its SHA-256; they are unpacked, and no script of theirs
# runs. The programs run with the C library and the loader that came with them (test/testbed starts them).
#
# Exit codes: 0 installed; 3 this machine is not a Debian with apt, so nothing was tried; 1 anything else.
set -euo pipefail
umask 022

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../.cache/testbed}
suites=${READBACK_TESTBED_SUITES:-forky sid}
say() { printf 'testbed: %s\n' "$*" >&2; }

if [ ! -r /etc/debian_version ] || ! command -v apt-get apt-cache dpkg dpkg-deb flock >/dev/null; then
    say "LEFT OUT: all tests against a real Asterisk and a real ntfy, because this machine is no Debian with apt"
    exit 3
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root
versions=$folder/versions

# One installation at a time; whoever waited finds it done. The sum of this script is the stamp: a change here installs anew.
exec 9>"$folder/lock"
flock 9
want="$(sha256sum <"$0" | cut -c1-16) $(dpkg --print-architecture) $suites"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$want" ]; then
    head -n 2 "$versions"
    exit 0
fi
began=$(date +%s%N)
rm -rf "$folder/stamp" "$folder/apt" "$folder/new" "$root"
mkdir -p "$folder"/apt/{lists,archives}/partial "$folder/apt/state"
log=$folder/apt/log

cat >"$folder/apt/conf" <<END
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/status";
Dir::State::lists "$folder/apt/lists";
Dir::Cache "$folder/apt";
Dir::Cache::archives "$folder/apt/archives";
Dir::Log "$folder/apt";
Dir::Etc::sourcelist "$folder/apt/sources";
Dir::Etc::sourceparts "/dev/null";
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

# The mirror that this machine's own sources name for its own release.
mirror() {
    local release uri
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    uri=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v r="$release" '$1 == r && $2 == "main" {print $3; exit}') || true
    [ -n "$uri" ] || uri=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1) || true
    [ -n "$uri" ] || uri=$(sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' /etc/apt/sources.list 2>/dev/null | head -n 1) || true
    [ -n "$uri" ] || { say "apt's sources name no mirror to take Asterisk and ntfy from"; return 1; }
    printf '%s\n' "$uri"
}

# A package that passes for those that are not needed here, whatever version is asked for: apt then leaves them out. What is new in a later
# version of Asterisk is not in these lists, and is merely fetched without need.
pretend() {
    local provides='asterisk-config-custom' name
    for name in adduser debconf perl-base passwd libc-gconv-modules-extra openssl-provider-legacy systemd login.defs "$@"; do
        provides+=", $name (= 99999:1)"
    done
    cat <<END
Package: not-needed
Status: install ok installed
Maintainer: nobody
Architecture: all
Version: 1
Description: stands for packages that the testbed leaves out
Provides: $provides

END
}

# Of what the modules ask for (databases, LDAP, SNMP, codecs), only these are kept; sounds are not played here.
unneeded() {
    apt-cache -c "$folder/apt/conf" show asterisk-modules | sed -n 's/^Depends: //p' | head -n 1 | tr ',|' '\n\n' |
        sed 's/^ *\([a-z0-9.+-]*\).*/\1/' | grep -vE '^(libc6|libssl[0-9]+.*|libsqlite3-0|libxml2.*|zlib1g.*|libspeex.*|libsrtp2-.*)$'
    printf 'asterisk-core-sounds-en\n'
}

fetch() { # $1: the suite
    local signed= uri
    [ ! -r /usr/share/keyrings/debian-archive-keyring.gpg ] || signed=' signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
    uri=$(mirror) || return 1
    printf 'deb [target=Packages%s] %s %s main\n' "$signed" "$uri" "$1" >"$folder/apt/sources"
    : >"$folder/apt/status"
    apt-get -c "$folder/apt/conf" -q update || return 1
    # shellcheck disable=SC2046
    pretend $(unneeded) >"$folder/apt/status"
    apt-get -c "$folder/apt/conf" -q -y --download-only install asterisk ntfy
}

from=
for suite in $suites; do
    if fetch "$suite" >>"$log" 2>&1; then from=$suite && break; fi
    say "suite $suite did not serve: see $log"
done
[ -n "$from" ] || { tail -n 5 "$log" >&2; exit 1; }

# A merged /usr, as Debian has it. Only what runs is kept.
mkdir -p "$folder"/new/usr/{bin,sbin,lib,lib64}
for d in bin sbin lib lib64; do ln -s "usr/$d" "$folder/new/$d"; done
for deb in "$folder"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$folder/new" -x --no-same-owner --keep-directory-symlink \
        --exclude=./etc --exclude=./var --exclude=./usr/share/{doc,man,locale,lintian,info,bug,zsh,bash-completion} \
        --exclude='./usr/lib/*/gconv' --exclude=./usr/share/asterisk/{conf,static-http,phoneprov}
done
mv "$folder/new" "$root"

"$here/asterisk.sh" "$root" -V >"$versions" && "$root/usr/bin/ntfy" --help | sed -n 's/^ntfy \([0-9.]*\).*/ntfy \1/p' | head -n 1 >>"$versions" ||
    { say "what was unpacked does not run"; exit 1; }
(cd "$folder/apt/archives" && printf '%s\n' *.deb) >>"$versions"
packages=$(($(wc -l <"$versions") - 2))
rm -rf "$folder/apt/archives" "$folder/apt/lists" "$folder"/apt/*.bin
printf '%s' "$want" >"$folder/stamp"
head -n 2 "$versions"
say "$packages packages of $from, $(du -sm "$root" | cut -f1) MB, in $((($(date +%s%N) - began) / 100000000)) tenths of a second"
