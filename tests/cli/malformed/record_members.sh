#!/bin/sh
# ETRecords that lack a member, or have an additional one. If a table can still be made, a warning names the missing parts.
mlp=testdata/mlp
unpack $mlp/record.etrecord original
without() {
    rm -rf members
    cp -r original members
    for name in "$@"; do
        rm -r "members/$name"
    done
    pack members record.etrecord
    echo "# without $*"
}
operators() {
    show etinspect $mlp/run.etdp record.etrecord --output found.tsv --format tsv
    cut -f 10 found.tsv | sort | uniq -c | head -n 2
}
without ETRECORD_V0
refused etinspect $mlp/run.etdp record.etrecord
without debug_handle_map
operators
without edge_dialect_exported_program
operators
without debug_handle_map edge_dialect_exported_program
operators
without debug_handle_map edge_dialect_exported_program instruction_id_to_num_outs_map delegate_map
operators
# These are not needed for a table, though the Inspector requires some of them.
for name in delegate_map instruction_id_to_num_outs_map export_graph_id exported_program exported_program_state_dict \
    exported_program_constants exported_program_example_inputs edge_dialect_exported_program/forward_state_dict \
    edge_dialect_exported_program/forward_constants edge_dialect_exported_program/forward_example_inputs; do
    without $name
    show etinspect $mlp/run.etdp record.etrecord --output found.txt
    cmp found.txt $mlp/table.txt
done
without
echo '# with foo and an empty reference_outputs'
echo '{}' >members/foo
: >members/reference_outputs
pack members record.etrecord
show etinspect $mlp/run.etdp record.etrecord --output found.txt
cmp found.txt $mlp/table.txt
