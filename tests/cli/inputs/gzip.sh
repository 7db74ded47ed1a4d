#!/bin/sh
# Compressed inputs are decompressed, whatever their names.
mlp=testdata/mlp
for file in run.etdp record.etrecord debug_buffer.bin; do
    gzip -c $mlp/$file >$file
done
etinspect run.etdp record.etrecord | cmp - $mlp/table.txt
etinspect --etdump_path run.etdp --debug_buffer_path debug_buffer.bin | cmp - $mlp/etdump-only.txt
etinspect - <run.etdp | cmp - $mlp/etdump-only.txt
head -c 500 run.etdp >cut.gz
refused etinspect cut.gz
gzip -c /dev/null >empty.gz
refused etinspect empty.gz
{ printf '\020\0\0\0\014\0\0\0ED00' && head -c 10000000 /dev/zero; } | gzip >bomb.gz
refused etinspect bomb.gz
head -c 10000000 /dev/zero | gzip >bomb.gz
refused etinspect bomb.gz
