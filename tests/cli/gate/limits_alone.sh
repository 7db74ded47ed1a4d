#!/bin/sh
# Rules that are limits need no base; other rules report that they do. If two programs have little in common, the
# message after the answer says so.
new=testdata/mlp-many-runs/run.etdp
show etinspect gate --fail_on 'total:p50>20ms' $new
show etinspect gate --fail_on 'op:p50>0.5us' --fail_on 'total:max>1ms' $new testdata/mlp-many-runs/record.etrecord
show etinspect gate --fail_on 'op:p50>0.5us' --new $new --format csv
printf 'what,metric,limit\ntotal,p50,1us\n' >budget.csv
show etinspect gate --budget budget.csv --new $new --format junit
etinspect baseline save kept.csv $new
show etinspect gate --budget budget.csv kept.csv
etinspect gate --fail_on 'total:p50>20ms' $new --format json |
    python3 -c 'import json, sys; report = json.load(sys.stdin); print([source["path"] for source in report["sources"]], report["tables"]["gate"][0]["base_files"])'
refused etinspect gate --fail_on 'p50>+5%' $new
refused etinspect gate --fail_on 'total:p50>20ms' --fail_on 'p50>+1us' $new
refused etinspect gate --fail_on 'total:p50>20ms' --base $new
refused etinspect gate $new
refused etinspect gate --fail_on 'total:p50>20ms'
etinspect gate testdata/mlp/run.etdp testdata/transformer/run.etdp | head -n 2
