#!/bin/sh
# tests_of_sources.sh - checks that each source has a unit test of the same name, or a line in the table of
# tests/unit/README.md that names its tests, and that the table has no other lines. Each source counts as one test.
set -u
export LC_ALL=C

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
table=tests/unit/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $*"
}

# Prints the file of the test that the table calls `room/test_name` or `cli/room/name`.
file_of() {
    case $1 in
    cli/*) echo "tests/$1.sh" ;;
    *) echo "tests/unit/$1.c" ;;
    esac
}

# Prints the unit test for the name of a source: that of room/name.c is room/test_name.c.
unit_of() {
    name=$(basename "$1" .c)
    case $1 in
    capture/nrt/*) echo "tests/unit/nrt/test_$name.c" ;;
    *) echo "tests/unit/${1%%/*}/test_$name.c" ;;
    esac
}

# Prints source|tests|reason for each line of the table, without surrounding blanks and backquotes.
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n 's/^| `\([^`]*\.c\)` | *\(.*[^ ]\) *| *\(.*\)|$/\1|\2|\3/p' "$table" | tr -d '\140' >"$work/lines"
cut -d '|' -f 1 "$work/lines" | sort >"$work/listed"

while IFS='|' read -r source tests reason; do
    [ -f "src/$source" ] || fail "$table: there is no src/$source"
    [ -n "$(echo "$reason" | tr -d ' ')" ] || fail "$table: $source: expected a reason"
    for test in $(echo "$tests" | tr ',' ' '); do
        [ -f "$(file_of "$test")" ] || fail "$table: $source: there is no $(file_of "$test")"
    done
done <"$work/lines"
for source in $(uniq -d "$work/listed"); do
    fail "$table: $source stands there twice"
done

for file in $(find src -name '*.c' | sort); do
    source=${file#src/}
    unit=$(unit_of "$source")
    is_listed=
    grep -qxF "$source" "$work/listed" && is_listed=1
    if [ -f "$unit" ] && [ "$is_listed" ]; then
        fail "$table: $source has $unit: its line can go"
    elif [ -f "$unit" ] || [ "$is_listed" ]; then
        n_passed=$((n_passed + 1))
    else
        fail "$file: there is neither $unit nor a line in $table that says why not"
    fi
done

echo "sources: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
