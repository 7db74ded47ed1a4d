#!/bin/sh
# A file without permission to read it.
[ "$(id -u)" != 0 ] || { echo 'root may read everything'; exit 77; }
cp testdata/mlp/run.etdp run.etdp
chmod 0 run.etdp
refused etinspect run.etdp
