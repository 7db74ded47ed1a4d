#!/bin/sh
# --option=value; the value may be empty, or hold another "=".
cd testdata/mlp || exit # only read there
etinspect --etdump_path=run.etdp --etrecord-path=record.etrecord --target_time_scale=us | cmp - table-us.txt
etinspect --etd=run.etdp --etr=record.etrecord --ta=us --format=table | cmp - table-us.txt
etinspect run.etdp record.etrecord --tsv_path= | cmp - table.txt
refused etinspect --etdump_path=a=b
refused etinspect run.etdp --delegate_time_scale=A=B
