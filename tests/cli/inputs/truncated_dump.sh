#!/bin/sh
# A dump that was cut short says so wherever it was cut; nothing is printed of it.
size=$(wc -c <testdata/mlp/run.etdp)
for length in 11 12 13 100 2000 20000 $((size - 1)); do
    head -c $length testdata/mlp/run.etdp >cut.etdp
    refused etinspect cut.etdp
done
refused etinspect --tsv_path never.tsv cut.etdp
test ! -e never.tsv
