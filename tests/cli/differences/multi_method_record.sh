#!/bin/sh
# The Inspector cannot open a record of two methods; etinspect shows one of them and names it.
cat testdata/multi-method/error.txt
m=testdata/multi-method
show etinspect $m/run.etdp $m/record.etrecord --debug_buffer_path $m/debug_buffer.bin --output found.txt
cmp found.txt $m/table.txt
