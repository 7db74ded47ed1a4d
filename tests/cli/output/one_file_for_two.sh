#!/bin/sh
# If two outputs shared one file, only the last would remain.
mlp=testdata/mlp
echo old >old
ln -s old link
refused etinspect $mlp/run.etdp --output old --tsv_path link
refused etinspect $mlp/run.etdp --tsv_path old --csv_path ./old
refused etinspect $mlp/run.etdp --output new --csv_path new
refused etinspect $mlp/run.etdp --output new --csv_path ./new
ln -s new dangling
mkdir directory
refused etinspect $mlp/run.etdp --output dangling --csv_path directory/../new
rm -r dangling directory
cat old
ls -I samples # not available everywhere
# A device that is not replaced may receive any number of outputs.
etinspect $mlp/run.etdp --tsv_path - >found.txt
cat $mlp/etdump-only.txt $mlp/etdump-only.tsv | cmp - found.txt
etinspect $mlp/run.etdp --output /dev/null --tsv_path /dev/stdout --csv_path /dev/stdout >found.txt
etinspect $mlp/run.etdp --output found.csv --format csv
cat $mlp/etdump-only.tsv found.csv | cmp - found.txt
