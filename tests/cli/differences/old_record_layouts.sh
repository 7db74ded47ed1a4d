#!/bin/sh
# Members and JSON as earlier versions wrote them: the program without its method's name (until 2026), without side members
# (until 2024), as et_dialect_graph_module (2023), with all alternatives of an argument, and nodes without names.
mlp=testdata/mlp
unpack $mlp/record.etrecord now
copy() {
    rm -rf members
    mkdir members
    for name in ETRECORD_V0 debug_handle_map delegate_map; do
        cp now/$name members
    done
}
inspect() {
    pack members record.etrecord
    show etinspect $mlp/run.etdp record.etrecord --output found.txt
    cmp found.txt $mlp/table.txt
}
copy
cp now/edge_dialect_exported_program/forward members/edge_dialect_exported_program
inspect
copy
mkdir members/et_dialect_graph_module
cp now/edge_dialect_exported_program/forward members/et_dialect_graph_module/forward
echo program >members/program_buffer
inspect
copy
sed 's/"as_tensor": {/"as_none": null, "as_int": null, "as_tensor": {/g; s/"name": "[^"]*", "target"/"target"/g' \
    now/edge_dialect_exported_program/forward >members/edge_dialect_exported_program
grep -c '"as_int": null' members/edge_dialect_exported_program
inspect
