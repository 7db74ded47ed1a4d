#!/bin/sh
# The ETRecord of 2023, which the Inspector rejects, can be read: it has a graph, but its maps are empty.
[ -e samples/upstream-2023.etrecord ] || { echo 'there are no upstream samples (../shared/data)'; exit 77; }
show etinspect samples/upstream-2023.etdp samples/upstream-2023.etrecord --output found.txt
cmp found.txt data/upstream-2023.txt
show etinspect check samples/upstream-2023.etrecord
