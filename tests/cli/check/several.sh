#!/bin/sh
# Each dump is checked separately; the exit status is the worst of all.
mlp=testdata/mlp
show etinspect check $mlp/run.etdp $mlp/record.etrecord testdata/mlp-many-runs/run.etdp
head -c 3000 $mlp/run.etdp >cut.etdp
show etinspect check $mlp/run.etdp cut.etdp testdata/control-flow/run.etdp
