#!/bin/sh
# If there are several blocks, such as two methods, each report names the block of a check. One block is not named.
methods() { # SEED [EVENT FACTOR FIRST]: two blocks of five files
    seed=$1
    shift
    SEED=$seed history 5 "$@" | sed 's/^block,Execute/block,encode/'
    SEED=$((seed + 10)) history 5 "$@" | sed '1,/^columns/d; s/^block,Execute/block,forward/'
}
methods 1 | baseline base.csv
methods 2 addmm 1.2 0 | baseline slow.csv
show etinspect gate base.csv slow.csv --report junit=gate.xml --report benchmark=bench.json --report github=github.txt
grep -o '<testcase.*' gate.xml
grep -o '"name": "[^"]*"' bench.json
sed 's/,.*//; s/: 0.*//' github.txt
show etinspect gate base.csv slow.csv --table checks --columns verdict,block,name
show etinspect gate slow.csv --fail_on 'op=*addmm*:p50>20us' --fail_on 'total:p50>1ms'
etinspect gate --fail_on 'total:p50>1us' testdata/multi-method/run.etdp testdata/multi-method/record.etrecord | head -n 1
etinspect diff base.csv slow.csv | head -n 1
etinspect diff slow.csv base.csv | head -n 1
SEED=1 history 5 | baseline base.csv
SEED=2 history 5 addmm 1.2 0 | baseline slow.csv
show etinspect gate base.csv slow.csv --report junit=gate.xml
grep -o '<testcase.*' gate.xml
