# Allocators, and what each gave out in each run.
show etinspect alloc testdata/allocation-events/run.etdp --format tsv
show etinspect alloc testdata/mlp/run.etdp --format tsv
