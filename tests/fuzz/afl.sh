#!/bin/sh
# afl.sh TARGET SECONDS - fuzzes one target with AFL++ and leaves its results under build/fuzz/afl/TARGET: corpus/, found/,
# log, and row (see run.sh).
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/fuzz/limits.sh
. tests/fuzz/limits.sh
# shellcheck source=tests/fuzz/corpus.sh
. tests/fuzz/corpus.sh
target=$1
seconds=$2
state=build/fuzz/afl/$target
limit=$(limit_of "$target")

rm -rf "$state/seeds" "$state/out" "$state/log"
sh tests/fuzz/seeds.sh "$target" "$state/seeds" "$limit"
sh tests/fuzz/dictionary.sh "$target" >"$state/dictionary"
unpack_corpus "$target" "$state/kept"
for file in "$state/kept"/* "$state/corpus"/*; do
    [ ! -f "$file" ] || cp "$file" "$state/seeds/"
done

# AFL++ skips seeds that crash.
for file in "$state/seeds"/*; do
    "build/afl/fuzz_$target" "$file" >"$state/replay" 2>&1 && continue
    cat "$state/replay" >>"$state/log"
    cp "$file" "$state/found/crashes-$(basename "$file" | tr ':,' '--')"
done

# A container has neither a governor of the CPU's clock nor a separate file system for core dumps.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1
export AFL_DISABLE_TRIM=1 AFL_FAST_CAL=1
afl-fuzz -i "$state/seeds" -o "$state/out" -x "$state/dictionary" -V "$seconds" -G "$limit" -t 5000+ -m none \
    -- "build/afl/fuzz_$target" >>"$state/log" 2>&1 || true

out=$state/out/default
for kind in crashes hangs; do
    for file in "$out/$kind"/id*; do
        [ ! -f "$file" ] || cp "$file" "$state/found/$kind-$(basename "$file" | tr ':,' '--')"
    done
done
if [ -d "$out/queue" ]; then # including its initial inputs
    rm -rf "$state/corpus"
    mkdir "$state/corpus"
    cp "$out/queue"/id* "$state/corpus/"
fi

stat_of() {
    sed -n "s/^$1 *: *\([0-9.]*\).*/\1/p" "$out/fuzzer_stats"
}

[ -f "$out/fuzzer_stats" ] || exit 1
echo "$(stat_of execs_done) $(stat_of execs_per_sec) $(stat_of edges_found) - $(stat_of corpus_count)" \
    "$(find "$state/found" -name 'crashes-*' | wc -l) $(stat_of saved_hangs) - -" >"$state/row"
