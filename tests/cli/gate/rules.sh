#!/bin/sh
# Rules of all scopes and limits, and the places of errors in rules that cannot be read.
# A side has five files, whose events are identified by operator, module and line.
side() { # SEED [EVENT FACTOR FIRST]
    seed=$1
    shift
    SEED=$seed history 5 "$@" | sed -e 's|softmax.out,,,,,,,,,|softmax.out,aten._softmax.default,layers.0.attention,,,,/build/models/model.py,25,"x.softmax(-1)",|' \
        -e 's|addmm.out,,,,,,,,,|addmm.out,aten.addmm.default,layers.0.mlp,,,,/build/models/model.py,31,self.mlp(x),|' \
        -e 's|conv.out,,,,,,,,,|conv.out,aten.convolution.default,stem,,,,/build/models/stem.py,8,self.conv(x),|'
}
side 1 | baseline base.csv
side 2 softmax 1.2 0 | baseline slow.csv
show etinspect gate base.csv slow.csv --target_time_scale us --fail_on 'op=*softmax*: p50>+5%' \
    --fail_on 'module=layers.*:avg>+5%' --fail_on 'backend:p50>+50us' --fail_on 'source:p90>+60%' --fail_on 'total:p50>5ms' \
    --fail_on 'total:p50>+1% min_effect=1us' --fail_on 'total:p50>+1% min_effect=20us' --fail_on 'optype:p50>+5%' \
    --fail_on 'op=aten.addmm*:max>20us' --fail_on 'p50>+3us' --report github=github.txt --source_map /build/=src
cat github.txt
refused etinspect gate base.csv slow.csv --fail_on 'op=*sofmax*:p50>+5%'
refused etinspect gate base.csv slow.csv --fail_on 'op=nothing:p50>1us'
refused etinspect gate base.csv slow.csv --fail_on 'module=steam:p50>+5%'
refused etinspect gate base.csv slow.csv --fail_on 'delegates:p50>+5%'
refused etinspect gate base.csv slow.csv --one_process --fail_on 'op:p90>+5%'
refused etinspect gate base.csv slow.csv --source_map /build --fail_on 'op:p90>+5%'
refused etinspect gate base.csv slow.csv --fail_on 'op:p50>+1cycles'
show etinspect gate base.csv slow.csv --fail_on 'op:p51>+5%'
show etinspect gate base.csv slow.csv --fail_on 'op=ä:p50>+5 parsec'
show etinspect gate base.csv slow.csv --fail_on 'p50>+5% min_share'

# Notes are about all comparisons of a gate: events of each metric have a level of their own, and a rule about the total comes first.
echo '== several comparisons'
SEED=1 history 8 | baseline level.csv
SEED=2 history 8 all 1.2 0 | baseline raised.csv
show etinspect gate level.csv raised.csv --fail_on 'total:p50>+50%' --fail_on 'op:avg>+5%' --fail_on 'op:p50>+5%' | grep 'all events'
show etinspect gate level.csv raised.csv --fail_on 'total:p50>+50%' --fail_on 'op:avg>+5%' | grep 'all events'
