#!/bin/sh
# A record of several methods: the requested one for all blocks, by default the one that each block ran.
m=testdata/multi-method
show etinspect $m/run.etdp $m/record.etrecord --output asked.txt --method forward
# The Inspector cannot open this record; a record with forward alone gives the same result.
cmp asked.txt $m/table.txt
show etinspect $m/run.etdp $m/record.etrecord --output encode.tsv --method encode --format tsv
cut -f 2,3,10 encode.tsv
show etinspect $m/run.etdp $m/record.etrecord --output found.tsv --format tsv
cut -f 2,3,10 found.tsv
# Methods with the same instructions: the method is unknown, so one is shown, with a warning.
p=testdata/prefill-decode
show etinspect $p/run.etdp $p/record.etrecord --output found.tsv --format tsv
etinspect $p/run.etdp $p/record.etrecord --output asked.tsv --method decode --format tsv
cmp found.tsv asked.tsv
show etinspect $p/run.etdp $p/record.etrecord $p/model.pte --output found.tsv --format tsv
refused etinspect $m/run.etdp $m/record.etrecord --method decode
refused etinspect check $m/record.etrecord --method decode
# A single method needs no name.
show etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --method forward --output found.txt
cmp found.txt testdata/mlp/table.txt
