#!/bin/sh
# Options that take no value.
for flag in include_units no_include_units include_delegate_debug_data exact_time compare_results help version; do
    refused etinspect --$flag=1 testdata/mlp/run.etdp
done
refused etinspect --no-inc= testdata/mlp/run.etdp
