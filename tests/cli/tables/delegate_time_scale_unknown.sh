#!/bin/sh
# Without the record no backend is known, so only the scale for all delegates works.
ids=testdata/delegate-ids
etinspect $ids/run.etdp --delegate_time_scale us --format tsv | cut -f 3,4 | sed -n '4p'
etinspect $ids/run.etdp --delegate_time_scale IntIdBackend=us | cmp - $ids/etdump-only.txt
etinspect $ids/run.etdp $ids/record.etrecord --delegate_time_scale 'No Such=ns' | cmp - $ids/table.txt
