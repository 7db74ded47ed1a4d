#!/bin/sh
# Impossible stamps, and those of a clock that wrapped around.
dump_of() {
    echo "{run_data: [{name: 'Execute', events: [$1]}]}" | make-etdump dump.etdp
}
event() {
    echo "{profile_event: {name: '$1', instruction_id: $2, start_time: $3, end_time: $4}}"
}
execute=$(event Method::execute -1 100 200)
dump_of "$(event native_call_add.out 0 110 210), $(event native_call_mul.out 1 20 30), $execute"
show etinspect check dump.etdp
show etinspect summary dump.etdp --table account
dump_of "$(event native_call_add.out 0 110 150), $(event native_call_mul.out 1 120 180), $execute"
show etinspect check dump.etdp
dump_of "$(event native_call_add.out 0 4294967290 5), $(event Method::execute -1 4294967280 20)"
show etinspect check dump.etdp
dump_of "$(event native_call_add.out 0 150 140), $execute"
show etinspect check dump.etdp
run() {
    echo "{name: 'Execute', events: [$(event native_call_add.out 0 110 "$1"), $execute]}"
}
echo "{run_data: [$(run 150), $(run 160), $(run 210)]}" | make-etdump dump.etdp
show etinspect summary dump.etdp --table account --columns part
