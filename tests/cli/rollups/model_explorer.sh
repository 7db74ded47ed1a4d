# Model Explorer gets the graph and the times of its nodes; time that belongs to no node gets separate nodes.
for format in model-explorer model-explorer-data; do
    show etinspect graph --format $format testdata/small/run.etdp testdata/small/record.etrecord
    show etinspect graph --format $format --top 1 --sort total:desc testdata/small/run.etdp testdata/small/record.etrecord
done
# without a record, and without a graph
show etinspect graph --format model-explorer testdata/mlp/run.etdp
refused etinspect ops --format model-explorer-data testdata/mlp/run.etdp
