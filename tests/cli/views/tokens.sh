#!/bin/sh
# Tokens of a run, given by the user, show tokens per second beside the times; without them, no table changes.
p=testdata/prefill-decode
run=$p/run.etdp record=$p/record.etrecord program=$p/model.pte

show etinspect runs --tokens prefill=128,decode=1 --filter 'run < 2' --columns block,run,elapsed,tokens_per_second $run $record $program
show etinspect runs --tokens 3 --top 1 --format json --columns run,elapsed,tokens_per_second testdata/mlp/run.etdp
show etinspect summary --tokens prefill=128 --table methods --columns method,p50,tokens_per_second $run $record $program
etinspect summary --tokens prefill=128,decode=1.5 --table headline --columns method,typical,tokens_per_second --format csv \
    $run $record $program
etinspect summary --tokens 5 testdata/mlp/run.etdp | grep tokens
etinspect layers --tokens 5 testdata/mlp/run.etdp | grep tokens
# Labelled runs have the tokens of their methods.
etinspect summary --run_methods 'prefill,decode*3,*' --tokens prefill=128 --table methods --format csv $run $record >labelled.csv
etinspect summary --tokens prefill=128 --table methods --format csv $run $record $program | cmp - labelled.csv

for tokens in 0 x 1,2 prefill= 'prefill=1,' prefill=1,2; do
    refused etinspect runs --tokens $tokens $run $record $program
done
refused etinspect summary --tokens prefil=2 $run $record $program
refused etinspect layers --tokens prefill=2 $run
refused etinspect layers --tokens 2 --source_time_scale cycles --target_time_scale cycles $run
