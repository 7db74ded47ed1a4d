#!/bin/sh
# When its reader closes, the program ends without a message; when the signal is ignored, the write fails like any other.
mlp=testdata/mlp
t=testdata/transformer/run.etdp
set -- $t $t $t $t $t $t $t $t $t $t $t $t
etinspect "$@" --format tsv | head -c 10
echo
# unread COMMAND...: runs it once its reader has closed.
unread() {
    rm -f closed
    { until [ -e closed ]; do sleep 0.01; done; "$@"; echo "exit $?" >status; } | { exec <&-; : >closed; }
    cat status
}
unread etinspect $mlp/run.etdp
unread etinspect --help
( trap '' PIPE; unread etinspect $mlp/run.etdp ) 2>&1
