#!/bin/sh
# --option=value; the value may be empty, or contain another "=".
cd testdata/mlp || exit # read only there
etinspect --etdump_path=run.etdp --etrecord-path=record.etrecord --target_time_scale=us | cmp - table-us.txt
etinspect --etd=run.etdp --etr=record.etrecord --ta=us --format=table | cmp - table-us.txt
etinspect run.etdp record.etrecord --tsv_path= | cmp - table.txt
refused etinspect --etdump_path=a=b
refused etinspect run.etdp --delegate_time_scale=A=B
# A value with a space; a word with a space that matches no option is a file.
refused etinspect '--etdump_path=no such'
refused etinspect '--nosuch=a b'
refused etinspect --output '--tsv_path=a b'
