#!/bin/sh
# For a mistyped option or command the message suggests the nearest name, if one is near.
refused etinspect --formt csv testdata/mlp/run.etdp
refused etinspect summary --split-variant=x --spilt_variants testdata/mlp/run.etdp
refused etinspect tree --spilt_variants testdata/mlp/run.etdp
refused etinspect diff --aloow-unlike testdata/mlp/run.etdp testdata/mlp/run.etdp
refused etinspect --zzzzzz testdata/mlp/run.etdp
refused etinspect sumary testdata/mlp/run.etdp
refused etinspect help dif
refused etinspect help zzzzzz
