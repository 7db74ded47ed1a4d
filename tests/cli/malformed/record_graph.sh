#!/bin/sh
# Graphs whose nodes have impossible contents.
make_record() {
    mkdir -p members/edge_dialect_exported_program
    : >members/ETRECORD_V0
    echo '{"forward": {"1": 7}}' >members/debug_handle_map
    printf '%s' "$1" >members/edge_dialect_exported_program/forward
    pack members record.etrecord
    echo "# $1"
}
node() {
    make_record '{"graph_module": {"graph": {"nodes": [{"target": "executorch.exir.dialects.edge.ops.aten.add.Tensor",
        "inputs": [], "outputs": [], "metadata": '"$1"'}]}}}'
}
echo '{run_data: [{name: "Execute", events: [{profile_event: {name: "op", instruction_id: 1}}]}]}' | make-etdump dump.etdp
node '{"debug_handle": "7", "nn_module_stack": "key,path,type;k2,p2,f(a, b)"}'
show etinspect dump.etdp record.etrecord --format tsv
for metadata in '{"debug_handle": "(1, 2)"}' '{"debug_handle": "7.0"}' '{"debug_handle": "99999999999999999999"}' \
    '{"debug_handle": 7}' '{"nn_module_stack": "key,path"}' '{"nn_module_stack": "key,path,type,more"}' \
    '{"nn_module_stack": "key,path,type)"}' '[]'; do
    node "$metadata"
    refused etinspect dump.etdp record.etrecord
done
for graph in '[]' '{"graph_module": 3}' '{"graph_module": {"graph": []}}' '{"graph_module": {"graph": {"nodes": {}}}}' \
    '{"graph_module": {"graph": {"nodes": [3]}}}' '{"graph_module": {"graph": {"nodes": [{"target": 3}]}}}'; do
    make_record "$graph"
    refused etinspect dump.etdp record.etrecord
done
for graph in '{}' '{"graph_module": {}}' '{"graph_module": {"graph": {}}}' '{"graph_module": {"graph": {"nodes": []}}}' \
    '{"graph_module": {"graph": {"nodes": [{}]}}}'; do
    make_record "$graph"
    show etinspect dump.etdp record.etrecord --output found.txt
done
