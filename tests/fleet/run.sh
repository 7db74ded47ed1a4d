#!/bin/sh
# run.sh BUILD [DUMPS] - tests fleets: etinspect.fleet, etinspect.spark on this machine and on a cluster of two workers, and queries.sql, with
# DUMPS ETDumps (2,000; the checks of cost need that many). Ends in "fleet: N passed, N failed, N skipped".
set -eu

cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
n=${2:-2000}
out=$build/fleet
venv=$build/fleet-venv
export PYTHONPATH="$build/python:$PWD/tests/fleet" PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1 PATH="$build:$PATH"

# 10 dumps of each build of each device: 2,000 dumps come from 20 devices and 10 builds.
case $n in
*[!0-9]* | '') n=0 ;;
esac
if [ "$n" -lt 200 ] || [ $((n % 100)) -ne 0 ]; then
    echo "run.sh: DUMPS is 200 or more, and a multiple of 100: 10 of each of 10 builds of each device" >&2
    exit 2
fi

rm -rf "$out"
mkdir -p "$out/made"
"$build/bench/make_dump" -n "$n" operators 20 60 "$out/made/run" >"$out/make_dump.log"
i=0
for dump in "$out"/made/*.etdp; do
    if [ $((i % 10)) -eq 0 ]; then
        folder=$(printf '%s/dumps/device=d%02d/build=%d' "$out" $((i / 100)) $((1230 + i / 10 % 10)))
        mkdir -p "$folder"
    fi
    mv "$dump" "$folder/"
    i=$((i + 1))
done

end() {
    sh tests/fleet/cluster.sh stop "$out/cluster"
}
trap end EXIT
trap 'exit 1' INT TERM HUP

failed=0
passed=0
skipped=0
run() {
    name=$1
    shift
    "$venv/bin/python" "tests/fleet/$name.py" "$@" >"$out/$name.log" 2>"$out/$name.err" || tail -n 20 "$out/$name.err"
    cat "$out/$name.log"
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n "s/^$name: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped\$/\1 \2 \3/p" "$out/$name.log")
    [ $# = 3 ] || set -- 0 1 0
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

run one_machine "$build" "$out/dumps"
run local_spark "$build" "$out/dumps"
run cluster "$build" "$out/dumps" "$(sh tests/fleet/cluster.sh start "$venv" "$out/cluster")" "$out/cluster"
run cost "$build" "$out/dumps"
echo "fleet: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
