#!/bin/sh
# run.sh BUILD [CASES] [SEED] - tests the Python package in BUILD/python: compared with the real Inspector on random
# profiles, real models and testdata/; alone; DataFrames by columns; its recordings; numeric gaps; calls of upstream's programs;
# without memory; with libraries that read Arrow; the program's OpenMetrics text; its types. Ends in "python: N passed, N failed, N
# skipped".
set -eu
unset CI TF_BUILD TEAMCITY_VERSION # in CI, names are escaped on standard output

cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
n=${2:-300}
seed=${3:-1}
out=$build/python-tests
peer=$build/peer/bin/python
venv=$build/python-venv
mkdir -p "$out"
export PYTHONPATH="$build/python" OMP_NUM_THREADS=1 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
passed=0
failed=0
skipped=0

# count LOG: shows a suite's lines, and adds up the last one.
count() {
    cat "$1"
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n 's/^[a-z_]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$1")
    [ $# = 3 ] || set -- 0 1 0
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

"$peer" tests/python/package.py "$build" >"$out/package.log" 2>"$out/package.err" || tail -n 20 "$out/package.err"
count "$out/package.log"

"$peer" tests/python/columns.py >"$out/columns.log" 2>"$out/columns.err" || tail -n 20 "$out/columns.err"
count "$out/columns.log"

python3 tests/python/rows.py >"$out/rows.log" 2>"$out/rows.err" || tail -n 20 "$out/rows.err"
count "$out/rows.log"

"$peer" tests/python/capture.py "$build" >"$out/capture.log" 2>"$out/capture.err" || tail -n 20 "$out/capture.err"
count "$out/capture.log"

"$peer" tests/python/numeric_gap.py "$out/numeric_gap" >"$out/numeric_gap.log" 2>"$out/numeric_gap.err" || tail -n 20 "$out/numeric_gap.err"
count "$out/numeric_gap.log"

"$peer" tests/python/upstream_calls.py "$out/upstream" >"$out/upstream.log" 2>"$out/upstream.err" || tail -n 20 "$out/upstream.err"
count "$out/upstream.log"

PYTHONMALLOC=malloc INJECT_PARTS=1 INJECT_CALL=malloc INJECT_EFFECT=fail INJECT_ERRNO=12 LD_PRELOAD="$build/inject.so" \
    python3 tests/python/memory.py "$build" >"$out/memory.log" 2>"$out/memory.err" || tail -n 20 "$out/memory.err"
count "$out/memory.log"

rm -rf "$out/cases" "$out/models"
"$peer" tests/parity/generate_cases.py "$out" "$n" "$seed" >"$out/generate.log" 2>&1 || {
    tail -n 30 "$out/generate.log" >&2
    exit 1
}
"$peer" tests/python/differential.py "$out" >"$out/differential.log" 2>"$out/differential.err" || tail -n 5 "$out/differential.err"
count "$out/differential.log"

sh tests/readme/run.sh "$build" --export >"$out/readme.log" 2>&1 || true
count "$out/readme.log"

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
if "$venv/bin/python" -m pip --disable-pip-version-check install -q pyarrow polars pandas duckdb nanoarrow tabulate 2>"$out/pip.log"; then
    "$venv/bin/python" tests/python/arrow.py >"$out/arrow.log" 2>"$out/arrow.err" || tail -n 20 "$out/arrow.err"
    count "$out/arrow.log"
else
    echo "skipped: libraries of Arrow cannot be had: $(tail -n 1 "$out/pip.log")"
    skipped=$((skipped + 1))
fi

if "$venv/bin/python" -m pip --disable-pip-version-check install -q prometheus_client 2>"$out/pip.log"; then
    "$venv/bin/python" tests/python/openmetrics.py "$build" >"$out/openmetrics.log" 2>"$out/openmetrics.err" || tail -n 20 "$out/openmetrics.err"
    count "$out/openmetrics.log"
else
    echo "skipped: pip cannot install prometheus_client: $(tail -n 1 "$out/pip.log")"
    skipped=$((skipped + 1))
fi

"$venv/bin/python" -m pip --disable-pip-version-check install -q mypy 2>"$out/pip.log" || true
"$venv/bin/python" tests/python/annotations.py >"$out/annotations.log" 2>"$out/annotations.err" || tail -n 20 "$out/annotations.err"
count "$out/annotations.log"
echo "python: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
