#!/bin/sh
# A second ETRecord is an error, in whatever way it is given.
mlp=testdata/mlp
refused etinspect $mlp/run.etdp $mlp/record.etrecord $mlp/record.etrecord
refused etinspect $mlp/run.etdp --etrecord_path $mlp/record.etrecord testdata/delegate-ids/record.etrecord
show etinspect check $mlp/record.etrecord testdata/delegate-ids/record.etrecord
