#!/bin/sh
# A program (.pte, .bpte) may be given by mistake.
[ -e samples/upstream-add.pte ] || { echo 'there are no upstream samples (../shared/data)'; exit 77; }
for file in samples/*.pte samples/*.bpte; do
    refused etinspect "$file"
done
refused etinspect --etdump_path samples/upstream-add.pte
refused etinspect testdata/mlp/run.etdp --etrecord_path samples/upstream-add.pte
