# Counters of events and marks on the page: columns of the events, samples of each counter, and the slices that are marks. Only
# what the program counted is there: no counter of allocations. A page without counters has neither.
make-etdump counters.etdp <<'JSON'
{"version": 0, "run_data": [
  {"name": "Execute", "allocators": [{"name": "pool"}], "events": [
    {"profile_event": {"name": "conv", "chain_index": 0, "instruction_id": 0, "start_time": 10000, "end_time": 20000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 49, 50, 48, 48, 59, 32, 101, 110, 101, 114, 103, 121, 32, 91, 117, 74, 93, 61, 45, 51, 48]}},
    {"allocation_event": {"allocator_id": 1, "allocation_size": 64}},
    {"profile_event": {"name": "clock changes", "chain_index": 0, "instruction_id": 1, "start_time": 20000, "end_time": 20000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 32, 109, 97, 114, 107, 58, 32, 102, 114, 101, 113, 117, 101, 110, 99, 121, 32, 91, 72, 122, 93, 61, 54, 48, 48, 48, 48, 48, 48, 48, 48]}},
    {"profile_event": {"name": "matmul", "chain_index": 0, "instruction_id": 2, "start_time": 20000, "end_time": 21000}}]},
  {"name": "Execute", "allocators": [{"name": "pool"}], "events": [
    {"profile_event": {"name": "conv", "chain_index": 0, "instruction_id": 0, "start_time": 110000, "end_time": 120000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 58, 32, 99, 121, 99, 108, 101, 115, 61, 49, 51, 48, 48, 59, 32, 101, 110, 101, 114, 103, 121, 32, 91, 117, 74, 93, 61, 45, 51, 48]}},
    {"allocation_event": {"allocator_id": 1, "allocation_size": 64}},
    {"profile_event": {"name": "clock changes", "chain_index": 0, "instruction_id": 1, "start_time": 120000, "end_time": 120000, "delegate_debug_metadata": [101, 116, 99, 97, 112, 116, 117, 114, 101, 32, 109, 97, 114, 107, 58, 32, 102, 114, 101, 113, 117, 101, 110, 99, 121, 32, 91, 72, 122, 93, 61, 51, 48, 48, 48, 48, 48, 48, 48, 48]}},
    {"profile_event": {"name": "matmul", "chain_index": 0, "instruction_id": 2, "start_time": 120000, "end_time": 121000}}]}]}
JSON
etinspect report counters.etdp -o page.html
grep -o '\["[^"]*", "number", "[^"]*", "counter"\]' page.html
grep '"event_name": "conv"' page.html | grep -o '"cycles": .*}'
grep '"event_name": "matmul"' page.html | grep -o '"cycles": .*}'
sed -n '/^"slices": /,$ { /^<\/script>/q; p; }' page.html
etinspect report testdata/small/run.etdp -o page.html
sed -n '/^"slices": /,$ { /^<\/script>/q; p; }' page.html | grep -o '^"[a-z]*"\|first_sample' | tr '\n' ' '
