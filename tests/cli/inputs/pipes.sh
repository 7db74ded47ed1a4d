#!/bin/sh
# Named pipes and /dev/stdin cannot be mapped, but can be read.
mlp=testdata/mlp
mkfifo dump record
cat $mlp/run.etdp >dump &
cat $mlp/record.etrecord >record &
etinspect dump record | cmp - $mlp/table.txt
wait
cat $mlp/run.etdp | etinspect /dev/stdin | cmp - $mlp/etdump-only.txt
