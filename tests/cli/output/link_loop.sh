#!/bin/sh
# Links that point to each other, and a chain of as many links as the system follows.
mlp=testdata/mlp
ln -s there here
ln -s here there
ln -s self self
refused etinspect $mlp/run.etdp --output here
refused etinspect $mlp/run.etdp --tsv_path /dev/null --csv_path self --output /dev/null
mkdir place
ln -s found.txt place/1
for i in $(seq 2 41); do ln -s $((i - 1)) "place/$i"; done
etinspect $mlp/run.etdp --output place/40
cmp place/found.txt $mlp/etdump-only.txt
rm place/found.txt
refused etinspect $mlp/run.etdp --output place/41
find place -type f
