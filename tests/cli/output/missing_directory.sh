#!/bin/sh
# A missing directory. The table comes before --tsv_path, as in the Inspector, and is printed nevertheless.
mlp=testdata/mlp
refused etinspect $mlp/run.etdp --output nodir/found.txt
refused etinspect $mlp/run.etdp --output $mlp/run.etdp/found.txt
etinspect $mlp/run.etdp --tsv_path nodir/found.tsv >found.txt
echo "exit $?"
cmp found.txt $mlp/etdump-only.txt
etinspect $mlp/run.etdp --csv_path nodir/found.csv --format tsv >found.tsv
echo "exit $?"
cmp found.tsv $mlp/etdump-only.tsv
test ! -e nodir
