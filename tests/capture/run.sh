#!/bin/sh
# run.sh BUILD - plays recorded calls into libetcapture, and compares with the files that ETDumpGen made of them: flatc's JSON, the
# debug buffer, and etinspect's output are equal. A sequence of calls is one test. README.md describes their origin.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

n_passed=0
n_failed=0

pass() {
    n_passed=$((n_passed + 1))
}

# fail NAME FILE: the file holds the reason.
fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1"
    head -n 20 "$2" | sed 's/^/    /'
}

mkdir peer ours peer/json ours/json
unzip -q "$top/tests/capture/recorded.zip" -d peer
# shellcheck disable=SC2086
if ! ${RUNNER-} "$build/play_calls" ours peer/*.calls >played 2>&1; then
    fail 'the calls are played' played
fi
for side in peer ours; do
    flatc --json --strict-json --raw-binary --size-prefixed -o $side/json "$top/schema/etdump.fbs" -- $side/*.etdp >flatc.log 2>&1 ||
        fail "flatc reads the files of $side" flatc.log
done

# ETDumpGen loses the sign of -0.0 and the index of a bundled input.
without_lost() {
    sed -z 's/,\n *"bundled_input_index": [0-9]*//g; s/\n *"double_val": -0\.0\(\n *}\)/\1/g' "$1"
}

# The table, the TSV, and messages, which name the file without its directory. The advice about runs without events
# depends on the writer of the file.
inspect() {
    (cd "$1" && "$build/etinspect" --etdump_path "$2.etdp" --debug_buffer_path "$2.bin" --tsv_path "$2.tsv" >"$2.out" 2>&1
        echo "status $?" >>"$2.out"
        sed -i 's/\(no operators\|no event in it\|no event in any of them\): .*/\1/' "$2.out"
        touch "$2.tsv")
}

compare() {
    without_lost "ours/json/$1.json" >ours.json
    diff "peer/json/$1.json" ours.json || return
    cmp "peer/$1.bin" "ours/$1.bin" || return
    inspect peer "$1"
    inspect ours "$1"
    diff "peer/$1.out" "ours/$1.out" && diff "peer/$1.tsv" "ours/$1.tsv"
}

for calls in peer/*.calls; do
    name=$(basename "$calls" .calls)
    if compare "$name" >difference 2>&1; then pass; else fail "calls $name" difference; fi
done

# The sequences contain every call, and every kind of value.
sed -n 's/^ \*     \([a-z_]*\) .*/\1/p' "$top/tests/capture/calls.h" >calls
for word in $(cat calls) int double bool tensor list; do
    case $word in
    int | double | bool | tensor | list) pattern=" $word " ;;
    *) pattern="^$word " ;;
    esac
    if cat peer/*.calls | grep -q "$pattern"; then pass; else
        echo "none of the recorded sequences has it" >missing
        fail "the call $word" missing
    fi
done

echo "recorded: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
