#!/bin/sh
# The dump itself may be the target: it is read to the end first.
mlp=testdata/mlp
cp $mlp/run.etdp file
etinspect file --output file
cmp file $mlp/etdump-only.txt
