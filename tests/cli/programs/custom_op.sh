# A custom operator that changes its argument in place: the record has a node auto_functionalized_v2 for each call, and no
# handles for the instructions.
case=testdata/backends/custom_op
columns='event_name,op_type,debug_handles,attribution,module,source'
show etinspect events --skip_first 0 --format tsv --columns $columns --filter 'event_name =~ "update"' $case/run.etdp $case/model.etrecord $case/model.pte
show etinspect ops --format tsv --columns op,events,nodes,executed,lines $case/run.etdp $case/model.etrecord $case/model.pte
show etinspect graph --format tsv --columns node,op,source,target --filter 'node =~ "auto"' $case/run.etdp $case/model.etrecord
# Without the program nobody knows how often the operator is called.
show etinspect events --skip_first 0 --format tsv --columns $columns --filter 'event_name =~ "update"' $case/run.etdp $case/model.etrecord
