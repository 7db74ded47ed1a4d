#!/bin/sh
# check.sh BUILD - checks that readers understand the dumps written by make_dump.
#
# flatc must decode each dump, with the requested number of events, and the Inspector must show the same as etinspect, byte
# for byte. Without BUILD/peer only flatc is used. Ends with "NAME: N passed, N failed, N skipped".
set -eu

if [ $# != 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
bench=$(cd "$(dirname "$0")" && pwd)
peer=$build/peer/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0 skipped=0

count() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $2"
    fi
}

# One run and many, an odd and an even number of events, with the end inside an instruction and after one.
make_dumps() {
    for shape in operators delegated debug; do
        for form in '1 1' '4 55' '150 10'; do
            for shared in '' -s; do
                # shellcheck disable=SC2086 # two numbers, and an option or none
                "$build/bench/make_dump" -b "$work/debug_buffer.bin" $shared $shape $form \
                    "$work/$shape-${form% *}-${form#* }$shared.etdp" |
                    cut -f 2 >"$work/$shape-${form% *}-${form#* }$shared.count"
            done
        done
    done
    "$build/bench/make_dump" -n 2 operators 3 7 "$work/copy-" | cut -f 2 >"$work/copy-00000.count"
    cp "$work/copy-00000.count" "$work/copy-00001.count"
}

# flatc writes one "start_time" or "debug_entry" for each event.
flatc_counts() {
    flatc --json --raw-binary --size-prefixed --strict-json --defaults-json \
        -o "$work" "$bench/../schema/etdump.fbs" -- "$1" >"$work/flatc.log" 2>&1 || return 1
    [ "$(grep -c '"start_time"\|"debug_entry"' "${1%.etdp}.json")" = "$(cat "${1%.etdp}.count")" ]
}

same_as_inspector() {
    "$build/etinspect" "$1" --debug_buffer_path "$work/debug_buffer.bin" \
        --tsv_path "$work/our.tsv" >"$work/our.txt" 2>/dev/null &&
        cmp -s "$work/our.txt" "${1%.etdp}.txt" && cmp -s "$work/our.tsv" "${1%.etdp}.tsv"
}

make_dumps
for dump in "$work"/*.etdp; do
    found=0
    flatc_counts "$dump" || found=1
    count $found "flatc ${dump##*/}"
done

if [ -x "$peer" ]; then
    "$peer" "$bench/ask_inspector.py" "$work" >"$work/peer.log" 2>&1 || tail -n 5 "$work/peer.log"
    for dump in "$work"/*.etdp; do
        found=0
        same_as_inspector "$dump" || found=1
        count $found "Inspector ${dump##*/}"
    done
else
    skipped=$passed
fi
echo "bench: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
