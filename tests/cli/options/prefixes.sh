#!/bin/sh
# Options that only etinspect has can be shortened to unique prefixes too; an ambiguous prefix is rejected.
mlp=testdata/mlp
etinspect $mlp/run.etdp $mlp/record.etrecord --no_i | cmp - $mlp/table-no-units.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --fo tsv | cmp - $mlp/table.tsv
etinspect $mlp/run.etdp $mlp/record.etrecord --ou found.txt && cmp found.txt $mlp/table.txt
etinspect $mlp/run.etdp $mlp/record.etrecord --csv_p found.csv >/dev/null && head -c 24 found.csv && echo
etinspect --v
for ambiguous in --e --et --t --i --include --m --delegate= --=3; do
    refused etinspect $ambiguous $mlp/run.etdp
done
