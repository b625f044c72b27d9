#!/usr/bin/env bash
# A real LiveKit server for the tests, built from its source by the Go command: nothing is installed on the machine, and root is not needed.
#
#   testbed/livekit.sh [FOLDER]     (default: .cache/livekit beside this folder; done once, then a check of a millisecond)
#
# The Go command checks each module by the sums that it knows. The versions behind this one replace modules of their own, and so cannot be installed that way. The
# build is one of some minutes: it takes one package at a time and yields to whatever else the machine does.
#
# Exit codes: 0 built; 1 anything else.
set -euo pipefail
umask 022

version=v1.13.5
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../.cache/livekit}
say() { printf 'livekit: %s\n' "$*" >&2; }

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# One build at a time; whoever waited finds it done.
exec 9>"$folder/lock"
flock 9
want="$version $(go env GOOS GOARCH GOVERSION | tr '\n' ' ')"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$want" ]; then
    exit 0
fi
began=$(date +%s)
rm -rf "$folder/stamp" "$folder/new"
say "building the server, $version: some minutes, once"
# From a folder of no module, and with no flags of the caller's: the server is not part of this one.
if ! (cd "$folder" && env GOFLAGS= GOWORK=off CGO_ENABLED=0 GOMAXPROCS=2 GOBIN="$folder/new" \
    nice -n 19 go install -p 1 -trimpath -ldflags '-s -w' "github.com/livekit/livekit-server/cmd/server@$version") >"$folder/log" 2>&1; then
    tail -n 10 "$folder/log" >&2
    exit 1
fi
mv "$folder/new/server" "$folder/livekit-server"
rmdir "$folder/new"
"$folder/livekit-server" --version >>"$folder/log" || { say "what was built does not run"; exit 1; }
printf '%s' "$want" >"$folder/stamp"
say "built in $(($(date +%s) - began)) s"
