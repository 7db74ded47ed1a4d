#!/bin/sh
# 0: no rule is broken; 1: one is; 6: too few samples to say. Reports are complete in each case.
run=testdata/mlp-many-runs
etinspect baseline save base.csv $run/run.etdp $run/record.etrecord
slower native_call_native_layer_norm.out 1.5 <base.csv >slow.csv
show etinspect gate base.csv base.csv
show etinspect gate base.csv slow.csv
show etinspect gate slow.csv base.csv
show etinspect gate base.csv slow.csv --least_effect 60%
show etinspect gate testdata/small/run.etdp testdata/small/run.etdp --report json=few.json --format markdown
python3 -c 'import json; print(json.load(open("few.json"))["view"])'
# Samples that were not kept test nothing.
etinspect baseline save summary.csv $run/run.etdp $run/record.etrecord --summary
show etinspect gate summary.csv base.csv --fail_on 'total:p50>+5%' 
show etinspect gate summary.csv base.csv --fail_on 'total:p50>1s'
