#!/bin/sh
# schema.sh - the descriptions that files are verified by are what schema/make_tables.awk makes of the schemas.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

for description in src/read/*_schema.inc src/read/*/*_schema.inc; do
    name=$(basename "$description" _schema.inc)
    awk -f schema/make_tables.awk "schema/$name.fbs" >"$work/made"
    if cmp -s "$work/made" "$description"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $description: not what schema/$name.fbs says: run make schema"
    fi
done
echo "schema: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
