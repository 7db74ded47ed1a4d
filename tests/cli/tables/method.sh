#!/bin/sh
# A record of several methods: the requested one, by default forward, with a warning that there are others.
m=testdata/multi-method
show etinspect $m/run.etdp $m/record.etrecord --output forward.txt
show etinspect $m/run.etdp $m/record.etrecord --output asked.txt --method forward
cmp forward.txt asked.txt
# The Inspector cannot open this record; a record with forward alone gives the same result.
cmp forward.txt $m/table.txt
show etinspect $m/run.etdp $m/record.etrecord --output encode.tsv --method encode --format tsv
cut -f 2,3,10 encode.tsv
refused etinspect $m/run.etdp $m/record.etrecord --method decode
refused etinspect check $m/record.etrecord --method decode
# A single method needs no name.
show etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --method forward --output found.txt
cmp found.txt testdata/mlp/table.txt
