#!/bin/sh
# The Inspector gives up on allocation events; etinspect passes over them, and check counts them.
cat testdata/allocation-events/error.txt
show etinspect testdata/allocation-events/run.etdp --format tsv
show etinspect check testdata/allocation-events/run.etdp
