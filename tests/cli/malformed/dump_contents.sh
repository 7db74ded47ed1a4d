#!/bin/sh
# Dumps that are well-formed FlatBuffers, but lack required parts or contradict themselves.
refuse_dump() {
    echo "{run_data: [$1]}" | make-etdump dump.etdp
    echo "# $1"
    refused etinspect dump.etdp
}
refuse_event() {
    refuse_dump "{name: 'Execute', events: [$1]}"
}
refuse_dump '{events: []}'
refuse_event '{}'
refuse_event '{profile_event: {end_time: 5}}, {}'
refuse_event '{debug_event: {}}'
for type in Int Bool Float Double Tensor TensorList; do
    refuse_event "{debug_event: {debug_entry: {val: $type}}}"
done
refuse_event '{debug_event: {debug_entry: {val: 8}}}'
refuse_event '{debug_event: {debug_entry: {val: Tensor, tensor: {}}}}'
refuse_event '{debug_event: {debug_entry: {val: Tensor, tensor: {sizes: [-1], strides: [1]}}}}'
refuse_event '{debug_event: {debug_entry: {val: Tensor, tensor: {sizes: [9223372036854775807, 9], strides: [1, 1]}}}}'
refuse_event '{debug_event: {debug_entry: {val: Tensor, tensor: {scalar_type: FLOAT, sizes: [2305843009213693951], strides: [1]}}}}'
# Run outputs are read too.
refuse_event '{debug_event: {debug_entry: {val: Int, output: {bool_val: true}}}}'
