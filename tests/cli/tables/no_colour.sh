#!/bin/sh
# The bytes are the same wherever the output goes.
TERM=xterm-256color etinspect testdata/mlp/run.etdp | cmp - testdata/mlp/etdump-only.txt
NO_COLOR=1 etinspect testdata/mlp/run.etdp | cmp - testdata/mlp/etdump-only.txt
LC_ALL=C etinspect testdata/delegate-ids/run.etdp | cmp - testdata/delegate-ids/etdump-only.txt
