#!/bin/sh
# An unregistered operator is missing from the Inspector's table, with a warning in its log; etinspect names it.
mkdir -p members/edge_dialect_exported_program
: >members/ETRECORD_V0
echo '{"forward": {"1": 7, "2": [8, 7], "3": [9]}}' >members/debug_handle_map
cat >members/edge_dialect_exported_program/forward <<'END'
{"graph_module": {"graph": {"nodes": [
    {"target": "executorch.exir.dialects.edge.ops.my_ops.conv_relu.out", "inputs": [], "metadata": {"debug_handle": "7"},
     "outputs": [{"as_tensor": {"name": "conv"}}]},
    {"target": "torch.ops.my_ops.scale.default", "inputs": [], "metadata": {"debug_handle": "8"},
     "outputs": [{"as_tensor": {"name": "scaled"}}]},
    {"target": "my.own.thing", "inputs": [], "metadata": {"debug_handle": "9"}, "outputs": []}]}}}
END
pack members record.etrecord
echo '{run_data: [{name: "Execute", events: [{profile_event: {name: "a", instruction_id: 1}},
    {profile_event: {name: "b", instruction_id: 2}}, {profile_event: {name: "c", instruction_id: 3}}]}]}' |
    make-etdump dump.etdp
etinspect dump.etdp record.etrecord --format tsv | cut -f 3,10
