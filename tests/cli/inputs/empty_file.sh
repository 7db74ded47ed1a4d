#!/bin/sh
# A runtime without an event tracer leaves an empty file behind.
: >empty.etdp
refused etinspect empty.etdp
refused etinspect --etdump_path empty.etdp
refused etinspect testdata/mlp/run.etdp --etrecord_path empty.etdp
refused etinspect /dev/null
