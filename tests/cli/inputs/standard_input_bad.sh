#!/bin/sh
# Empty standard input, closed standard input, and input of an unknown format.
refused etinspect - </dev/null
refused etinspect - <&-
echo hello | refused etinspect -
head -c 3000 testdata/mlp/run.etdp | refused etinspect --etdump_path -
