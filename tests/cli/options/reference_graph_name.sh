# Selects the graph of the record from which op_types and modules are taken. Places in source code remain those of the edge
# program.
unpack testdata/mlp/record.etrecord members
mkdir members/before
sed 's/aten\.addmm\.default/aten.linear.default/g; s/L__self__h/L__model__h/g; s/line 25/line 26/g' \
    members/edge_dialect_exported_program/forward >members/before/forward
pack members record.etrecord
inspect() {
    show etinspect testdata/mlp/run.etdp record.etrecord --columns event_name,op_types,source -f csv "$@"
}
inspect
inspect --reference_graph_name before/forward
etinspect testdata/mlp/run.etdp record.etrecord --reference_graph_name edge_dialect_graph_module >found.txt
cmp found.txt testdata/mlp/table.txt
# Keys of modules that only one of the graphs has.
for name in L__self__head L__model__head; do
    show etinspect testdata/mlp/run.etdp record.etrecord --module $name --reference_graph_name before/forward
done
for name in before exported_program ''; do
    refused etinspect testdata/mlp/run.etdp record.etrecord --reference_graph_name "$name"
done
refused etinspect summary testdata/mlp/run.etdp record.etrecord --reference_graph_name before/forward
# Without a record there is no graph, as in the Inspector.
etinspect testdata/mlp/run.etdp --reference_graph_name before/forward >found.txt
etinspect testdata/mlp/run.etdp | cmp - found.txt
