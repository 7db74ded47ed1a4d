#!/bin/sh
# --tsv_path writes a file and prints the table as well; it replaces an existing file.
mlp=testdata/mlp
echo old >found.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path found.tsv | cmp - $mlp/table.txt
cmp found.tsv $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv-path "$PWD/found too.tsv" --format csv >found.csv
cmp 'found too.tsv' $mlp/table.tsv
# No table is lost to a file of another format, or the reverse.
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path a.tsv --csv_path a.csv --output a.txt
cmp a.txt $mlp/table.txt
cmp a.tsv $mlp/table.tsv
cmp a.csv found.csv
# The file has the events, whatever is selected from the groups or modules that are printed, or appended to a database.
etinspect $mlp/run.etdp $mlp/record.etrecord --group op --columns op --sort calls --top 1 --tsv_path grouped.tsv >printed
cmp grouped.tsv $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --module norm --columns module --tsv_path modules.tsv >printed
cmp modules.tsv $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --format sqlite --output a.db --append --tsv_path appended.tsv
cmp appended.tsv $mlp/table.tsv
# Columns are listed once, and nothing else is done.
etinspect $mlp/run.etdp --list_columns --tsv_path listed.tsv | grep -c '^event_name '
[ ! -e listed.tsv ]
