#!/bin/sh
# record.sh BUILD [N] [SEED] - makes recorded.zip anew: N random sequences of calls, and ETDumpGen's files for them. Needs
# the programs that `make parity` builds.
set -eu

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cd "$work"
mkdir calls peer tracer
"$build/capture_calls" random . "${2:-60}" "${3:-1}"
"$build/capture_calls" play . calls/*.calls 2>/dev/null
mv calls/* peer
rm -f "$top/tests/capture/recorded.zip"
(cd peer && find . -type f -exec touch -d '2026-01-01 00:00:00 UTC' {} + && zip -q -9 -X "$top/tests/capture/recorded.zip" ./*)
ls -l "$top/tests/capture/recorded.zip"
