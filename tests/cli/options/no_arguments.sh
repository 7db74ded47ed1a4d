#!/bin/sh
# No input, or a record without a dump.
refused etinspect --target_time_scale us
refused etinspect --etrecord_path testdata/mlp/record.etrecord
refused etinspect testdata/mlp/record.etrecord
refused etinspect check
refused etinspect check --debug_buffer_path testdata/mlp/debug_buffer.bin
