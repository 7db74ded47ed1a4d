#!/bin/sh
# The Inspector cannot open a record of two methods; etinspect finds the method of each EventBlock.
cat testdata/multi-method/error.txt
m=testdata/multi-method
show etinspect $m/run.etdp $m/record.etrecord --debug_buffer_path $m/debug_buffer.bin --format tsv --output found.tsv
cut -f 2,3,10 found.tsv
