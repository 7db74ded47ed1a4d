#!/bin/sh
# instructions.sh BUILD - counts the instructions of the smallest tasks with valgrind's callgrind.
#
# Times differ from run to run, counts do not. Each ceiling is about one and a half times the count at the time it was set:
# it detects a library that is loaded at every start, or a file that is read twice, not a new feature. Counts also depend on
# the libraries of the system; if a ceiling is exceeded on another system, find the cause before raising it.
set -u

build=$(cd "$1" && pwd)
mlp=$(cd "$(dirname "$0")/../../testdata/mlp" && pwd)
n_passed=0
n_failed=0
n_skipped=0

can_count() {
    case "${CFLAGS:-}" in
    *-fsanitize* | *-O0* | *--coverage*) return 1 ;;
    esac
    [ -z "${RUNNER:-}" ] && command -v valgrind >/dev/null
}

# expect NAME CEILING ARGUMENTS...: counts the whole process, from its first instruction in the dynamic linker on. Its
# environment is almost empty: each variable costs several hundred instructions.
expect() {
    name=$1 ceiling=$2
    shift 2
    if ! can_count; then
        n_skipped=$((n_skipped + 1))
        return
    fi
    counted=$(env -i PATH="$PATH" valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$build/etinspect" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p')
    if [ "${counted:-$ceiling}" -lt "$ceiling" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name: ${counted:-no} instructions, expected less than $ceiling"
    fi
}

# The start is almost entirely work of the dynamic linker: 18 instructions for each of the 4,500 pointers in the program's
# constant tables (columns, commands, options, schemas), 1,100 for each of the 190 functions of the C library that it calls.
expect 'start' 600000 --version
expect 'dump' 2100000 "$mlp/run.etdp"
expect 'dump and record, table' 2900000 "$mlp/run.etdp" "$mlp/record.etrecord"
expect 'dump and record, TSV' 2500000 --format tsv "$mlp/run.etdp" "$mlp/record.etrecord"

# ---- accessors -----------------------------------------------------------------------------------

# Each function of the public API that takes an index costs as much for the last indexes as for the first.
header=$(dirname "$0")/../../src/include/etinspect.h
testdata=$mlp/../transformer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

note() {
    if [ "$2" = 0 ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1"
    fi
}

missing=$(sed -n 's/^ETI_API.*[ *]\(eti_[a-z_]*\)(.*size_t \(i\|column\)\().*\|,.*\)$/\1/p' "$header" |
    grep -v '^eti_table_read_' | # which read ranges
    while read -r name; do grep -q "ACCESSOR($name," "$(dirname "$0")/accessors.c" || echo "$name"; done)
[ -z "$missing" ]
note "accessors.c calls all accessors, not: $missing" $?

if can_count && command -v callgrind_annotate >/dev/null; then
    valgrind --tool=callgrind --callgrind-out-file="$work/calls" "$build/accessors" "$testdata/run.etdp" "$testdata/record.etrecord" \
        "$testdata/debug_buffer.bin" >"$work/called" 2>"$work/errors"
    note 'accessors' $?
    callgrind_annotate --inclusive=yes --threshold=100 --show-percs=no "$work/calls" >"$work/costs"
    awk -v called="$work/called" '
        match($0, /:(first|second)_eti_[a-z_]*/) {
            name = substr($0, RSTART + 1, RLENGTH - 1)
            gsub(",", "", $1)
            cost[name] += $1
        }
        END {
            while ((getline line < called) > 0) {
                split(line, word, " ")
                first = cost["first_" word[1]]
                second = cost["second_" word[1]]
                is_constant = first > 0 && second <= 1.5 * first
                print word[1], word[2], first, second, is_constant ? "constant" : "SEARCHES"
            }
        }' "$work/costs" >"$work/halves"
    ! grep SEARCHES "$work/halves"
    note 'accessors that search from the start' $?
    [ "$(grep -c constant "$work/halves")" -ge 15 ]
    note 'accessors that have many indexes here' $?
else
    n_skipped=$((n_skipped + 3))
fi

echo "instructions: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
