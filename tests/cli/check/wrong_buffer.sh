#!/bin/sh
# A debug buffer that is too short for the tensors.
head -c 64 testdata/mlp/debug_buffer.bin >short.bin
refused etinspect check testdata/mlp/run.etdp --debug_buffer_path short.bin
refused etinspect testdata/mlp/run.etdp --debug_buffer_path short.bin
