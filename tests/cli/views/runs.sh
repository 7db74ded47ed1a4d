# A row per run, or per run and event.
show etinspect runs testdata/xnnpack-conv/run.etdp --format tsv
show etinspect runs testdata/small/run.etdp --events --format csv
show etinspect runs testdata/mlp/run.etdp --block Default --columns all --format tsv --no_include_units
show etinspect runs testdata/mlp/run.etdp --filter 'flag = "outlier"' --columns run,elapsed --format tsv
