#!/bin/sh
# Paths that cannot be opened, even by root: below a file, a directory, a path that is too long.
mlp=testdata/mlp
refused etinspect $mlp/run.etdp/run.etdp
refused etinspect --etdump_path $mlp
refused etinspect $mlp/run.etdp --etrecord_path .
refused etinspect $mlp/run.etdp --debug_buffer_path $mlp/run.etdp/
long=$(printf '%0300d' 0)
refused etinspect "$long"
