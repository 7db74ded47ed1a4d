#!/bin/sh
# A profile cannot be restored from its table: an output that would replace an input is rejected, under any name.
mlp=testdata/mlp
exec 2>&1
cp $mlp/run.etdp run.etdp
cp $mlp/record.etrecord record.etrecord
ln -s run.etdp link
refused etinspect run.etdp --output run.etdp
refused etinspect run.etdp --output ./link --format csv
refused etinspect run.etdp record.etrecord --tsv_path record.etrecord
refused etinspect --etdump_path run.etdp --etrecord_path record.etrecord --csv_path record.etrecord
cp testdata/mlp/debug_buffer.bin .
refused etinspect run.etdp --debug_buffer_path debug_buffer.bin --output new.txt --csv_path debug_buffer.bin
refused etinspect - --output run.etdp <./link
etinspect run.etdp >>./link
echo "exit $?"
cmp run.etdp $mlp/run.etdp
cmp record.etrecord $mlp/record.etrecord
ls -I samples # not available everywhere
# Not a regular file: a terminal or a device may be both.
etinspect - --output /dev/null </dev/null
echo "exit $?"
