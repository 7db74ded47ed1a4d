#!/bin/sh
# Dumps in which nothing happened, and the advice about them.
echo '{}' | make-etdump nothing.etdp
echo '{run_data: [{name: "Execute"}, {name: "Execute", events: []}]}' | make-etdump no_events.etdp
echo '{run_data: [{name: "Default", events: [{profile_event: {name: "Method::init", instruction_id: 0, end_time: 5}},
    {profile_event: {name: "Method::execute", end_time: 7}}]}]}' | make-etdump no_operators.etdp
echo '{run_data: [{name: "Execute", events: [{profile_event: {name: "OPERATOR_CALL", instruction_id: 0}}]}]}' |
    make-etdump only_calls.etdp
for dump in nothing no_events no_operators only_calls; do
    show etinspect check $dump.etdp
done
