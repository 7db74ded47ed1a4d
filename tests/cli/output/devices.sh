#!/bin/sh
# /dev/stdout and /dev/stderr can be written, whatever they are.
mlp=testdata/mlp
etinspect $mlp/run.etdp $mlp/record.etrecord --output /dev/stdout | cmp - $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --output /dev/stderr 2>&1 >/dev/null | cmp - $mlp/table.txt
echo before >found.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --output /dev/stdout >>found.txt
{ echo before; cat $mlp/table.txt; } | cmp - found.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path /dev/stdout >found.txt
cat $mlp/table.txt $mlp/table.tsv | cmp - found.txt
