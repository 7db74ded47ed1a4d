#!/bin/sh
# run.sh SECONDS TARGET... - fuzzes each target with libFuzzer, starting from testdata and the corpus.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift

flags='-std=c17 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -ffp-contract=off -Isrc
       -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DETI_ARENA_DEBUG'
sources=$(find src -name '*.c' ! -path 'src/cli/*')
mkdir -p build/fuzz

# Every dump of testdata, behind the bytes that the target takes first.
seed_dumps() {
    for dump in testdata/*/run.etdp; do
        # shellcheck disable=SC2059 # the bytes are given as a format
        { printf "$1"; cat "$dump"; } >"build/fuzz/corpus_$target/$(basename "$(dirname "$dump")")"
    done
}

for target in "$@"; do
    # shellcheck disable=SC2046,SC2086 # lists of flags and files
    clang $flags -o "build/fuzz/$target" "tests/fuzz/fuzz_$target.c" $sources \
        $(pkg-config --cflags --libs libzip) -lcsv -lm
    mkdir -p "build/fuzz/corpus_$target"
    case $target in
    etrecord) cp testdata/*/*.etrecord "build/fuzz/corpus_$target" 2>/dev/null || true ;;
    etdump) seed_dumps '' ;;
    debug_buffer) seed_dumps '\377' ;; # the byte that says how long the buffer is
    esac
    echo "fuzzing $target for $seconds s"
    "build/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="build/fuzz/crash_${target}_" -print_final_stats=1 -verbosity=1 \
        "build/fuzz/corpus_$target" "tests/fuzz/corpus/$target" 2>"build/fuzz/$target.log" || {
        tail -40 "build/fuzz/$target.log"
        exit 1
    }
    grep -E 'stat::number_of_executed_units|cov:' "build/fuzz/$target.log" | tail -2
done
