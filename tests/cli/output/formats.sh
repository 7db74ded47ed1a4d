#!/bin/sh
# The three formats; a file's name does not affect its format.
mlp=testdata/mlp
etinspect $mlp/run.etdp $mlp/record.etrecord --format table | cmp - $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --format tsv | cmp - $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --format csv >found.csv
etinspect $mlp/run.etdp $mlp/record.etrecord --csv_path found.tsv >/dev/null
cmp found.csv found.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path found.tsv.gz >/dev/null
cmp found.tsv.gz $mlp/table.tsv
head -n 3 found.csv | cut -d , -f 1-3,9- | cat -A | cut -c 1-100
# Lines of ASCII in place of the Inspector's.
etinspect $mlp/run.etdp --ascii --columns event_name,p50 --top 2
etinspect $mlp/run.etdp --ascii | LC_ALL=C grep -c '[^ -~]'
