#!/bin/sh
# When its reader closes, the program ends without a message; when the signal is ignored, the write fails like any other.
mlp=testdata/mlp
t=testdata/transformer/run.etdp
set -- $t $t $t $t $t $t $t $t $t $t $t $t
etinspect "$@" --format tsv | head -c 10
echo
{ sleep 0.3; etinspect $mlp/run.etdp; echo "exit $?" >status; } | true
cat status
{ sleep 0.3; etinspect --help; echo "exit $?" >status; } | true
cat status
( trap '' PIPE; { sleep 0.3; etinspect $mlp/run.etdp; echo "exit $?" >status; } | true ) 2>&1
cat status
