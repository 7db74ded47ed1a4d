# One screen about a profile, with and without its record; --top and --sort apply to operators.
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --format tsv
show etinspect summary testdata/control-flow/run.etdp --top 2 --format tsv
show etinspect summary testdata/mlp/run.etdp testdata/mlp/record.etrecord --split_variants --sort op --top 3 --format tsv
show etinspect summary testdata/mlp/run.etdp --block Default --format tsv
refused etinspect summary testdata/mlp/run.etdp --block None
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --ascii --width 80
# A narrow screen shows values, not only their names.
etinspect summary testdata/mlp/run.etdp testdata/mlp/record.etrecord --ascii --width 40 | head -n 12
# Numbers of cycles have separators, and facts about single runs name their block if there are several.
etinspect summary testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp --source_time_scale cycles \
    --target_time_scale cycles --ascii --width 100 | sed '/^$/q'
# The summary says how the operators of delegates were found, and asks for the program if that is uncertain.
etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/model.pte | grep 'by node of the model'
etinspect summary testdata/xnnpack-conv/run.etdp testdata/delegate-ids/run.etdp | grep 'in delegates'
