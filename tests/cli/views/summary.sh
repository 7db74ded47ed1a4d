# One screen about a profile, with and without its record; --top and --sort are about operators.
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --format tsv
show etinspect summary testdata/control-flow/run.etdp --top 2 --format tsv
show etinspect summary testdata/mlp/run.etdp testdata/mlp/record.etrecord --split_variants --sort op --top 3 --format tsv
show etinspect summary testdata/mlp/run.etdp --block Default --format tsv
refused etinspect summary testdata/mlp/run.etdp --block None
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --ascii --width 80
