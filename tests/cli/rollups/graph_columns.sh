#!/bin/sh
# What Graphviz gets are nodes, not columns: hiding some changes nothing, selecting rows does.
graph() {
    etinspect graph --format dot testdata/small/run.etdp testdata/small/record.etrecord "$@"
}
graph >all.dot
graph --columns total >few.dot
cmp all.dot few.dot && echo the same
graph --sort node:desc --filter 'op != "(input)"'
