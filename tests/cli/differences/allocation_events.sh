#!/bin/sh
# The Inspector fails on allocation events; etinspect skips them, and check counts them.
cat testdata/allocation-events/error.txt
show etinspect testdata/allocation-events/run.etdp --format tsv
show etinspect check testdata/allocation-events/run.etdp
