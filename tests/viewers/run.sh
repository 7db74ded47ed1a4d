#!/bin/sh
# Opens the files that etinspect writes for other programs with these programs, and compares the results with the profiles.
#
#     tests/viewers/run.sh [VENV]        default: build/viewers, see setup.sh
#
# Needs the built etinspect, flatc and node. BUILD is its directory.
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1

cd "$(dirname "$0")/../.." || exit 1
venv=${1:-build/viewers}
build=${BUILD:-build}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM

sh tests/viewers/setup.sh "$venv" || exit 1
for part in traces_in_perfetto made_traces_in_perfetto stacks_in_viewers graphs_in_model_explorer; do
    started=$(date +%s)
    "$venv/bin/python" "tests/viewers/$part.py" --build "$build" >"$log.part" 2>&1 || grep -q "^$part: .* failed" "$log.part" ||
        echo "$part: 0 passed, 1 failed, 0 skipped" >>"$log.part" # it ended before it printed counts
    cat "$log.part"
    echo "  $(($(date +%s) - started)) s"
    tail -n 1 "$log.part" >>"$log"
    rm -f "$log.part"
done
awk '{ gsub(",", ""); for (i = 2; i <= NF; i++) n[$i] += $(i - 1) }
     END { printf "viewers: %d passed, %d failed, %d skipped\n", n["passed"], n["failed"], n["skipped"]; exit n["failed"] > 0 }' "$log"
