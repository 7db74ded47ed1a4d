#!/bin/sh
# Complete files that fit together.
mlp=testdata/mlp
show etinspect check $mlp/run.etdp $mlp/record.etrecord --debug_buffer_path $mlp/debug_buffer.bin
show etinspect check $mlp/run.etdp
show etinspect check $mlp/record.etrecord
show etinspect check testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord

# The export leaves out what is in branches and loops, which is not a fault.
show etinspect check testdata/control-flow/run.etdp testdata/control-flow/record.etrecord testdata/control-flow/model.pte
