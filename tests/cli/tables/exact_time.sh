#!/bin/sh
# The Inspector scales delegates' stamps before subtracting; --exact_time does not, and changes nothing else.
ids=testdata/delegate-ids
etinspect $ids/run.etdp $ids/record.etrecord --exact_time --format tsv | cut -f 3,4 | sed -n '4p;5p;9,11p'
etinspect $ids/run.etdp $ids/record.etrecord --exact-time --target_time_scale us --format tsv | cut -f 3,4 | sed -n '4p;5p'
etinspect testdata/mlp/run.etdp --exact_time | cmp - testdata/mlp/etdump-only.txt
