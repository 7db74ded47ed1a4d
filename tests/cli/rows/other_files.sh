#!/bin/sh
# An ETRecord and a program are recognized among plain arguments, as by other commands.
mlp=testdata/mlp
show etinspect rows --granularity dump --columns path,event_name,op_types,error -f csv $mlp/record.etrecord $mlp/run.etdp
show etinspect rows --granularity dump --columns path,event_name,module -f csv --filter 'is_delegated = true and event_index < 3' \
    testdata/prefill-decode/run.etdp testdata/prefill-decode/model.pte testdata/prefill-decode/record.etrecord
refused etinspect rows $mlp/record.etrecord
refused etinspect rows $mlp/run.etdp $mlp/record.etrecord testdata/small/record.etrecord
refused etinspect rows $mlp/run.etdp --program_path testdata/prefill-decode/model.pte testdata/prefill-decode/model.pte
cp $mlp/record.etrecord .
refused etinspect rows $mlp/run.etdp record.etrecord -o record.etrecord -f csv
echo '--- an ETRecord of another export has a warning for each ETDump, up to ten'
other=testdata/state/record.etrecord
show etinspect rows --columns path -f csv --filter 'event_index == 0 and run == 0' $mlp/run.etdp testdata/small/run.etdp $other
show etinspect rows -o rows.csv $mlp/run.etdp $other
yes $mlp/run.etdp | head -n 12 >list
show etinspect rows --files_from list -o rows.csv $other
# A pipe is read once.
mkfifo pipe
cat testdata/mlp/run.etdp >pipe &
etinspect rows pipe -f csv | wc -l | tr -d ' '
wait
