#!/bin/sh
# include_units in both forms and spellings; the metadata column.
cd testdata/xnnpack-conv || exit
all='run.etdp record.etrecord --debug_buffer_path debug_buffer.bin'
# shellcheck disable=SC2086
{
    etinspect $all --include_units | cmp - table.txt
    etinspect $all --include-units --include-delegate-debug-data | cmp - table-delegate-data.txt
    etinspect $all --no_include_units --include_delegate_debug_data | cmp - table-delegate-data-no-units.txt
    etinspect $all --no-include-units --include-delegate-debug-data --format tsv | cmp - table-delegate-data-no-units.tsv
}
