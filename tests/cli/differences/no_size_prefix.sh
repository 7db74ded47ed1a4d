#!/bin/sh
# A dump without the four bytes of its size, as executorch's own serializer writes it, is read like any other.
echo '{run_data: [{name: "Execute", events: [{profile_event: {name: "op", instruction_id: 0, end_time: 5000}}]}]}' >json
make-etdump prefixed.etdp <json
make-etdump plain.etdp -- <json
etinspect prefixed.etdp >expected
etinspect plain.etdp | cmp - expected
etinspect plain.etdp --format tsv
etinspect check plain.etdp
