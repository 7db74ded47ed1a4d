#!/bin/sh
# minimise.sh TARGET... - packs tests/fuzz/corpus/TARGET.tar again, from itself and from the inputs that both fuzzers found:
# the fewest and smallest inputs that reach the same edges. Regressions are unchanged.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/fuzz/limits.sh
. tests/fuzz/limits.sh
# shellcheck source=tests/fuzz/corpus.sh
. tests/fuzz/corpus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

for target in "$@"; do
    corpus=$work/$target/kept
    mkdir -p "$work/$target/all" "$work/$target/few"
    unpack_corpus "$target" "$corpus"
    # Merging would truncate inputs that are too long.
    for source in "$corpus" "build/fuzz/libfuzzer/$target/corpus" "build/fuzz/afl/$target/corpus"; do
        [ ! -d "$source" ] ||
            find "$source" -type f -size -"$(kept_limit_of "$target")"c -exec cp {} "$work/$target/all" \;
    done
    # Edges only: counts of executions would need several times as many files.
    "build/libfuzzer/fuzz_$target" -merge=1 -use_counters=0 -timeout=10 "$work/$target/few" "$work/$target/all" \
        >"$work/$target/log" 2>&1 || { tail -n 20 "$work/$target/log"; exit 1; }
    pack_corpus "$target" "$work/$target/few"
    unpack_corpus "$target" "$corpus"
    echo "$target: $(find "$work/$target/all" -type f | wc -l) -> $(find "$corpus" -type f | wc -l) files," \
        "$(du -sb "$corpus" | cut -f 1) bytes"
done
