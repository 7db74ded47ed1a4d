#!/bin/sh
# The ETDump given as the ETRecord, and the reverse.
mlp=testdata/mlp
refused etinspect --etdump_path $mlp/record.etrecord
refused etinspect --etdump_path $mlp/record.etrecord --etrecord_path $mlp/run.etdp
refused etinspect --etdump_path $mlp/run.etdp --etrecord_path $mlp/run.etdp
