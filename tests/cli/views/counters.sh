# Counters of events, which libetcapture writes as text into their metadata, have a column each in events, a text in rows, and a
# track each in traces. The Inspector's columns are as without counters.
make-etdump counters.etdp <<'JSON'
{"version": 0, "run_data": [
  {"name": "Execute", "events": [
    {"profile_event": {"name": "conv", "chain_index": 0, "instruction_id": 0, "start_time": 10000, "end_time": 20000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 49, 50, 48, 48, 59, 32, 101, 110, 101, 114, 103, 121, 32, 91, 117, 74, 93, 61, 51, 48]}},
    {"profile_event": {"name": "clock changes", "chain_index": 0, "instruction_id": 1, "start_time": 20000, "end_time": 20000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 32, 109, 97, 114, 107, 58, 32, 102, 114, 101, 113, 117, 101, 110, 99, 121, 32, 91, 72, 122, 93, 61, 54, 48, 48, 48, 48, 48, 48, 48, 48]}},
    {"profile_event": {"delegate_debug_id_str": "node", "chain_index": 0, "instruction_id": 2, "start_time": 20000, "end_time": 30000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 45, 53]}},
    {"profile_event": {"name": "matmul", "chain_index": 0, "instruction_id": 3, "start_time": 30000, "end_time": 31000}}]},
  {"name": "Execute", "events": [
    {"profile_event": {"name": "conv", "chain_index": 0, "instruction_id": 0, "start_time": 110000, "end_time": 120000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 49, 51, 48, 48, 59, 32, 101, 110, 101, 114, 103, 121, 32, 91, 117, 74, 93, 61, 51, 48]}},
    {"profile_event": {"name": "clock changes", "chain_index": 0, "instruction_id": 1, "start_time": 120000, "end_time": 120000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 32, 109, 97, 114, 107, 58, 32, 102, 114, 101, 113, 117, 101, 110, 99, 121, 32, 91, 72, 122, 93, 61, 51, 48, 48, 48, 48, 48, 48, 48, 48]}},
    {"profile_event": {"delegate_debug_id_str": "node", "chain_index": 0, "instruction_id": 2, "start_time": 120000, "end_time": 130000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 45, 55, 59, 32, 100, 97, 109, 97, 103, 101, 100]}},
    {"profile_event": {"name": "matmul", "chain_index": 0, "instruction_id": 3, "start_time": 130000, "end_time": 131000}}]}]}
JSON
show etinspect events counters.etdp
show etinspect events counters.etdp --columns 'event_name,cycles,role,metadata' -f csv
show etinspect rows counters.etdp --columns event_name,run,counters -f csv
show etinspect trace counters.etdp -f chrome
show etinspect --etdump_path counters.etdp -f tsv
# Counters with the name of a column, more than 8, and those that no column can have, are only in the metadata.
make-etdump many.etdp <<'JSON'
{"version": 0, "run_data": [
  {"name": "Execute", "events": [
    {"profile_event": {"name": "many", "chain_index": 0, "instruction_id": 0, "start_time": 10, "end_time": 20, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 118, 97, 108, 117, 101, 61, 49, 59, 32, 99, 48, 61, 48, 59, 32, 99, 49, 61, 49, 59, 32, 99, 50, 61, 50, 59, 32, 99, 51, 61, 51, 59, 32, 99, 52, 61, 52, 59, 32, 99, 53, 61, 53, 59, 32, 99, 54, 61, 54, 59, 32, 99, 55, 61, 55, 59, 32, 99, 56, 61, 56, 59, 32, 99, 57, 61, 57, 59, 32, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 61, 49, 59, 32, 97, 9, 98, 61, 49]}}]}]}
JSON
show etinspect events many.etdp --columns event_name,value,c0,c7 -f csv
show etinspect events many.etdp --columns c8 -f csv
