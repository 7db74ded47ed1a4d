#!/bin/sh
# Totals of modules instead of events; all output options apply to them, but the files still get the events.
t=testdata/transformer
show etinspect $t/run.etdp $t/record.etrecord --module L__self__ --module attention --module '' --module nowhere
show etinspect $t/run.etdp $t/record.etrecord --module L__self__ --target_time_scale us --format tsv
show etinspect $t/run.etdp $t/record.etrecord --module L__self__ --no_include_units --format csv --output found.csv
cat found.csv
etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --module L__self__ --tsv_path found.tsv >/dev/null
cmp found.tsv testdata/mlp/table.tsv
show etinspect $t/run.etdp --module L__self__
