#!/bin/sh
# A missing file, named in each possible way.
mlp=testdata/mlp
refused etinspect nosuch
refused etinspect --etdump_path nosuch.etdp
refused etinspect $mlp/run.etdp --etrecord_path nosuch/record
refused etinspect $mlp/run.etdp --debug_buffer_path nosuch
refused etinspect $mlp/run.etdp nosuch --tsv_path never.tsv
refused etinspect check nosuch
refused etinspect --group op summary $mlp/run.etdp
echo >check
refused etinspect --group op check
ln -s nowhere dangling
refused etinspect dangling
test ! -e never.tsv
