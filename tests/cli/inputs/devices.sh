#!/bin/sh
# Empty devices, as each kind of input.
mlp=testdata/mlp
refused etinspect - </dev/null
refused etinspect $mlp/run.etdp --etrecord_path /dev/null
refused etinspect check /dev/null
refused etinspect $mlp/run.etdp --debug_buffer_path /dev/null
