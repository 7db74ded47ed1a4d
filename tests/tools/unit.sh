#!/bin/sh
# unit.sh BUILD [ROOM/test_NOUN...] - runs the cmocka programs of tests/unit, or those named, and shows the output of those that
# fail, or of a single one. With TEST_FILTER, each program runs only its tests with names that match: see filter.c.
set -u

build=$(cd "$1" && pwd)
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export CMOCKA_MESSAGE_OUTPUT=TAP

n_passed=0
n_failed=0
n_skipped=0

count() {
    grep -c "$@" "$work/output"
}

# The programs find testdata/ and schema/ from the top. A program that crashes or fails outside its tests counts as one
# failed test; a skipped test is "ok" or "not ok", depending on cmocka's version.
run_program() {
    # shellcheck disable=SC2086
    (cd "$top" && timeout 1200 ${RUNNER-} "$1") >"$work/output" 2>&1
    status=$?
    skipped=$(count '^\(not \)\{0,1\}ok .*# SKIP')
    passed=$(grep '^ok ' "$work/output" | grep -vc '# SKIP')
    failed=$(grep '^not ok ' "$work/output" | grep -vc '# SKIP')
    [ "$failed" = 0 ] && [ $status != 0 ] && failed=1
    if [ "$((passed + failed + skipped))" = 0 ]; then
        failed=1
        [ -z "${TEST_FILTER-}" ] || echo "no test of ${1#"$build/tests/unit/"} matches $TEST_FILTER"
    fi
    [ "$skipped" = 0 ] || grep '# SKIP' "$work/output" | sed 's/.*# SKIP/skipped:/'
    if [ "$failed" != 0 ]; then
        echo "FAILED ${1#"$build/tests/unit/"} (exit status $status)"
        sed 's/^/    /' "$work/output"
    elif [ "$n_programs" = 1 ]; then
        cat "$work/output"
    fi
    n_passed=$((n_passed + passed))
    n_failed=$((n_failed + failed))
    n_skipped=$((n_skipped + skipped))
}

if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # names without blanks
    set -- $(cd "$top/tests/unit" && find . -name 'test_*.c' | sed 's|^[.]/||; s|[.]c$||' | LC_ALL=C sort)
fi
n_programs=$#
for name; do
    if [ -x "$build/tests/unit/$name" ]; then
        run_program "$build/tests/unit/$name"
    else
        echo "FAILED $name: not built (make tests-build)"
        n_failed=$((n_failed + 1))
    fi
done

echo "unit: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
