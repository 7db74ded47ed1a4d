# One screen about a profile, with and without its record; --top and --sort are about operators.
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --format tsv
show etinspect summary testdata/control-flow/run.etdp --top 2 --format tsv
show etinspect summary testdata/mlp/run.etdp testdata/mlp/record.etrecord --split_variants --sort op --top 3 --format tsv
show etinspect summary testdata/mlp/run.etdp --block Default --format tsv
refused etinspect summary testdata/mlp/run.etdp --block None
show etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --ascii --width 80
# A narrow screen shows what is known, and not only of what.
etinspect summary testdata/mlp/run.etdp testdata/mlp/record.etrecord --ascii --width 40 | head -n 12
# Numbers of cycles are grouped, and it is said what facts about single runs are of where there are several blocks.
etinspect summary testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp --source_time_scale cycles \
    --target_time_scale cycles --ascii --width 100 | sed '/^$/q'
# It says how the operators of delegates were found, and asks for the program where that is not sure.
etinspect summary testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/model.pte | grep 'by node of the model'
etinspect summary testdata/xnnpack-conv/run.etdp testdata/delegate-ids/run.etdp | grep 'in delegates'
