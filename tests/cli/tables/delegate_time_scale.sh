#!/bin/sh
# Delegates may count in their own unit: all delegates, or those of one backend.
x=testdata/xnnpack-conv
columns() {
    echo "# $*"
    etinspect $x/run.etdp $x/record.etrecord --format tsv "$@" | cut -f 3,4 | sed -n '1p;5p;8p'
}
columns
columns --delegate_time_scale us
columns --delegate-time-scale XnnpackBackend=us
columns --delegate_time_scale cycles
columns --delegate_time_scale s --delegate_time_scale XnnpackBackend=us --target_time_scale us
columns --delegate_time_scale XnnpackBackend=us --delegate_time_scale s --target_time_scale us
# The unit of another backend changes nothing; of two for the same backend the last counts.
columns --delegate_time_scale QnnBackend=cycles
columns --delegate_time_scale XnnpackBackend=s --delegate_time_scale XnnpackBackend=us
columns --delegate_time_scale s --delegate_time_scale us
