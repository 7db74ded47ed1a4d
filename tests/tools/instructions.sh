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

echo "instructions: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
