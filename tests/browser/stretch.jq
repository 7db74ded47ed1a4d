# stretch.jq - makes an event of each run take `factor` times as long: the $nth whose name matches $name; what comes after
# it is later. The input is an ETDump as flatc prints it.
def later($event; $by): map(if .profile_event then .profile_event |=
    ((if .start_time >= $event.end_time then .start_time += $by else . end) |
     (if .end_time >= $event.end_time then .end_time += $by else . end)) else . end);
.run_data |= map(reduce ([.events[].profile_event | select(. and (.name | test($name)))] | .[$nth:$nth + 1][]) as $event
    (.; .events |= later($event; (($event.end_time - $event.start_time) * ($factor - 1) | floor))))
