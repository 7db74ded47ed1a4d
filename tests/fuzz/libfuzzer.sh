#!/bin/sh
# libfuzzer.sh TARGET SECONDS - fuzzes one target with libFuzzer and leaves its results under build/fuzz/libfuzzer/TARGET:
# corpus/, found/, log, and row (see run.sh).
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/fuzz/limits.sh
. tests/fuzz/limits.sh
# shellcheck source=tests/fuzz/corpus.sh
. tests/fuzz/corpus.sh
target=$1
seconds=$2
state=build/fuzz/libfuzzer/$target
limit=$(limit_of "$target")

rm -rf "$state/seeds"
sh tests/fuzz/seeds.sh "$target" "$state/seeds" "$limit"
sh tests/fuzz/dictionary.sh "$target" >"$state/dictionary"
unpack_corpus "$target" "$state/kept"

"build/libfuzzer/fuzz_$target" -max_total_time="$seconds" -max_len="$limit" -timeout=10 -rss_limit_mb=2048 \
    -dict="$state/dictionary" -artifact_prefix="$state/found/" -print_final_stats=1 \
    "$state/corpus" "$state/kept" "$state/seeds" >"$state/log" 2>&1 || true

# Prints the value of a final statistic; it may occur twice.
stat_of() {
    sed -n "s/^stat::$1: *//p" "$state/log" | tail -n 1
}

# Prints the number after WORD in the last line of progress; there is none if a seed is a finding.
last_of() {
    sed -n "s/.* $1: \([0-9]*\).*/\1/p" "$state/log" | tail -n 1 | grep . || echo -
}

count() {
    find "$state/found" -type f "$@" | wc -l
}

executions=$(stat_of number_of_executed_units)
[ -n "$executions" ] || exit 1
echo "$executions $(stat_of average_exec_per_sec) $(last_of cov) $(last_of ft) $(last_of corp)" \
    "$(count ! -name 'timeout-*' ! -name 'slow-unit-*') $(count -name 'timeout-*')" \
    "$(stat_of slowest_unit_time_sec)s $(stat_of peak_rss_mb)" >"$state/row"
