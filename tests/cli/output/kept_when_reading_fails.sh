#!/bin/sh
# An output is not changed if the input is invalid.
mkdir place
echo old >place/found.txt
refused etinspect nosuch --output place/found.txt --tsv_path place/new.tsv
refused etinspect testdata/README.md --tsv_path place/found.txt --output place/new.txt
refused etinspect testdata/mlp/run.etdp --source_time_scale cycles --output place/found.txt
cat place/found.txt
ls -A place
