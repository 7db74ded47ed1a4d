# The payload alone gives the operations debug handles; with the record they have operators and modules.
coreml=testdata/backends/coreml_cnn
columns=event_name,debug_handles,op_types,module,attribution
show etinspect events --skip_first 0 --top 4 -f csv --columns $columns --filter 'role = "node"' $coreml/run.etdp $coreml/model.pte
show etinspect events --skip_first 0 --top 4 -f csv --columns $columns --filter 'role = "node"' $coreml/run.etdp $coreml/model.etrecord
