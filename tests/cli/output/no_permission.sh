#!/bin/sh
# A directory or a file without permission to write. The existing content is kept.
[ "$(id -u)" != 0 ] || { echo 'root may write everywhere'; exit 77; }
mkdir closed
echo old >closed/old.txt
echo old >old.txt
chmod 0555 closed
chmod 0444 old.txt
refused etinspect testdata/mlp/run.etdp --output closed/new.txt
refused etinspect testdata/mlp/run.etdp --output closed/old.txt
refused etinspect testdata/mlp/run.etdp --output old.txt
cat closed/old.txt old.txt
