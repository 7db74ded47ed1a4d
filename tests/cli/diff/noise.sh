# What repeated runs say about the slowdown that can be found.
export LC_ALL=C.UTF-8
show etinspect noise testdata/mlp-many-runs/run.etdp --width 160
show etinspect noise testdata/mlp/run.etdp --runs 1000 --width 160 --no_include_units --top 2
refused etinspect noise
refused etinspect noise testdata/mlp/run.etdp --runs 0
etinspect baseline save summary.csv testdata/mlp/run.etdp --summary
refused etinspect noise summary.csv
