#!/bin/sh
# run.sh BUILD [--export] - runs the code in README.md (see readme.py); ends in "readme: N passed, N failed, N skipped".
set -u

build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v python3 >/dev/null; then
    echo 'skipped: README.md: python3 is not installed'
    echo 'readme: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/readme.py" "$build" "${2-}"
