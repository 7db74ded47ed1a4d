#!/bin/sh
# A rule about p99 finds one run in twenty that is ten times slower, which the median does not see. Each percentile needs a number
# of runs in every file.
model() { # FILE RUNS EVERY SEED: every EVERY-th run is slow; 0: none
    awk -v n="$2" -v every="$3" -v state="$4" '
    function random() { state = state * 16807 % 2147483647; return state / 2147483647 }
    BEGIN {
        for (i = 0; i < 20; i++) random()
        printf "{\"version\": 0, \"run_data\": ["
        for (run = 0; run < n; run++) {
            at = 10000000 * run
            time = int((100000 + 1000 * random()) * (every && run % every == every - 1 ? 10 : 1))
            printf "%s{\"name\": \"forward\", \"events\": [{\"profile_event\": {\"name\": \"native_call_op.out\", \"chain_index\": 0, \"instruction_id\": 0, \"start_time\": %d, \"end_time\": %d}}, {\"profile_event\": {\"name\": \"Method::execute\", \"chain_index\": -1, \"instruction_id\": -1, \"start_time\": %d, \"end_time\": %d}}]}", run ? ", " : "", at, at + time, at, at + time
        }
        print "]}"
    }' | make-etdump "$1"
}
mkdir base slow few
for i in 1 2 3 4 5 6 7; do
    model base/$i.etdp 200 0 "$((1000 + i))"
    model slow/$i.etdp 200 20 "$((2000 + i))"
    model few/$i.etdp 199 20 "$((3000 + i))"
done
for metric in p50 p90 p95 p99 fast avg min max; do
    etinspect gate --base base/*.etdp --new slow/*.etdp --skip_first 0 --fail_on "total:$metric>+50%" >report
    echo "$metric $?: $(head -n 1 report)"
done
show etinspect gate --base base/*.etdp --new few/*.etdp --skip_first 0 --fail_on 'total:p99>+50%' | head -n 2
show etinspect gate --base base/*.etdp --new few/*.etdp --skip_first 0 --fail_on 'total:p95>+50%' | head -n 2
show etinspect gate base/1.etdp slow/1.etdp --fail_on 'total:p98>+5%'
