#!/bin/sh
# The one thing the Inspector's command line can do and etinspect cannot: refused by name, not as unknown.
refused etinspect --etdump_path testdata/mlp/run.etdp --compare_results
refused etinspect --compare-results --etdump_path nosuch --tsv_path never.tsv
test ! -e never.tsv
