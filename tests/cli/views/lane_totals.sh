# Totals of runs whose lanes overlap, in text, CSV and JSON. In summary, "all lanes" is the busy time: 40 + 50 in the first file. In
# diff and gate it is the time in which a lane is busy: [10, 50] and [20, 70] take 60, and [10, 50] and [20, 100] take 90.
lanes() { # FILE END
    make-etdump "$1" <<JSON
{"version": 0, "run_data": [
  {"name": "Execute", "events": [
    {"profile_event": {"name": "conv", "chain_index": -1, "instruction_id": 0, "start_time": 10000000, "end_time": 50000000}},
    {"profile_event": {"name": "half of conv", "chain_index": -2, "instruction_id": 0, "start_time": 20000000, "end_time": $2}}]}]}
JSON
}
lanes base.etdp 70000000
lanes new.etdp 100000000
show etinspect summary base.etdp --table account
show etinspect summary base.etdp --table account -f csv
show etinspect summary base.etdp --table account --columns part,p50,share -f json --no_sha256
show etinspect diff base.etdp new.etdp --table total
show etinspect diff base.etdp new.etdp --table total --columns total,p50_base,p50_new,reason -f csv
show etinspect diff base.etdp new.etdp --table total --columns total,p50_base,p50_new,reason -f json --no_sha256
show etinspect gate base.etdp new.etdp --one_process --fail_on 'total:p50>+40%' --table checks -f csv --columns verdict,name,p50_base,p50_new,limit
show etinspect gate base.etdp new.etdp --one_process --fail_on 'total:p50>+60%' --table checks -f csv --columns verdict,name,p50_base,p50_new,limit
