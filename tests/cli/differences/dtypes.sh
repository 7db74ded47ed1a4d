#!/bin/sh
# Tensors of types that the Inspector cannot decode, and numbers that stand for no type: the table needs none of them.
printf '0123456789abcdef' >buffer
for type in BFLOAT16 FLOAT8E5M2 FLOAT8E4M3FN UINT32 UINT64 QINT8 QUINT4X2 BITS16 8 21 99 -3; do
    echo "{run_data: [{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1, end_time: 5000}},
        {debug_event: {instruction_id: 1, debug_entry: {val: Tensor, tensor: {scalar_type: $type, sizes: [2],
        strides: [1]}}}}]}]}" | make-etdump dump.etdp
    echo "$type: $(etinspect dump.etdp --debug_buffer_path buffer --format tsv | cut -f 3,4 | tail -n 1)"
done
# Two bytes outside the buffer are detected for them, too.
printf 012 >buffer
echo "{run_data: [{name: 'Execute', events: [{debug_event: {instruction_id: 1, debug_entry: {val: Tensor, tensor:
    {scalar_type: BFLOAT16, sizes: [2], strides: [1]}}}}]}]}" | make-etdump dump.etdp
refused etinspect dump.etdp --debug_buffer_path buffer
