#!/bin/sh
# An empty --output names no file.
refused etinspect testdata/mlp/run.etdp --output ''
