# Traces: slices, tracks and args; files, compressed or not; refused options.
dir=testdata/xnnpack-conv
show etinspect trace --runs 1 --flows $dir/run.etdp $dir/record.etrecord
show etinspect trace --time aligned --runs 1,3 --args full --block Execute --filter 'event_name =~ "cumsum" or is_delegated_op and p50 > 2us' $dir/run.etdp $dir/record.etrecord
show etinspect trace --args none --runs 0 --block Default $dir/run.etdp
show etinspect trace -o x.json $dir/run.etdp
show etinspect trace -o x.json.gz $dir/run.etdp
gzip -dc x.json.gz | cmp - x.json && echo same
show etinspect trace -o again.json.gz $dir/run.etdp
cmp x.json.gz again.json.gz && echo same
show etinspect trace --runs 99 $dir/run.etdp
show etinspect trace --runs 1- $dir/run.etdp
show etinspect trace --sort p50 $dir/run.etdp
show etinspect events -f chrome $dir/run.etdp
show etinspect trace -f chrome -o x.csv $dir/run.etdp
show etinspect trace --list_columns $dir/run.etdp
show etinspect trace -o /dev/full $dir/run.etdp
# Counters: allocators, planned memory in use beside that of "memory"; debug events.
show etinspect trace --args none testdata/allocation-events/run.etdp
show etinspect trace --time aligned --debug_events --block Execute testdata/small/run.etdp testdata/small/model.pte
show etinspect trace --runs 0 --args none --block 1 testdata/prefill-decode/run.etdp testdata/prefill-decode/model.pte
# Processes are in the order of the arguments; tables are rejected, but columns select events.
etinspect trace --label device=pixel8 --label build=4f2a testdata/small/run.etdp testdata/mlp/run.etdp | grep process_
show etinspect trace -o x.speedscope.json --label device=pixel8 testdata/small/run.etdp
show etinspect trace -f tsv testdata/small/run.etdp
show etinspect trace -f json -o x.json testdata/small/run.etdp
