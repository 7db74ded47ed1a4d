#!/bin/sh
# After "--" every argument is a file.
cp testdata/mlp/run.etdp ./--help
cp testdata/mlp/run.etdp check
etinspect -- --help | cmp - testdata/mlp/etdump-only.txt
etinspect -- check | cmp - testdata/mlp/etdump-only.txt
etinspect ./check | cmp - testdata/mlp/etdump-only.txt
etinspect --format tsv -- --help | cmp - testdata/mlp/etdump-only.tsv
refused etinspect -- --version
# As in argparse, negative numbers and words with a space are not options.
show etinspect --etdump_path -1
show etinspect --etdump_path '-x y'
