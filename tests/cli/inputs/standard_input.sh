#!/bin/sh
# "-" is standard input: a pipe or a file, for the dump, the record or the debug buffer.
mlp=testdata/mlp
etinspect - <$mlp/run.etdp | cmp - $mlp/etdump-only.txt
cat $mlp/run.etdp | etinspect - | cmp - $mlp/etdump-only.txt
cat $mlp/run.etdp | etinspect --etdump_path - --etrecord_path $mlp/record.etrecord | cmp - $mlp/table.txt
cat $mlp/record.etrecord | etinspect $mlp/run.etdp - | cmp - $mlp/table.txt
cat $mlp/record.etrecord | etinspect $mlp/run.etdp --etrecord_path - | cmp - $mlp/table.txt
cat $mlp/record.etrecord | etinspect - $mlp/run.etdp | cmp - $mlp/table.txt
cat $mlp/debug_buffer.bin | etinspect $mlp/run.etdp $mlp/record.etrecord --debug_buffer_path - | cmp - $mlp/table.txt
cat $mlp/run.etdp | etinspect check -
