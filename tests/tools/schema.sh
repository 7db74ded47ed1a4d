#!/bin/sh
# schema.sh - checks that the descriptions used to verify files are the output of schema/make_tables.awk for the schemas.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

# check DESCRIPTION SCHEMA
check() {
    awk -f schema/make_tables.awk "$2" >"$work/made"
    if cmp -s "$work/made" "$1"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1: not what $2 says: run make schema"
    fi
}

# refused TEXT SCHEMA - the script must reject the schema, and name it.
refused() {
    printf '%s\n' "$2" >"$work/odd.fbs"
    if awk -f schema/make_tables.awk "$work/odd.fbs" >/dev/null 2>"$work/why"; then
        n_failed=$((n_failed + 1))
        echo "FAILED make_tables.awk accepts: $2"
    elif grep -q "odd.fbs: .*$1" "$work/why"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED make_tables.awk says \"$(cat "$work/why")\" of: $2"
    fi
}

for description in $(find src -name '*_schema.inc' | sort); do
    check "$description" "schema/$(basename "$description" _schema.inc).fbs"
done
# test_kinds.c reads flatc's output for this one
check tests/unit/flatbuf/kinds_schema.inc tests/unit/flatbuf/kinds.fbs

refused 'there is no type Nothing' 'table A { b: Nothing; }'
refused 'numbered by their order' 'table A { b: int (id: 1); c: int (id: 0); }'
refused 'expected scalars' 'table B {} struct A { b: B; }'
refused 'found rpc_service' 'rpc_service A { b: int; }'
echo "schema: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
