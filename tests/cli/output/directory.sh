#!/bin/sh
# A directory in place of the file.
mlp=testdata/mlp
mkdir there
refused etinspect $mlp/run.etdp --output there
refused etinspect $mlp/run.etdp --output there/
refused etinspect $mlp/run.etdp --output new/
refused etinspect $mlp/run.etdp --output /dev/null --tsv_path there
ls -A there
