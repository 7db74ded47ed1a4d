#!/bin/sh
# demo.sh ETINSPECT - the main job on real files: a table, a TSV, a look at what fits together, and a comparison.
set -eu
etinspect=$1

show() {
    echo
    echo "\$ etinspect $*"
    "$etinspect" "$@"
}

show testdata/mlp/run.etdp testdata/mlp/record.etrecord
show --format tsv --target_time_scale us testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord
show check testdata/mlp/run.etdp testdata/mlp/record.etrecord
show diff testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/record.etrecord
