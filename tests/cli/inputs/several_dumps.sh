#!/bin/sh
# Several ETDumps are like one file with all their runs: the same file twice doubles the samples.
mlp=testdata/mlp
samples() {
    etinspect "$@" --format tsv | awk -F '\t' 'NR > 1 { print $2, $3, split($13, starts, ",") }'
}
samples $mlp/run.etdp
echo
samples $mlp/run.etdp --etdump_path $mlp/run.etdp $mlp/record.etrecord $mlp/run.etdp
echo
# Other events form other blocks, after those of the first dump.
samples testdata/allocation-events/run.etdp testdata/xnnpack-conv/run.etdp
# The same values twice have the same extremes.
etinspect $mlp/run.etdp $mlp/run.etdp --format tsv | cut -f 8-9 >twice
cut -f 8-9 $mlp/etdump-only.tsv | cmp - twice
