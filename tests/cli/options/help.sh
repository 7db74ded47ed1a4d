#!/bin/sh
# As in argparse, help goes to stdout whatever else was requested: before unknown options, after wrong values.
etinspect --help
etinspect --help >expected
etinspect -h | cmp - expected
etinspect --help all >described
etinspect nosuch --tsv_path never.tsv --help | cmp - expected
etinspect --source_time_scale cycles --help | cmp - expected
etinspect --help --foo | cmp - expected
etinspect --foo --help | cmp - expected
etinspect --foo --help all | cmp - described
cat described
refused etinspect --source_time_scale xx --help
