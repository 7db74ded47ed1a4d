# Threads and queues: the time of a run is that of their union, the events of each nest in those of the same one only, and each
# has a track with its name. The first run has [10, 50] in the main thread and [20, 70] in another: it takes 60.
make-etdump lanes.etdp <<'JSON'
{"version": 0, "run_data": [
  {"name": "Execute", "allocators": [{"name": "etcapture lane 1: helper"}, {"name": "etcapture lane 3: matrix unit"}], "events": [
    {"profile_event": {"name": "conv", "chain_index": -1, "instruction_id": 0, "start_time": 10000000, "end_time": 50000000}},
    {"profile_event": {"name": "half of conv", "chain_index": -2, "instruction_id": 0, "start_time": 20000000, "end_time": 70000000}},
    {"profile_event": {"name": "pack", "chain_index": -2, "instruction_id": 0, "start_time": 25000000, "end_time": 30000000}},
    {"profile_event": {"name": "matmul", "chain_index": 3, "instruction_id": 0, "start_time": 40000000, "end_time": 60000000}}]},
  {"name": "Execute", "events": [
    {"profile_event": {"name": "conv", "chain_index": -1, "instruction_id": 0, "start_time": 110000000, "end_time": 150000000}},
    {"profile_event": {"name": "half of conv", "chain_index": -2, "instruction_id": 0, "start_time": 150000000, "end_time": 160000000}},
    {"profile_event": {"name": "pack", "chain_index": -2, "instruction_id": 0, "start_time": 150000000, "end_time": 151000000}},
    {"profile_event": {"name": "matmul", "chain_index": 3, "instruction_id": 0, "start_time": 160000000, "end_time": 180000000}}]}]}
JSON
show etinspect check lanes.etdp
show etinspect runs lanes.etdp
show etinspect ops lanes.etdp
show etinspect summary lanes.etdp --table account
show etinspect summary lanes.etdp --table facts
show etinspect trace lanes.etdp -f chrome
# The same in one thread is a fault.
make-etdump one.etdp <<'JSON'
{"version": 0, "run_data": [
  {"name": "Execute", "events": [
    {"profile_event": {"name": "conv", "chain_index": -1, "instruction_id": 0, "start_time": 10000000, "end_time": 50000000}},
    {"profile_event": {"name": "half of conv", "chain_index": -1, "instruction_id": 1, "start_time": 20000000, "end_time": 70000000}}]}]}
JSON
show etinspect check one.etdp
show etinspect runs one.etdp
