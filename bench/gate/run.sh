#!/bin/sh
# run.sh BUILD [GATES] [TRIALS] - measures false alarms and power of `etinspect gate` between real processes of three
# models, and of whole measurements with `etinspect measure`.
#
# Exports the models and records 400 processes of each, light and busy, unless BUILD/bench/gate holds them: remove that
# directory to measure again. Takes about a quarter of an hour on two idle cores.
set -eu
export PYTHONDONTWRITEBYTECODE=1

here=$(dirname "$0")
build=$1
gates=${2:-1000}
trials=${3:-100}
data=$build/bench/gate

mkdir -p "$data"
[ -e "$data/unet.pte" ] || "$build/peer/bin/python" "$here/models.py" "$data" >/dev/null 2>&1
for load in light busy; do
    [ -d "$data/$load" ] || python3 "$here/record.py" "$build/gate_runner" "$data" --processes 400 --load $load
done
for load in light busy; do
    for model in transformer unet convolution; do
        echo
        echo "$model, $load"
        "$build/gate_processes" "$gates" 1 "$data/$load/$model"-*.etdp
    done
done
echo
python3 "$here/measure_trials.py" "$build/etinspect" "$build/gate_runner" "$data" --trials "$trials"
echo
"$build/gate_many_files"
echo
python3 "$here/histories.py" "$build/etinspect" 200
