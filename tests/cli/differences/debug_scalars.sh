#!/bin/sh
# Debug scalars are read exactly, not rounded to 12 decimals: runs that differ beyond these do differ.
for value in 1e-20 2e-20; do
    echo "{name: 'Execute', events: [{profile_event: {name: 'op'}}, {debug_event: {debug_entry: {val: Double,
        double_value: {double_val: $value}}}}]},"
done >runs
echo "{run_data: [$(tr -d '\n' <runs | sed 's/,$//')]}" | make-etdump dump.etdp
refused etinspect dump.etdp
