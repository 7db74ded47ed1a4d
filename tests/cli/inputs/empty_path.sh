#!/bin/sh
# An empty path is a missing file, as in the Inspector; an empty --tsv_path is ignored.
mlp=testdata/mlp
refused etinspect ''
refused etinspect --etdump_path ''
refused etinspect $mlp/run.etdp --etrecord_path ''
refused etinspect $mlp/run.etdp --debug_buffer_path=
