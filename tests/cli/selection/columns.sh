# All columns, their descriptions, and a table of all of them.
show etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --list_columns
show etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --no_include_units --format tsv --top 3 --sort p50 --columns \
    event_name,module,module_type,chain_index,instruction_id,debug_handles,num_outputs,op_types_all,count,run_count
show etinspect testdata/delegate-ids/run.etdp testdata/delegate-ids/record.etrecord --format tsv --columns \
    event_name,delegate_debug_identifier,debug_handles,instruction_id,bundled_input_index
etinspect testdata/mlp/run.etdp --columns all --format tsv | head -n 1 | tr '\t' '\n' | wc -l
