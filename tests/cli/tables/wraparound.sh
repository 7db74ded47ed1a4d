#!/bin/sh
# A 32-bit clock that wrapped around, one tick short as in the Inspector; delegates' stamps are scaled before.
make-etdump dump.etdp <<'END'
{run_data: [{name: "Execute", events: [
    {profile_event: {name: "op", instruction_id: 1, start_time: 4294967291, end_time: 10}},
    {profile_event: {delegate_debug_id_int: 1, instruction_id: 2, start_time: 4294967291, end_time: 10}}]}]}
END
for target in ns ms; do
    etinspect dump.etdp --format tsv --target_time_scale $target | cut -f 3,4
    etinspect dump.etdp --format tsv --target_time_scale $target --exact_time | cut -f 3,4 | tail -n 1
done
