#!/bin/sh
# report.sh BUILD - measures pages of `etinspect report`: time to write, time until they are ready in Chromium, a frame of
# the timeline, a search, their size and memory. README.md explains the table. No time decides a test.
set -eu
export LC_ALL=C

if [ $# != 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
out=$build/bench/report
work=$out/work
mkdir -p "$work"

# shellcheck source=tests/browser/driver.sh
. "$top/tests/browser/driver.sh"
trap finish EXIT
trap 'exit 1' HUP INT TERM

# milliseconds COMMAND...: prints the wall time of the fastest of five runs.
milliseconds() {
    for _ in 1 2 3 4 5; do
        begun=$(date +%s%N)
        "$@" >/dev/null 2>&1
        echo $((($(date +%s%N) - begun) / 1000))
    done | sort -n | head -n 1 | awk '{ printf "%.1f", $1 / 1000 }'
}
# Measures each view that has a table in the page: the time beyond opening the dump is added to one opening.
json_of_views() {
    opening=$(milliseconds "$build/etinspect" alloc "$work/run.etdp" --format json)
    {
        for view in summary runs events ops delegates; do
            milliseconds "$build/etinspect" $view "$work/run.etdp" --format json
            echo
        done
        milliseconds "$build/etinspect" "$work/run.etdp" --columns event_block_name,raw --format json
    } | awk -v opening="$opening" '{ sum += $1 > opening ? $1 - opening : 0 } END { printf "%.1f", sum + opening }'
}
# Twenty frames, each zoomed in further; reading a pixel waits for the drawing.
frames='const s = canvases.find(c => c.canvas.closest("#timeline")), times = [];
for (let k = 0; k < 20; k++) {
    const begun = performance.now();
    s.paint();
    s.canvas.getContext("2d").getImageData(0, 0, 1, 1);
    times.push(performance.now() - begun);
    s.canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "w"}));
}
times.sort((a, b) => a - b);
return times[10].toFixed(1) + " " + times[19].toFixed(1)'
# The first keystroke and the slowest of five later ones, each with the layout of the page.
search='const s = document.getElementById("search"), times = ["a", "ad", "add", "addm", "add", "ad"].map(text => {
    const begun = performance.now();
    s.value = text;
    s.dispatchEvent(new Event("input"));
    document.body.offsetHeight;
    return performance.now() - begun;
});
return times[0].toFixed(1) + " " + Math.max(...times.slice(1)).toFixed(1)'

# RUNS EVENTS: measures the page of the dump.
measure_dump() {
    set -- "$1" "$2" "$(milliseconds "$build/etinspect" report "$work/run.etdp" --max_slices 2000000 --max_size 100000000 -o "$work/page.html")"
    set -- "$@" "$(json_of_views)"
    for _ in 1 2 3 4 5; do
        open_page "$work/page.html"
        run 'return JSON.parse(document.documentElement.dataset.ready).ready'
    done | sort -n | head -n 1 >"$work/ready"
    # shellcheck disable=SC2046 # two numbers
    set -- "$@" "$(cat "$work/ready")" $(run "$frames")
    # shellcheck disable=SC2046,SC2183 # two numbers
    printf '%6d %6d %9d %8d %8.1f %8.1f %8d %8.1f %8.1f %8.1f %8.1f %8.1f %7.1f\n' "$1" "$2" "$(run 'return line.start.length')" "$(run 'return eventRows().length')" \
        "$3" "$4" "$5" "$6" "$7" $(run "$search") "$(run 'return performance.memory.usedJSHeapSize / 1e6')" "$(($(wc -c <"$work/page.html") / 1000))e-3"
}

measure_page() { # RUNS EVENTS
    "$build/bench/make_dump" operators "$1" "$2" "$work/run.etdp" >/dev/null
    measure_dump "$@"
}

begin_session
printf '%6s %6s %9s %8s %8s %8s %8s %8s %8s %8s %8s %8s %7s\n' runs events slices rows report json ready frame worst first later heap page
printf '%6s %6s %9s %8s %8s %8s %8s %8s %8s %8s %8s %8s %7s\n' '' '' '' '' ms ms ms ms ms ms ms MB MB
measure_page 100 100
measure_page 100 1000
measure_page 1000 1000
measure_page 1 10000
measure_page 1 50000
measure_page 1 100000
many_names | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/run.etdp"
measure_dump 1 100000
printf 'page without data: %d bytes\n' "$(sed '/<script type="application\/json"/,/<\/script>/d' "$work/page.html" | wc -c)"
