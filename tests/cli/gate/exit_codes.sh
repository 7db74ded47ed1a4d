#!/bin/sh
# 0: nothing is slower, and a slowdown would have been found; 1: a rule is broken; 6: cannot tell. Reports are complete in
# each case.
SEED=1 history 5 | baseline base.csv
SEED=2 history 5 | baseline same.csv
SEED=2 history 5 softmax 1.2 0 | baseline slow.csv
SEED=2 history 5 all 1.3 0 | baseline throttled.csv
echo '== nothing slower, and it would have been found'
show etinspect gate base.csv same.csv
show etinspect gate slow.csv base.csv
echo '== something slower'
show etinspect gate base.csv slow.csv
show etinspect gate base.csv throttled.csv
show etinspect gate base.csv slow.csv --least_effect '60%'
echo '== nothing slower, and a slowdown would not have been found'
SEED=3 history 5 all 1.4 2 | baseline noisy.csv
show etinspect gate base.csv noisy.csv
echo '== few files, whatever they say'
SEED=4 history 1 softmax 5 0 | baseline one.csv
SEED=4 history 4 softmax 5 0 | baseline four.csv
show etinspect gate testdata/small/run.etdp one.csv --report json=few.json --format markdown
python3 -c 'import json; print(json.load(open("few.json"))["tables"]["gate"][0])'
show etinspect gate base.csv one.csv
show etinspect gate base.csv four.csv
show etinspect gate base.csv four.csv --alpha 0.05
echo '== nothing to check'
show etinspect gate base.csv slow.csv --fail_on 'op=*view*:p50>+5%'
echo '== no second process'
refused etinspect gate base.csv base.csv
show etinspect gate base.csv base.csv --fail_on 'total:p50>1ms'
echo '== a limit is held against what was measured'
show etinspect gate base.csv one.csv --fail_on 'total:p50>100us'
show etinspect gate base.csv one.csv --fail_on 'total:p50>1ms'
