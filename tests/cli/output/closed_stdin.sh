#!/bin/sh
# Without standard input its descriptor is not an input, and no file gets that descriptor.
mlp=testdata/mlp
exec 2>&1
etinspect - <&-
echo "exit $?"
etinspect $mlp/run.etdp - <&-
echo "exit $?"
etinspect $mlp/run.etdp $mlp/record.etrecord --output found.txt --tsv_path found.tsv <&-
echo "exit $?"
cmp found.txt $mlp/table.txt
cmp found.tsv $mlp/table.tsv
