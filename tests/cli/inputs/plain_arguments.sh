#!/bin/sh
# Files are recognized by their content: in any order, with any name, between options.
mlp=testdata/mlp
cp $mlp/run.etdp dump.zip
cp $mlp/record.etrecord record.etdp
etinspect $mlp/run.etdp $mlp/record.etrecord | cmp - $mlp/table.txt
etinspect $mlp/record.etrecord $mlp/run.etdp | cmp - $mlp/table.txt
etinspect record.etdp dump.zip | cmp - $mlp/table.txt
etinspect record.etdp --target_time_scale us dump.zip --format table | cmp - $mlp/table-us.txt
etinspect --etdump_path dump.zip record.etdp | cmp - $mlp/table.txt
etinspect --etrecord_path record.etdp dump.zip | cmp - $mlp/table.txt
etinspect dump.zip | cmp - $mlp/etdump-only.txt
