# Allocators, and the bytes that each allocated in each run.
show etinspect alloc testdata/allocation-events/run.etdp --format tsv
show etinspect alloc testdata/mlp/run.etdp --format tsv
# Omitted runs allocated nothing.
show etinspect alloc testdata/allocation-events/run.etdp --skip_first 1 --format tsv
