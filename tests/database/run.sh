#!/bin/sh
# run.sh BUILD [ROUNDS KILLS DISKS STEP] - databases that are appended to by several commands at once, by commands that are killed,
# and by systems that fail. Without numbers it runs a few of each; README.md gives numbers for tests by hand.
set -u
build=$(cd "$1" && pwd)
rounds=${2-3}
kills=${3-20}
disks=${4-30}
step=${5-211}
folder=$(cd "$(dirname "$0")" && pwd)
n_passed=0
n_failed=0
n_skipped=0

# The first Python that has SQLite.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import sqlite3' 2>/dev/null && return
    done
    python=
}

# try TEST COUNT
try() {
    if [ -z "$python" ] || [ -n "${RUNNER-}" ]; then
        n_skipped=$((n_skipped + 1))
        echo "skipped: database/$1: ${RUNNER:+it times the program itself}${python:-there is no Python with SQLite}"
    elif "$python" "$folder/$1.py" "$build" "$2"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED database/$1"
    fi
}

find_python
try concurrent "$rounds"
try killed "$kills"
try crashes "$disks"
try faults "$step"
echo "database: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
