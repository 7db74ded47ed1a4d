#!/bin/sh
# Help goes to stdout whatever else was asked for, as long as the arguments are right.
etinspect --help
etinspect --help >expected
etinspect -h | cmp - expected
etinspect nosuch --tsv_path never.tsv --help | cmp - expected
etinspect --source_time_scale cycles --help | cmp - expected
refused etinspect --help --foo
