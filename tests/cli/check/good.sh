#!/bin/sh
# Complete files that fit together.
mlp=testdata/mlp
show etinspect check $mlp/run.etdp $mlp/record.etrecord --debug_buffer_path $mlp/debug_buffer.bin
show etinspect check $mlp/run.etdp
show etinspect check $mlp/record.etrecord
show etinspect check testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord
