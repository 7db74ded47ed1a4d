#!/bin/sh
# Nothing, no standard input at all, and what is neither format.
refused etinspect - </dev/null
refused etinspect - <&-
echo hello | refused etinspect -
head -c 3000 testdata/mlp/run.etdp | refused etinspect --etdump_path -
