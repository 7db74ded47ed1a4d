#!/bin/sh
# trace.sh BUILD - measures `etinspect trace` beyond reading, for 10^4, 10^5 and 10^6 slices: time, memory and size of each
# form, and their growth. README.md explains the tables. No time decides a test.
set -eu

if [ $# != 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
work=$build/bench/trace
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
LC_ALL=C
export LC_ALL
tab='	'

# SHAPE RUNS EVENTS: measures one dump, whose runs have one slice more than events.
measure_dump() {
    "$build/bench/make_dump" "$1" "$2" "$3" run.etdp >dump.counts
    samples=$(cut -f 1 dump.counts)
    set -- "$1" "$2" "$3" "$build/etinspect"
    "$build/bench/measure" -n 9 -b 60 -p "$1$tab$((samples + $2))" : runs /dev/null "$4" runs run.etdp \
        : 'chrome, no args' out.bare.json "$4" trace -f chrome --args none -o out.bare.json run.etdp \
        : chrome out.json "$4" trace -f chrome -o out.json run.etdp \
        : 'perfetto, no args' out.bare.pftrace "$4" trace -f perfetto --args none -o out.bare.pftrace run.etdp \
        : perfetto out.pftrace "$4" trace -f perfetto -o out.pftrace run.etdp >>results.tsv
    rm -f run.etdp out.*
}

: >results.tsv
for shape in operators delegated; do
    for size in '100 100' '100 1000' '1000 1000'; do
        # shellcheck disable=SC2086 # two numbers
        measure_dump $shape $size
    done
done

# Columns: shape, slices, label, runs, median wall time, its quartiles, processor time, peak memory, size, outcome.
awk -F '\t' '
    NR == 1 { printf "%-10s %8s  %-18s %9s %8s %10s %9s %9s %8s\n", "dump", "slices", "command", "wall s", "x runs", "s beyond", "s / 10^6", "peak MB", "B/slice" }
    $3 == "runs" { base = $5 }
    {
        printf "%-10s %8d  %-18s %9.4f", $1, $2, $3, $5
        if ($3 == "runs")
            printf " %8s %10s %9s %9.1f %8s", "", "", "", $9 / 1e6, ""
        else
            printf " %8.2f %10.4f %9.3f %9.1f %8.1f", $5 / base, $5 - base, ($5 - base) / $2 * 1e6, $9 / 1e6, $10 / $2
        print $11 == "ok" ? "" : " " $11
        key = $1 "\t" $3
        if (!(key in n)) { order[++n_keys] = key }
        n[key]++
        x = log($2); y = log($8)
        sx[key] += x; sy[key] += y; sxx[key] += x * x; sxy[key] += x * y
        last[key] = (y - before_y[key]) / (x - before_x[key] + (n[key] == 1))
        before_x[key] = x; before_y[key] = y
    }
    END {
        printf "\n%-10s %-18s %8s %10s   exponents of processor time; the bar is 1.05\n", "growth", "command", "10^4-10^6", "last step"
        for (i = 1; i <= n_keys; i++) {
            key = order[i]
            split(key, of, "\t")
            slope = (n[key] * sxy[key] - sx[key] * sy[key]) / (n[key] * sxx[key] - sx[key] * sx[key])
            printf "%-10s %-18s %9.2f %10.2f\n", of[1], of[2], slope, last[key]
        }
    }' results.tsv
