#!/bin/sh
# A directory in which no file can be made, not even by root.
exec 2>&1
etinspect testdata/mlp/run.etdp --output /proc/found.txt
echo "exit $?"
etinspect testdata/mlp/run.etdp --output /proc/self/found.txt
echo "exit $?"
