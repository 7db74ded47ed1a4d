#!/bin/sh
# Files that cannot be read.
echo text >text
refused etinspect check text
refused etinspect check nosuch
refused etinspect check testdata/mlp
head -c 5000 testdata/mlp/record.etrecord >cut.etrecord
refused etinspect check --debug_buffer_path nosuch testdata/mlp/run.etdp
# The record of another program has no method of the one that ran.
show etinspect check testdata/small/run.etdp testdata/prefill-decode/record.etrecord testdata/small/model.pte
