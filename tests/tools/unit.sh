#!/bin/sh
# unit.sh BUILD - runs the cmocka programs of tests/unit, and shows the output of those that fail.
set -u

build=$(cd "$1" && pwd)
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
    (cd "$top" && timeout 300 ${RUNNER-} "$1") >"$work/output" 2>&1
    status=$?
    skipped=$(count '^\(not \)\{0,1\}ok .*# SKIP')
    passed=$(grep '^ok ' "$work/output" | grep -vc '# SKIP')
    failed=$(grep '^not ok ' "$work/output" | grep -vc '# SKIP')
    [ "$failed" = 0 ] && [ $status != 0 ] && failed=1
    [ "$((passed + failed + skipped))" = 0 ] && failed=1
    [ "$skipped" = 0 ] || grep '# SKIP' "$work/output" | sed 's/.*# SKIP/skipped:/'
    if [ "$failed" != 0 ]; then
        echo "FAILED ${1#"$build/tests/unit/"} (exit status $status)"
        sed 's/^/    /' "$work/output"
    fi
    n_passed=$((n_passed + passed))
    n_failed=$((n_failed + failed))
    n_skipped=$((n_skipped + skipped))
}

for source in "$top"/tests/unit/*/test_*.c; do
    name=${source#"$top/tests/unit/"}
    name=${name%.c}
    if [ -x "$build/tests/unit/$name" ]; then
        run_program "$build/tests/unit/$name"
    else
        echo "FAILED $name: not built (make tests-build)"
        n_failed=$((n_failed + 1))
    fi
done

echo "unit: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
