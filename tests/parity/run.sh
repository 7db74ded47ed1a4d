#!/bin/sh
# Compares etinspect with the real Inspector, live: N random cases, real models, testdata/ and the command line; delegated
# events and programs with independent computations; and its statistics with SciPy.
#
#     tests/parity/run.sh [N] [SEED]      default: 2000 cases, seed 1
#
# Needs the programs that `make parity` builds before it calls this. PEER is the virtual environment of the Inspector
# (setup.sh), BUILD the directory with etinspect and those programs. Everything is written to BUILD/parity, except exports,
# which are made once in BUILD/delegates, BUILD/numerics and BUILD/traced.
set -eu
unset CI TF_BUILD TEAMCITY_VERSION # in CI, names are escaped on standard output

cd "$(dirname "$0")/../.."
here=tests/parity
build=${BUILD:-build}
peer=${PEER:-build/peer}
out=$build/parity

"$here/setup.sh" "$peer"
mkdir -p "$out"
rm -rf "$out/cases" "$out/models" "$out/testdata" "$out/backends"

peer_python() {
    OMP_NUM_THREADS=1 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1 "$peer/bin/python" "$@"
}

# Exporting, parsing and flatc print a lot; the log is shown only if it explains why a step failed.
quietly() {
    log=$out/$1.log
    shift
    peer_python "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        return 1
    }
}

# Delegated events, programs and numbers: of all models if there is time, otherwise of those that differ most.
n=${1:-2000}
seed=${2:-1}
few=--quick
[ "$n" -lt 1000 ] || few=
failed=0

# Runs a script, with its stderr in a log, whose end is shown if the script fails.
part() {
    name=$1
    shift
    peer_python "$here/$name.py" --build "$build" "$@" 2>"$out/$name.log" && return
    failed=1
    echo "$name failed:"
    tail -n 5 "$out/$name.log"
}

compare_inspector() {
    quietly generate "$here/generate_cases.py" "$out" "$n" "$seed" && quietly peer "$here/peer_batch.py" "$out" || return 1
    part cli_parity
    peer_python "$here/compare.py" "$out" --build "$build" || failed=1
    for view in "$here"/view_*.py; do
        part "$(basename "$view" .py)"
    done
    part backends
    part recording
    part inside_calls --calls "$n" --seed "$seed"
    part delegates $few
    part programs $few
    return $failed
}

compare_others() {
    part capture --cases "$n" --seed "$seed"
    "$build/capture_deaths" 2>"$out/deaths.log" || failed=1
    part lanes
    part neuron
    part numerics $few
    part numeric_faults $few
    part tensors # uses the results of numerics.py, too
    part tracers
    part tensor_files --cases "$((n / 5 + 1))" --seed "$seed"
    part bundled --cases "$((n / 20 + 1))" --seed "$seed"
    part tensor_metrics --cases "$n" --seed "$seed"
    part compare_results
    part statistics_parity --cases "$((2 * n))" --seed "$seed"
    part verdicts --cases "$((n / 5 + 1))" --seed "$seed"
    peer_python "$here/statistics_simulation.py" --build "$build" >"$out/simulation.log" || {
        cat "$out/simulation.log"
        failed=1
    }
    return $failed
}

# Both take equally long, and are independent.
compare_others >"$out/others.log" 2>&1 &
others=$!
trap 'kill $others 2>/dev/null || true' EXIT # set -e would exit with the status of kill
trap 'exit 1' HUP INT TERM
status=0
compare_inspector || status=1
wait $others || status=1
cat "$out/others.log"
exit $status
