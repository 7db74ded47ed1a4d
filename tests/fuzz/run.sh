#!/bin/sh
# run.sh SECONDS TARGET... - fuzzes each target, starting from testdata and the corpus, and prints the results: one line per
# target. Exits with 1 if anything was found.
#
# JOBS targets at a time (2), with FUZZER: libfuzzer (the default) or afl. `make fuzz` builds the targets.
set -eu
cd "$(dirname "$0")/../.."
fuzzer=${FUZZER:-libfuzzer}
seconds=$1
shift
state=build/fuzz/$fuzzer
MOST_TOLD=3 # findings of a target to show; the others are often the same

for target in "$@"; do
    mkdir -p "$state/$target/corpus" "$state/$target/found" "$state/$target/found-before"
    find "$state/$target/found" -type f -exec mv {} "$state/$target/found-before" \;
    rm -f "$state/$target/row"
done

echo "fuzzing for $seconds s each, with $fuzzer: $*"
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I '{}' sh "tests/fuzz/$fuzzer.sh" '{}' "$seconds" || true

failed=0
layout='%-12s %12s %8s %8s %9s %7s %8s %6s %9s %7s\n'
# shellcheck disable=SC2059 # the format is a constant
{
    printf "$layout" target executions exec/s edges features corpus crashes hangs slowest MB
    for target in "$@"; do
        if [ -f "$state/$target/row" ]; then
            # shellcheck disable=SC2046 # a row is a list of words
            printf "$layout" "$target" $(cat "$state/$target/row")
        else
            printf '%-12s did not run to its end\n' "$target"
        fi
    done
}

# Findings, and what to do with them.
tell_findings() {
    n_found=0
    for found in "$state/$target/found"/*; do
        [ -f "$found" ] || continue
        failed=1
        n_found=$((n_found + 1))
        [ $n_found -le $MOST_TOLD ] || continue
        echo
        echo "FOUND $found"
        echo "  replay:   build/$fuzzer/fuzz_$target $found"
        echo "  minimise: build/libfuzzer/fuzz_$target -minimize_crash=1 -max_total_time=60 -exact_artifact_path=small $found"
        echo "  keep:     install -D -m 644 small tests/fuzz/corpus/$target/regression-WHAT"
    done
    [ $n_found -le $MOST_TOLD ] || echo "... and $((n_found - MOST_TOLD)) more in $state/$target/found"
    [ $n_found = 0 ] || grep -A 12 'ERROR: \|runtime error\|expected: ' "$state/$target/log" | head -n 20 | sed 's/^/    /'
}

for target in "$@"; do
    if [ ! -f "$state/$target/row" ]; then
        failed=1
        tail -n 40 "$state/$target/log"
    fi
    tell_findings
done
exit $failed
