#!/bin/sh
# run.sh BUILD [ROUNDS] [TRIALS] - measures how often `etinspect gate` is right about real processes of three models, and about
# whole measurements with `etinspect measure`.
#
# Exports the models and records ROUNDS processes of each side of each of them, light and busy, unless BUILD/bench/gate holds
# them: remove that directory to measure again.
set -eu
export PYTHONDONTWRITEBYTECODE=1

here=$(dirname "$0")
build=$1
rounds=${2:-120}
trials=${3:-100}
data=$build/bench/gate

mkdir -p "$data"
[ -e "$data/unet.pte" ] || "$build/peer/bin/python" "$here/models.py" "$data" >/dev/null 2>&1
for load in light busy; do
    [ -d "$data/$load" ] ||
        python3 "$here/record.py" "$build/etinspect" "$build/gate_runner" "$data" --rounds "$rounds" --load $load
done
for load in light busy; do
    echo
    echo "$load"
    python3 "$here/windows.py" "$build/etinspect" "$data/$load"
done
echo
python3 "$here/measure_trials.py" "$build/etinspect" "$build/gate_runner" "$data" --trials "$trials"
echo
"$build/gate_many_files"
echo
python3 "$here/histories.py" "$build/etinspect" 200
