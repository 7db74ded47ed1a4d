#!/bin/sh
# Files of unknown formats.
echo 'Hello, world' >text
printf 'ED00' >short
printf '\004\0\0\0ED01\0\0\0\0' >other_version
for file in text short other_version testdata/mlp/debug_buffer.bin testdata/README.md; do
    refused etinspect $file
done
refused etinspect --etdump_path text
refused etinspect testdata/mlp/run.etdp --etrecord_path text
refused etinspect --tsv_path never.tsv text testdata/mlp/run.etdp
test ! -e never.tsv
