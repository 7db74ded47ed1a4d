#!/bin/sh
# Graphviz gets nodes, not columns: hiding columns is rejected, selecting rows is not.
graph() {
    etinspect graph --format dot testdata/small/run.etdp testdata/small/record.etrecord "$@"
}
refused etinspect graph --format dot --columns total testdata/small/run.etdp
graph --sort node:desc --filter 'op != "(input)"'
