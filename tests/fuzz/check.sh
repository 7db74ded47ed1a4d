#!/bin/sh
# check.sh BUILD - replays the corpus of each fuzz target once, without a fuzzer. One target is one test; for a failing
# target, the first files that fail alone are named.
set -u

build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/fuzz/corpus.sh
. tests/fuzz/corpus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

MOST_NAMED=3
n_passed=0
n_failed=0

# replay FILE...: all of them must be processed.
replay() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/replay_$target" "$@" >"$work/output" 2>&1 &&
        [ "$(tail -n 1 "$work/output")" = "replayed $# files" ]
}

name_failures() {
    n_named=0
    for file in "$@"; do
        [ $n_named -lt $MOST_NAMED ] || return
        replay "$file" && continue
        n_named=$((n_named + 1))
        echo "    $build/replay_$target $file"
        sed 's/^/        /' "$work/output" | head -n 20
    done
}

for source in tests/fuzz/fuzz_*.c; do
    target=$(basename "$source" .c)
    target=${target#fuzz_}
    unpack_corpus "$target" "$build/fuzz-corpus/$target"
    unpacked=$?
    set -- "$build/fuzz-corpus/$target"/*
    if [ $unpacked = 0 ] && [ -f "$1" ] && replay "$@"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED fuzz/$target ($# files)"
        name_failures "$@"
    fi
done

echo "fuzz: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
