#!/bin/sh
# Standard input cannot be read twice.
refused etinspect - - <testdata/mlp/run.etdp
refused etinspect - --etdump_path - <testdata/mlp/run.etdp
refused etinspect --etrecord_path - --etdump_path=- <testdata/mlp/run.etdp
refused etinspect - --debug_buffer_path - <testdata/mlp/run.etdp
refused etinspect check - - <testdata/mlp/run.etdp
