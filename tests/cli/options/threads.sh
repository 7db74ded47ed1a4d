#!/bin/sh
# --threads has no visible effect. (Small files are read by one thread anyway; bench/ compares large ones.)
mlp=testdata/mlp
for n in 1 2 64; do
    etinspect --threads $n $mlp/run.etdp $mlp/record.etrecord | cmp - $mlp/table.txt
done
for n in 0 65 -1 two '' 1x 99999999999999999999; do
    refused etinspect --threads=$n $mlp/run.etdp
done
