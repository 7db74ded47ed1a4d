#!/bin/sh
# For a truncated dump the message says so, wherever it was cut; nothing of it is printed.
size=$(wc -c <testdata/mlp/run.etdp)
for length in 11 12 13 100 2000 20000 $((size - 1)); do
    head -c $length testdata/mlp/run.etdp >cut.etdp
    refused etinspect cut.etdp
done
refused etinspect --tsv_path never.tsv cut.etdp
test ! -e never.tsv
