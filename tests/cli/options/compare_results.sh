#!/bin/sh
# Prints the differences between outputs and the record's reference outputs after the Inspector's table, in its words.
bundled=testdata/bundled-inputs
dump=$bundled/run.etdp
record=$bundled/record.etrecord
etinspect $dump $record --debug_buffer_path $bundled/debug_buffer.bin --compare_results >found.txt
head -c "$(wc -c <$bundled/table.txt)" found.txt | cmp - $bundled/table.txt
tail -c "+$(($(wc -c <$bundled/table.txt) + 1))" found.txt
# The table may go elsewhere, in any format.
etinspect $dump $record --debug_buffer_path $bundled/debug_buffer.bin --compare_results --output out.json | head -n 3
test -s out.json
etinspect $dump $record --debug_buffer_path $bundled/debug_buffer.bin --compare_results --group op | tail -n 3
# Without anything to compare, nothing is printed.
refused etinspect $dump $record --compare_results
refused etinspect $dump --debug_buffer_path $bundled/debug_buffer.bin --compare_results
refused etinspect $dump $record --debug_buffer_path $bundled/debug_buffer.bin --compare_results --format csv
refused etinspect $dump $record --debug_buffer_path $bundled/debug_buffer.bin --compare_results --no_debug_data
mlp=testdata/mlp
refused etinspect $mlp/run.etdp $mlp/record.etrecord --debug_buffer_path $mlp/debug_buffer.bin --compare_results
refused etinspect --compare-results --etdump_path nosuch --tsv_path never.tsv
test ! -e never.tsv
