#!/bin/sh
# An empty --tsv_path is ignored, as in the Inspector; so is an empty --csv_path.
mlp=testdata/mlp
etinspect $mlp/run.etdp $mlp/record.etrecord --tsv_path '' --csv-path= | cmp - $mlp/table.txt
ls -- *.tsv *.csv 2>/dev/null
true
