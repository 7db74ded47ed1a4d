# Allocators, and what each gave out in each run.
show etinspect alloc testdata/allocation-events/run.etdp --format tsv
show etinspect alloc testdata/mlp/run.etdp --format tsv
# Runs that are left out gave out nothing.
show etinspect alloc testdata/allocation-events/run.etdp --skip_first 1 --format tsv
