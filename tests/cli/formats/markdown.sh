# Tables for GitHub; a name is only text.
make-etdump dump.etdp <<'JSON'
{"run_data": [{"name": "Execute", "events": [
  {"profile_event": {"name": "a|b <img src=x> [c](d) `e`\n@f", "instruction_id": 0, "start_time": 0, "end_time": 1500}}]}]}
JSON
etinspect --format markdown dump.etdp
