# The report of a comparison.
export LC_ALL=C.UTF-8
show etinspect diff testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/record.etrecord --width 160 --group source
show etinspect diff testdata/small/run.etdp testdata/small/run.etdp --width 160
show etinspect diff testdata/mlp/run.etdp testdata/mlp/run.etdp --list_columns
