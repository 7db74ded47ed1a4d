#!/bin/sh
# --output FILE instead of standard output; "-" is standard output.
mlp=testdata/mlp
etinspect $mlp/run.etdp $mlp/record.etrecord --output found.txt
cmp found.txt $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --output found.txt --format tsv
cmp found.txt $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --output - | cmp - $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --output found.txt --tsv_path - | cmp - $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --output /dev/null --csv_path /dev/null
mkfifo pipe
cat pipe >found.txt &
etinspect $mlp/run.etdp $mlp/record.etrecord --output pipe
wait
cmp found.txt $mlp/table.txt
test -p pipe
