#!/bin/sh
# Rules about the bytes that a run allocates, for eight processes with one run each: an ETDump records them, a baseline
# keeps and merges them, diff compares them.
save() { # BYTES FILE
    printf '%s\n' time_scale,ns 'block,Execute,,8,0,1;2;3;4;5;6;7' \
        'execute,Method::execute,,,,,,,,,900;901;902;903;904;905;906;907' "allocated,allocated,,,,,,,,,$1" | baseline "$2"
}
save '4096;4096;4096;4096;4096;4096;4096;4096' base.csv
save '4096;6144;6144;6144;6144;6144;6144;6144' more.csv
show etinspect baseline save - testdata/allocation-events/run.etdp --skip_first 0
show etinspect baseline merge - base.csv more.csv
show etinspect diff base.csv more.csv
refused etinspect gate base.csv base.csv --fail_on 'allocation:p50>+1%'
show etinspect gate base.csv more.csv --fail_on 'allocation:p50>+1%' --fail_on 'allocation:p50>+2.5kib' \
    --fail_on 'allocation:max>6kib' --fail_on 'total:p50>+5%' --format tsv --all
show etinspect gate base.csv more.csv --fail_on 'allocation:p50>+1%' --report benchmark=bench.json --report json=gate.json --report junit=junit.xml
show cat bench.json
grep -o '"base_bytes.\{0,40\}' gate.json
show etinspect gate base.csv more.csv --fail_on 'allocation:p50>5kib min_effect=1bytes'
show etinspect gate base.csv more.csv --fail_on 'allocation:max>5kib'
show etinspect gate base.csv more.csv --fail_on 'allocation:p50>+1us'
show etinspect gate base.csv more.csv --fail_on 'allocation=temp:p50>+1%'
sed '/allocated/d; s/^end,.*/end,12/' base.csv >unknown.csv
show etinspect gate unknown.csv more.csv --fail_on 'allocation:p50>+1%'
sed '/^allocated/p; s/^end,.*/end,14/' base.csv >twice.csv
refused etinspect baseline show twice.csv
