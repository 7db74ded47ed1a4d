#!/bin/sh
# A value that is not among the choices: the message lists all choices.
for scale in xx '' NS ms,s 'ns '; do
    refused etinspect --source_time_scale "$scale" testdata/mlp/run.etdp
done
refused etinspect --target_time_scale minutes testdata/mlp/run.etdp
refused etinspect --target-time-scale=min testdata/mlp/run.etdp
refused etinspect --format xml testdata/mlp/run.etdp
refused etinspect --format '' testdata/mlp/run.etdp
refused etinspect --delegate_metadata base64 testdata/mlp/run.etdp
for scale in '' xx QnnBackend= =cycles QnnBackend=xx QnnBackend; do
    refused etinspect --delegate_time_scale "$scale" testdata/mlp/run.etdp
done
