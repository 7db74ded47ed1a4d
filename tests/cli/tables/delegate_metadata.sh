#!/bin/sh
# Each form; every form adds the column, whose name and bytes are the Inspector's by default.
ids=testdata/delegate-ids
etinspect $ids/run.etdp $ids/record.etrecord --delegate_metadata bytes | cmp - $ids/table-delegate-data.txt
# A run with 3 samples shows all cases: text, bytes, JSON, nothing.
make-etdump dump.etdp <<'END'
{run_data: [
    {name: "Execute", events: [
        {profile_event: {delegate_debug_id_int: 1, delegate_debug_metadata: [103, 114, 195, 188, 195, 159, 39], end_time: 5}},
        {profile_event: {delegate_debug_id_int: 2, delegate_debug_metadata: [0, 10, 255], end_time: 5}},
        {profile_event: {delegate_debug_id_int: 3, delegate_debug_metadata: [123, 34, 110, 34, 58, 49, 125], end_time: 5}},
        {profile_event: {delegate_debug_id_int: 4, end_time: 5}},
        {profile_event: {name: "plain", delegate_debug_metadata: [255], end_time: 5}}]},
    {name: "Execute", events: [
        {profile_event: {delegate_debug_id_int: 1, end_time: 5}},
        {profile_event: {delegate_debug_id_int: 2, delegate_debug_metadata: [49], end_time: 5}},
        {profile_event: {delegate_debug_id_int: 3, delegate_debug_metadata: [91, 93], end_time: 5}},
        {profile_event: {delegate_debug_id_int: 4, end_time: 5}},
        {profile_event: {name: "plain", end_time: 5}}]}]}
END
for form in bytes utf8 hex json; do
    echo "$form:"
    etinspect dump.etdp --delegate_metadata $form --format tsv 2>/dev/null | cut -f 3,14
done
