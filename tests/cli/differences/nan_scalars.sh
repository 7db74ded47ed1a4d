#!/bin/sh
# NaN and infinity as debug values stop the Inspector, which reads them from JSON. Equal bits in all runs are equal values.
for value in nan inf -inf; do
    run="{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1, end_time: 5000}}, {debug_event:
        {instruction_id: 1, debug_entry: {val: Double, double_value: {double_val: $value}}}}, {debug_event: {debug_entry:
        {val: Float, float_value: {float_val: $value}, output: {bool_val: true}}}}]}"
    echo "{run_data: [$run, $run]}" | make-etdump dump.etdp
    echo "$value: $(etinspect dump.etdp --format tsv | cut -f 3,4,13 | tail -n 1)"
done
