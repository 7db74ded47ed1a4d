#!/bin/sh
# Without events the Inspector fails ("No objects to concatenate"); etinspect prints a table without rows, and the reason.
echo '{run_data: [{name: "Execute", events: []}]}' | make-etdump dump.etdp
show etinspect dump.etdp
show etinspect dump.etdp --format tsv --no_include_units
show etinspect dump.etdp --format csv
# A block without events beside one with events.
echo '{run_data: [{name: "Empty", events: []}, {name: "Execute", events: [
    {profile_event: {name: "op", instruction_id: 0, end_time: 5}}]}]}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
