#!/bin/sh
# Members that are not the expected JSON.
mlp=testdata/mlp
unpack $mlp/record.etrecord members
refuse() {
    cp "members/$1" kept
    printf '%s' "$2" >"members/$1"
    pack members record.etrecord
    echo "# $1: $2"
    refused etinspect $mlp/run.etdp record.etrecord
    mv kept "members/$1"
}
for name in debug_handle_map delegate_map instruction_id_to_num_outs_map export_graph_id \
    edge_dialect_exported_program/forward; do
    refuse $name ''
    refuse $name '{'
    [ $name = export_graph_id ] || refuse $name '"text"' # unused, whatever it contains
    refuse $name '{"forward": {}} more'
done
refuse debug_handle_map '{"forward": {"0": "one"}}'
refuse debug_handle_map '{"forward": {"0": [1, [2]]}}'
refuse debug_handle_map '{"forward": {"0": 1.5}}'
refuse debug_handle_map '{"forward": {"0": 99999999999999999999}}'
refuse debug_handle_map '{"forward": [1]}'
refuse delegate_map '{"forward": {"0": "XnnpackBackend"}}'
refuse delegate_map '{"forward": {"0": {"name": 3}}}'
refuse delegate_map '{"forward": {"0": {"name": "X", "delegate_map": [1]}}}'
refuse instruction_id_to_num_outs_map '{"forward": {"0": [1]}}'
refuse export_graph_id '-1'
deep=$(printf '%05000d' 0 | tr 0 '[')
printf '%s' "$deep" >members/delegate_map
pack members record.etrecord
refused etinspect $mlp/run.etdp record.etrecord
