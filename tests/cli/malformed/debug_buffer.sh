#!/bin/sh
# Tensors that lie completely or partly outside the debug buffer. Without the buffer they are ignored.
tensor() {
    echo "{run_data: [{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1}}, {debug_event:
        {instruction_id: 1, debug_entry: {val: Tensor, tensor: {scalar_type: FLOAT, strides: [1], $1}}}}]}]}" |
        make-etdump dump.etdp
}
printf 12345678 >buffer
for place in 'sizes: [3]' 'sizes: [1], offset: 8' 'sizes: [2], offset: 1' 'sizes: [2], offset: -4' \
    'sizes: [1], offset: -9' 'sizes: [1], offset: 9223372036854775807' 'sizes: [1], offset: -9223372036854775808'; do
    tensor "$place"
    echo "# $place"
    refused etinspect dump.etdp --debug_buffer_path buffer
    etinspect dump.etdp >/dev/null || echo "BUT it should be readable without the buffer"
done
# These fit.
for place in 'sizes: [2]' 'sizes: [1], offset: 4' 'sizes: [1], offset: -4' 'sizes: [2], offset: -8' \
    'sizes: [0], offset: 100' 'sizes: []'; do
    tensor "$place"
    etinspect dump.etdp --debug_buffer_path buffer >/dev/null || echo "BUT $place fits"
done
# The contents of this tensor were not recorded, which does not prevent the file from being read.
for place in 'sizes: [2], offset: -1' 'sizes: [4000], offset: -1'; do
    tensor "$place"
    echo "# $place"
    show etinspect check dump.etdp --debug_buffer_path buffer
done
: >empty
tensor 'sizes: [1]'
refused etinspect dump.etdp --debug_buffer_path empty
