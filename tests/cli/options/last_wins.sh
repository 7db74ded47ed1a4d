#!/bin/sh
# As in argparse, the last of repeated options counts; only options that may be repeated accumulate.
mlp=testdata/mlp
etinspect --etdump_path nosuch --etdump_path $mlp/run.etdp --etrecord_path nosuch --etrecord_path $mlp/record.etrecord \
    --debug_buffer_path nosuch --debug_buffer_path $mlp/debug_buffer.bin \
    --target_time_scale s --target_time_scale us | cmp - $mlp/table-us.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --format csv --format tsv | cmp - $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --no_include_units --include_units | cmp - $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --include_units --no_include_units | cmp - $mlp/table-no-units.txt
etinspect $mlp/run.etdp --tsv_path first.tsv --tsv_path second.tsv --output nodir/a --output second.txt
ls -- *.t*
