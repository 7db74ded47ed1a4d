#!/bin/sh
# Runs that are shown together, but recorded different values.
refuse_runs() {
    echo "# $1 | $2"
    for value in "$1" "$2"; do
        echo "{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1}}, {debug_event: {$value}}]},"
    done >runs
    echo "{run_data: [$(tr -d '\n' <runs | sed 's/,$//')]}" | make-etdump dump.etdp
    refused etinspect dump.etdp
}
id='instruction_id: 1, debug_entry:'
refuse_runs "$id {val: Int, int_value: {int_val: 1}}" "$id {val: Int, int_value: {int_val: 2}}"
refuse_runs "$id {val: Double, double_value: {double_val: 1}}" "$id {val: Bool, bool_value: {bool_val: false}}"
refuse_runs "$id {val: Int, int_value: {int_val: 1}}" "$id {val: Null}"
refuse_runs "$id {val: Tensor, tensor: {sizes: [1], strides: [1]}}" "$id {val: Tensor, tensor: {sizes: [2], strides: [1]}}"
# As outputs of the run.
out='output: {bool_val: true}'
refuse_runs "$id {val: Int, int_value: {int_val: 1}, $out}" "$id {val: Int, int_value: {int_val: 2}, $out}"
refuse_runs "$id {val: Int, int_value: {int_val: 1}, $out}" "$id {val: Null, $out}"
# The number of outputs must agree, too.
cat >dump.json <<'END'
{run_data: [
    {name: "Execute", events: [{profile_event: {name: "op"}}, {debug_event: {debug_entry: {output: {bool_val: true}}}}]},
    {name: "Execute", events: [{profile_event: {name: "op"}}, {debug_event: {debug_entry: {output: {bool_val: true}}}},
        {debug_event: {debug_entry: {output: {bool_val: true}}}}]}]}
END
make-etdump dump.etdp <dump.json
refused etinspect dump.etdp
# In two files.
for n in 1 2; do
    echo "{run_data: [{name: 'Execute', events: [{debug_event: {$id {val: Int, int_value: {int_val: $n}}}}]}]}" |
        make-etdump "r$n.etdp"
done
echo "{run_data: [{name: 'Execute', events: [{debug_event: {$id {val: Int}}}]}]}" | make-etdump r3.etdp
refused etinspect r1.etdp r2.etdp r3.etdp
refused etinspect r1.etdp r3.etdp r2.etdp
# The times can still be shown; only the table of events needs the values.
show etinspect dump.etdp --no_debug_data --format tsv --columns event_name,count
show etinspect --group op dump.etdp --format tsv --columns op,events
show etinspect runs dump.etdp --format tsv --columns block,run
# Events that are written beside groups are rejected as well.
refused etinspect --group op dump.etdp --tsv_path events.tsv
show etinspect --group op dump.etdp --tsv_path "" --format tsv --columns op,events
