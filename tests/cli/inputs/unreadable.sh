#!/bin/sh
# Paths that lead nowhere, for root as well: below a file, to a directory, too long.
mlp=testdata/mlp
refused etinspect $mlp/run.etdp/run.etdp
refused etinspect --etdump_path $mlp
refused etinspect $mlp/run.etdp --etrecord_path .
refused etinspect $mlp/run.etdp --debug_buffer_path $mlp/run.etdp/
long=$(printf '%0300d' 0)
refused etinspect "$long"
