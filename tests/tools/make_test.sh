#!/bin/sh
# make_test.sh BUILD - checks which unit tests `make test` chooses, what it refuses, and that a pattern without a match fails.
set -u
build=$(cd "$1" && pwd)
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

check() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1: expected '$3', found '$2'"
    fi
}

choose() {
    T=$1 sh chosen_tests.sh 2>"$work/why"
}

# refused T REASON
refused() {
    found=$(choose "$1")
    check "exit status of T=$1" "$?" 2
    check "output of T=$1" "$found" ''
    check "lines about T=$1" "$(wc -l <"$work/why" | tr -d ' ')" 1
    check "reason of T=$1" "$(grep -cF -e "$2" "$work/why")" 1
}

# Prints the counts of the tests of base/text.c that match a pattern.
count() {
    TEST_FILTER=$1 sh unit.sh "$build" base/test_text | tail -n 1
}

check 'one test' "$(choose base/text)" base/test_text
check 'with a pattern' "$(choose 'base/text:*hash*')" base/test_text
check 'with a prefix' "$(T=base/text sh chosen_tests.sh build/)" build/base/test_text
check 'a room' "$(choose base | wc -w | tr -d ' ')" "$(find ../unit/base -name 'test_*.c' | wc -l | tr -d ' ')"
refused '' 'usage: make test T=ROOM'
refused base/ 'usage: make test T=ROOM'
refused base/text: 'usage: make test T=ROOM'
refused 'base:*hash*' 'a pattern follows one test'
refused besa 'there is no room besa: '
refused besa/text 'there is no room besa: base/text'
refused base/tex 'there is no tests/unit/base/test_tex.c: '
refused base/nothing_like_it 'base/arena'
check 'tests that match' "$(count 'equal_text_has_*')" 'unit: 1 passed, 0 failed, 0 skipped'
check 'no test that matches' "$(count 'equal_text')" 'unit: 0 passed, 1 failed, 0 skipped'

echo "test: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
