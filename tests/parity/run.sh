#!/bin/sh
# Compares etinspect with the real Inspector, live: N random cases, real models, testdata/ and the command line; delegated events
# and programs with what is found without it; and its statistics with SciPy.
#
#     tests/parity/run.sh [N] [SEED]      default: 2000 cases, seed 1
#
# Needs what `make parity` builds before it calls this. PEER is the virtual environment of the Inspector (setup.sh), BUILD the
# directory with etinspect and those programs. Everything is written to BUILD/parity, and to BUILD/delegates, BUILD/numerics and
# BUILD/traced what is exported once.
set -eu

cd "$(dirname "$0")/../.."
here=tests/parity
build=${BUILD:-build}
peer=${PEER:-build/peer}
out=$build/parity

"$here/setup.sh" "$peer"
mkdir -p "$out"
rm -rf "$out/cases" "$out/models" "$out/testdata"

peer_python() {
    OMP_NUM_THREADS=1 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1 "$peer/bin/python" "$@"
}

# Exporting, parsing and flatc say a lot; the log is shown only when it tells why a step failed.
quietly() {
    log=$out/$1.log
    shift
    peer_python "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        return 1
    }
}

quietly generate "$here/generate_cases.py" "$out" "${1:-2000}" "${2:-1}"
quietly peer "$here/peer_batch.py" "$out"
failed=0
peer_python "$here/cli_parity.py" --build "$build" 2>"$out/cli.log" || failed=1
peer_python "$here/compare.py" "$out" --build "$build" || failed=1
for view in "$here"/view_*.py; do
    peer_python "$view" --build "$build" 2>"$out/$(basename "$view" .py).log" || failed=1
done
# Delegated events, programs and numbers: of all models where there is time, else of those that differ most.
few=--quick
[ "${1:-2000}" -lt 1000 ] || few=
for part in delegates programs; do
    # shellcheck disable=SC2086 # no argument at all where it is empty
    peer_python "$here/$part.py" --build "$build" $few 2>"$out/$part.log" || failed=1
done
peer_python "$here/capture.py" --build "$build" --cases "${1:-2000}" --seed "${2:-1}" 2>"$out/capture.log" || failed=1
"$build/capture_deaths" 2>"$out/deaths.log" || failed=1
peer_python "$here/lanes.py" --build "$build" 2>"$out/lanes.log" || failed=1
peer_python "$here/neuron.py" --build "$build" 2>"$out/neuron.log" || failed=1
for part in numerics numeric_faults; do
    # shellcheck disable=SC2086
    peer_python "$here/$part.py" --build "$build" $few 2>"$out/$part.log" || failed=1
done
peer_python "$here/tensors.py" --build "$build" 2>"$out/tensors.log" || failed=1 # of what numerics.py made, too
peer_python "$here/tracers.py" --build "$build" 2>"$out/tracers.log" || failed=1
peer_python "$here/tensor_files.py" --build "$build" --cases "$((${1:-2000} / 5 + 1))" --seed "${2:-1}" || failed=1
peer_python "$here/bundled.py" --build "$build" --cases "$((${1:-2000} / 20 + 1))" --seed "${2:-1}" 2>"$out/bundled.log" || failed=1
peer_python "$here/tensor_metrics.py" --build "$build" --cases "${1:-2000}" --seed "${2:-1}" 2>"$out/metrics.log" || failed=1
peer_python "$here/compare_results.py" --build "$build" 2>"$out/results.log" || failed=1
peer_python "$here/statistics_parity.py" --build "$build" --cases "$((2 * ${1:-2000}))" --seed "${2:-1}" || failed=1
peer_python "$here/statistics_simulation.py" --build "$build" >"$out/simulation.log" || {
    cat "$out/simulation.log"
    failed=1
}
exit $failed
