#!/bin/sh
# Every flag of the Inspector, in its own spelling and with hyphens, gives the Inspector's bytes.
mlp=testdata/mlp
etinspect --etdump_path $mlp/run.etdp --etrecord_path $mlp/record.etrecord --debug_buffer_path $mlp/debug_buffer.bin \
    --tsv_path found.tsv | cmp - $mlp/table.txt
cmp found.tsv $mlp/table.tsv
etinspect --etdump-path $mlp/run.etdp --etrecord-path $mlp/record.etrecord --debug-buffer-path $mlp/debug_buffer.bin \
    --tsv-path found-too.tsv | cmp - $mlp/table.txt
cmp found-too.tsv $mlp/table.tsv
etinspect --etdump-path $mlp/run.etdp --etrecord_path $mlp/record.etrecord --debug-buffer_path $mlp/debug_buffer.bin |
    cmp - $mlp/table.txt
for scale in 'source_time_scale s --target_time_scale' 'source-time-scale s --target-time-scale' \
    'source_time-scale s --target-time_scale'; do
    # shellcheck disable=SC2086 # two options
    etinspect $mlp/run.etdp $mlp/record.etrecord --$scale ns | cmp - $mlp/table-s-to-ns.txt
done
