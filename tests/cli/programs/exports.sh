# Two exports of one model: rows are matched by the node of the exported program from which events come, whatever their
# names.
show etinspect diff --group node --table groups --all testdata/mlp/run.etdp testdata/mlp/record.etrecord \
    testdata/mlp-many-runs/run.etdp testdata/mlp-many-runs/record.etrecord
show etinspect diff --group node --table groups --all testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord \
    testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/run.etdp

# Without an ETRecord these nodes are unknown.
etinspect diff --group node --table groups --all testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp | tail -2
