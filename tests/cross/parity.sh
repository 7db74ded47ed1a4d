#!/bin/sh
# parity.sh BUILD OTHER... - compares the output of programs for other systems with that of the program of BUILD: all
# profiles of testdata/, in all views and formats, byte for byte, with messages and exit status; and with the Inspector's
# outputs, as tests/golden does. OTHER is a folder with a program, such as build/zig/aarch64-linux-musl; programs for other
# processors run in QEMU. Ends in "parity: N passed, N failed, N skipped".
set -u
export LC_ALL=C CI=true
unset NO_COLOR CLICOLOR_FORCE COLUMNS

if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD OTHER..." >&2
    exit 2
fi
cd "$(dirname "$0")/../.." || exit
top=$(pwd)
native=$(cd "$1" && pwd)/etinspect
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

views='summary events runs alloc tensors tree ops delegates source check graph program memory size numerics report table'
formats='table text tsv csv json ndjson markdown html dot model-explorer model-explorer-data'

# runner_of PROGRAM: prints the command that runs the program here.
runner_of() {
    case $(readelf -h "$1" | sed -n 's/^ *Machine: *//p') in
    AArch64) machine=aarch64 ;;
    *X86-64) machine=x86_64 ;;
    *) machine=unknown ;;
    esac
    [ "$machine" = "$(uname -m)" ] || echo "qemu-$machine"
}

# all_outputs DIRECTORY [RUNNER] PROGRAM - writes a file for each view, format and profile: status, output, messages.
all_outputs() {
    directory=$1
    shift
    mkdir "$directory"
    for profile in "$top"/testdata/*/run.etdp; do
        cd "${profile%/*}" || exit
        name=$(basename "$PWD")
        inputs=run.etdp
        [ -f record.etrecord ] && inputs="$inputs record.etrecord"
        programs=$(echo *.pte)
        [ -f "$programs" ] && inputs="$inputs $programs" # one
        [ -f debug_buffer.bin ] && inputs="$inputs --debug_buffer_path debug_buffer.bin"
        for view in $views; do
            all_formats "$@"
        done
    done
    cd "$top" || exit
}

all_formats() {
    command=$view
    [ "$view" = table ] && command=
    case $view in program | memory | size) [ -f "$programs" ] || return ;; esac
    for format in $formats; do
        case $view/$format in
        report/html) set_format= ;;
        report/* | check/[!t]*) continue ;;
        *) set_format="--format $format" ;;
        esac
        # shellcheck disable=SC2086 # words
        "$@" $command $inputs $set_format -o - >"$directory/$name.$view.$format" 2>"$work/messages"
        echo "status $?" >>"$directory/$name.$view.$format"
        cat "$work/messages" >>"$directory/$name.$view.$format"
    done
}

n_passed=0
n_failed=0
all_outputs "$work/native" "$native"
echo "$(find "$work/native" -type f | wc -l) outputs, of which $(grep -l '^status 0$' "$work"/native/* | wc -l) are no refusals," \
    "$(cat "$work"/native/* | wc -c) bytes"
[ "$(grep -l '^status 0$' "$work"/native/* | wc -l)" -gt 500 ] || n_failed=$((n_failed + 1))

for other in "$@"; do
    program=$(cd "$other" && pwd)/etinspect
    runner=$(runner_of "$program")
    # shellcheck disable=SC2086 # none, or one word
    all_outputs "$work/other" $runner "$program"
    equal=0
    for file in "$work"/native/*; do
        if cmp -s "$file" "$work/other/${file##*/}"; then
            equal=$((equal + 1))
        else
            n_failed=$((n_failed + 1))
            echo "FAILED $other: ${file##*/} differs"
            diff "$file" "$work/other/${file##*/}" | head -n 4 | cut -c 1-200 | sed 's/^/    /'
        fi
    done
    n_passed=$((n_passed + equal))
    rm -rf "$work/other"
    RUNNER=$runner sh tests/golden/run.sh "$other" >"$work/golden" || n_failed=$((n_failed + 1))
    sed -n '/^FAILED/p' "$work/golden"
    n_passed=$((n_passed + $(sed -n 's/^golden: \([0-9]*\) passed.*/\1/p' "$work/golden")))
    echo "$other: $equal outputs equal; $(tail -n 1 "$work/golden")"
done
echo "parity: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
