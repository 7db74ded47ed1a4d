#!/bin/sh
# check.sh BUILD - runs every command on every shape with 1 KB: the exit status must be correct, and the plain program may
# take at most 20 MB.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck source=tests/hostile/commands.sh
. "$here/commands.sh"

size=1024
most_kilobytes=20480
dump_commands='table tsv csv check module bytes utf8 hex json group_op group_module group_source tree ops graph source summary runs run_events rows alloc
    noise diff text markdown ndjson all_json sqlite dot'
n_passed=0
n_failed=0
n_skipped=0

# Sanitizers and valgrind take additional memory, and valgrind takes long.
is_plain=1
case ${RUNNER-}${CFLAGS-} in
*sanitize* | *valgrind*) is_plain=0 ;;
esac
[ -z "${RUNNER-}" ] || dump_commands='table json'

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1"
}

# measure_all FOLDER: one line per command
measure_all() {
    folder=$1
    set -- 1 300
    separator=
    for command in $commands; do
        # shellcheck disable=SC2046,SC2086 # lists of arguments; paths here have no blanks
        set -- "$@" $separator ${RUNNER-} "$build/etinspect" $(command_line "$command" "$folder")
        separator=--
    done
    "$build/measure" "$@"
}

# Prints what is wrong with a shape, or nothing.
find_faults() {
    for command in $commands; do
        read -r status _ _ kilobytes || { echo "    $command: not measured" && continue; }
        right_exit "$command" "$status" "$1" || echo "    $command: exit status $status, expected one of: $1"
        [ $is_plain = 0 ] || [ "$kilobytes" -le $most_kilobytes ] ||
            echo "    $command: $kilobytes KiB, more than $most_kilobytes"
    done
}

check_shape() {
    if ! "$build/make_shape" "$1" $size "$work/$1"; then
        fail "$1: it cannot be made"
        return
    fi
    commands=$dump_commands
    [ ! -f "$work/$1/model.pte" ] || commands=$program_commands
    [ ! -f "$work/$1/debug.bin" ] || commands="$commands $tensor_commands"
    [ ! -f "$work/$1/reference.bin" ] || commands=$reference_commands
    case $1 in pickle_*) commands="table $output_commands" ;; esac
    measure_all "$work/$1" >"$work/measured"
    find_faults "$2" <"$work/measured" >"$work/faults"
    if [ -s "$work/faults" ]; then
        fail "$1"
        cat "$work/faults"
    else
        pass
    fi
}

# A file with holes: it takes no room on the disk, and hardly any of it is read.
check_4_gib() {
    "$build/make_shape" valid_rows $size "$work/large"
    if ! dd if=/dev/zero of="$work/large/run.etdp" bs=1 count=1 seek=4294967296 conv=notrunc 2>/dev/null; then
        n_skipped=$((n_skipped + 1))
        echo 'skipped: an ETDump of more than 4 GiB: there is no room for one'
        return
    fi
    ${RUNNER-} "$build/etinspect" "$work/large/run.etdp" >"$work/output" 2>&1
    if [ $? = 3 ] && grep -q 'a FlatBuffer has at most 4294967295' "$work/output"; then
        pass
    else
        fail 'an ETDump of more than 4 GiB'
        head -n 3 "$work/output"
    fi
}

if [ $is_plain = 0 ]; then
    n_skipped=$((n_skipped + 1))
    echo 'skipped: the memory that 1 KB can take: this is not the plain program'
fi
"$build/make_shape" list >"$work/shapes"
while read -r shape _ exits; do
    check_shape "$shape" "$exits"
done <"$work/shapes"
check_4_gib

echo "hostile: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
