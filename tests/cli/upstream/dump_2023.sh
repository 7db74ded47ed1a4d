#!/bin/sh
# The ETDump published with executorch in 2023 prints exactly as the Inspector prints it (data/README.md).
[ -e samples/upstream-2023.etdp ] || { echo 'there are no upstream samples (../shared/data)'; exit 77; }
dump=samples/upstream-2023.etdp
etinspect --etdump_path $dump --tsv_path found.tsv | cmp - data/upstream-2023.txt
cmp found.tsv data/upstream-2023.tsv
etinspect $dump --source_time_scale us --target_time_scale s | cmp - data/upstream-2023-us-to-s.txt
etinspect check $dump
