#!/bin/sh
# --tsv_path writes a file and prints the table as well; it replaces what was there.
mlp=testdata/mlp
echo old >found.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path found.tsv | cmp - $mlp/table.txt
cmp found.tsv $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv-path "$PWD/found too.tsv" --format csv >found.csv
cmp 'found too.tsv' $mlp/table.tsv
# No table is lost for a file of another format, nor the other way round.
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path a.tsv --csv_path a.csv --output a.txt
cmp a.txt $mlp/table.txt
cmp a.tsv $mlp/table.tsv
cmp a.csv found.csv
