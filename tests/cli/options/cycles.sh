#!/bin/sh
# Cycles have no length: both scales are cycles, or neither is. The Inspector rejects this, too.
refused etinspect --source_time_scale cycles testdata/mlp/run.etdp
refused etinspect --target_time_scale cycles testdata/mlp/run.etdp
refused etinspect --source_time_scale cycles --target_time_scale ns --tsv_path never.tsv testdata/mlp/run.etdp
test ! -e never.tsv
