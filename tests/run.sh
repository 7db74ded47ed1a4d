#!/bin/sh
# run.sh BUILD - all tests that need no Python peer, with the seconds of each suite; ends with
# "N passed, N failed[, N skipped]".
#
# RUNNER, if set, stands in front of every program that was built:
#     RUNNER='valgrind -q --error-exitcode=99 --leak-check=full' sh tests/run.sh build
set -u

usage() {
    echo "usage: $0 BUILD" >&2
    exit 2
}

if [ $# != 1 ] || [ ! -d "$1" ]; then usage; fi
build=$(cd "$1" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export CMOCKA_MESSAGE_OUTPUT=TAP

total_passed=0
total_failed=0
total_skipped=0

# What a script's last line says: "NAME: N passed, N failed, N skipped".
add_suite() {
    started=$(date +%s)
    "$@" >"$work/output" 2>&1
    status=$?
    cat "$work/output"
    echo "    in $(($(date +%s) - started)) s"
    counts=$(sed -n '$s/^[a-z]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$work/output")
    if [ -z "$counts" ]; then
        echo "FAILED $*: it did not end with its counts (exit status $status)"
        counts='0 1 0'
    fi
    read -r passed failed skipped <<COUNTS
$counts
COUNTS
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
}

add_suite sh "$tests/tools/unit.sh" "$build"
add_suite sh "$tests/tools/schema.sh"
add_suite sh "$tests/golden/run.sh" "$build"
add_suite sh "$tests/golden/screens.sh" "$build"
add_suite sh "$tests/cli/run.sh" "$build"
add_suite sh "$tests/faults/run.sh" "$build"
add_suite sh "$tests/database/run.sh" "$build"
add_suite sh "$tests/capture/run.sh" "$build"
add_suite sh "$tests/fuzz/check.sh" "$build"
add_suite sh "$tests/hostile/check.sh" "$build"
add_suite sh "$tests/ci/run.sh" "$build"
add_suite sh "$tests/examples/run.sh" "$build"
add_suite sh "$tests/layout.sh"
add_suite sh "$tests/tools/library.sh" "$build"
add_suite sh "$tests/tools/abi.sh" "$build"
add_suite sh "$tests/tools/hardening.sh" "$build"
add_suite sh "$tests/tools/manual.sh" "$build"
add_suite sh "$tests/completions/run.sh" "$build"
add_suite sh "$tests/tools/instructions.sh" "$build"

if [ $total_skipped -gt 0 ]; then
    echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
else
    echo "$total_passed passed, $total_failed failed"
fi
[ $total_failed = 0 ]
