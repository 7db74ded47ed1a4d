#!/bin/sh
# Times that run backwards, too far for a 32-bit clock.
refuse_event() {
    echo "{run_data: [{name: 'Execute', events: [{profile_event: {name: 'op', $1}}]}]}" | make-etdump dump.etdp
    shift
    refused etinspect dump.etdp "$@"
}
refuse_event 'start_time: 4294967296, end_time: 9'
refuse_event 'start_time: 18446744073709551615, end_time: 18446744073709551614'
refuse_event 'delegate_debug_id_int: 3, start_time: 18446744073709551615, end_time: 9' --target_time_scale ns
refuse_event 'delegate_debug_id_int: 3, start_time: 4294967296, end_time: 9' --exact_time
