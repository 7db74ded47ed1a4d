#!/bin/sh
# Rules of all scopes and limits, and where those that cannot be read go wrong.
run=testdata/mlp-many-runs
etinspect baseline save base.csv $run/run.etdp $run/record.etrecord
slower native_call_native_layer_norm.out 1.5 <base.csv >slow.csv
show etinspect gate base.csv slow.csv --target_time_scale us --fail_on 'op=*layer_norm*: p50>+5%' \
    --fail_on 'module=norm:avg>+5%' --fail_on 'backend:p50>+1us' --fail_on 'source:p90>+50%' --fail_on 'total:p50>5ms' \
    --fail_on 'overhead:p50>+5%' --fail_on 'total:p50>+5% min_effect=1us' --fail_on 'op=gone:p50>+5%'
refused etinspect gate base.csv slow.csv --fail_on 'op:p50>+1cycles'
show etinspect gate base.csv slow.csv --fail_on 'op:p51>+5%'
show etinspect gate base.csv slow.csv --fail_on 'op=ä:p50>+5 parsec'
show etinspect gate base.csv slow.csv --fail_on 'p50>+5% min_share'
