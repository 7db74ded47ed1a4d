# Events outside of instructions have no instruction_id, though chain -1 is logged with the number 0: otherwise the time of
# instruction 0 would contain the whole inference.
dump=testdata/small/run.etdp
show etinspect events -f csv --columns block,event_name,instruction_id $dump
show etinspect runs --events -f csv --columns event_name,instruction_id --filter 'run == 0' $dump
show etinspect rows -f csv --columns event_name,instruction_id --filter 'run == 0' $dump
echo '--- a capture without instructions: the number 0 does not name one, others do'
make-etdump own.etdp <<'JSON'
{"version": 0, "run_data": [{"name": "Execute", "bundled_input_index": -1, "events": [
 {"profile_event": {"name": "layer", "chain_index": -1, "instruction_id": 0, "start_time": 0, "end_time": 3}},
 {"profile_event": {"name": "other layer", "chain_index": -1, "instruction_id": 2, "start_time": 3, "end_time": 5}},
 {"profile_event": {"name": "first", "chain_index": 0, "instruction_id": 0, "start_time": 5, "end_time": 6}}]}]}
JSON
show etinspect events -f csv --columns event_name,instruction_id own.etdp
show etinspect rows -f csv --columns event_name,instruction_id own.etdp
echo '--- the default table has what the Inspector has'
show etinspect -f csv --columns event_name,instruction_id,chain_index own.etdp
