#!/bin/sh
# The layers of a model, the slowest first; kernels without a record; formats, several files, selection, wrong use.
mlp=testdata/mlp
conv="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord testdata/xnnpack-conv/model.pte"
outlier="testdata/outlier/run.etdp testdata/outlier/record.etrecord"
# shellcheck disable=SC2086 # several files
{
    show etinspect layers --width 100 $conv
    show etinspect layers --format json $conv
    show etinspect layers --format csv $conv
    show etinspect layers --columns all --format tsv $outlier
    # Rows follow the order of the view; a sort and a filter change that.
    show etinspect layers --top 2 --columns layer,share --format csv $outlier
    show etinspect layers --top 2 --columns layer,share --sort layer --format csv $outlier
    show etinspect layers --filter 'share > 20%' --columns layer,share,unsteady --format csv $outlier
    show etinspect layers --filter 'backend == "XNNPACK"' --columns layer,backend --format csv $conv
    show etinspect layers --filter 'backend == "XnnpackBackend"' --width 80 $conv
    show etinspect layers --filter 'typical > 200us' --columns layer,typical --format csv $outlier
}
# A record without the program: the operators inside delegates are found by their order.
show etinspect layers --format csv testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord
# Without a record, rows are kernels.
show etinspect layers --width 100 $mlp/run.etdp
show etinspect layers --format csv $mlp/run.etdp
# Nothing is taken from a record of another export: rows are kernels, and the warning is also the last line.
show etinspect layers --format csv $mlp/run.etdp testdata/delegate-ids/record.etrecord
show etinspect layers --width 100 $mlp/run.etdp testdata/delegate-ids/record.etrecord
# The same rows whatever the order of the files, by name or by option.
etinspect layers --format csv $mlp/run.etdp $mlp/record.etrecord >rows
etinspect layers --format csv $mlp/record.etrecord $mlp/run.etdp | cmp - rows
etinspect layers --format csv --etdump_path $mlp/run.etdp --etrecord_path $mlp/record.etrecord | cmp - rows
etinspect layers --format csv --output out.csv $mlp/run.etdp $mlp/record.etrecord
cmp out.csv rows
# summary begins with the same layers.
etinspect layers --format csv --columns layer,kernel,typical,share,unsteady,backend,source $mlp/run.etdp $mlp/record.etrecord >rows
etinspect summary --table layers --format csv $mlp/run.etdp $mlp/record.etrecord >first
head -n 6 rows | cmp - first
# Several ETDumps of one program are pooled, each after its own warm-up; of another program they are refused.
show etinspect layers --width 100 testdata/six-files/n*.etdp
show etinspect layers --top 2 --columns layer,typical,share,calls --format csv testdata/six-files/n*.etdp
# One row per method and layer.
show etinspect layers --format csv --columns method,layer,typical,share testdata/multi-method/run.etdp testdata/multi-method/record.etrecord
show etinspect layers --format csv --columns layer,typical,share --method forward testdata/multi-method/run.etdp testdata/multi-method/record.etrecord
# Nothing ran, or nothing remains.
printf '{"run_data": []}' | make-etdump empty.etdp
show etinspect layers --format csv empty.etdp
show etinspect layers --filter 'share > 200%' --format csv $mlp/run.etdp
# Wrong use.
refused etinspect layers
refused etinspect layers $mlp/record.etrecord
refused etinspect layers --module mlp $mlp/run.etdp
refused etinspect layers --group op $mlp/run.etdp
refused etinspect layers --format perfetto $mlp/run.etdp
refused etinspect layers --columns layr $mlp/run.etdp
refused etinspect layers --sort shares $mlp/run.etdp
refused etinspect layers --table modules $mlp/run.etdp
refused etinspect layer $mlp/run.etdp
refused etinspect layers --top -1 $mlp/run.etdp
refused etinspect layers missing.etdp
refused etinspect layers --strict $mlp/run.etdp testdata/delegate-ids/record.etrecord
# Nor is advice taken from a program of another export.
show etinspect summary --table actions --columns action --format csv $mlp/run.etdp testdata/delegated-around/model.pte
