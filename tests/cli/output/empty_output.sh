#!/bin/sh
# An empty --output is no way to say where to.
refused etinspect testdata/mlp/run.etdp --output ''
