#!/bin/sh
# A debug buffer that is too short for the tensors.
head -c 64 testdata/mlp/debug_buffer.bin >short.bin
show etinspect check testdata/mlp/run.etdp --debug_buffer_path short.bin
refused etinspect testdata/mlp/run.etdp --debug_buffer_path short.bin
# A buffer without its end, that of another model, one in which nothing was recorded, and one whose runs recorded different
# values.
head -c 28000 testdata/mlp/debug_buffer.bin >cut.bin
show etinspect check testdata/mlp/run.etdp --debug_buffer_path cut.bin
show etinspect check testdata/transformer/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin
show etinspect check testdata/prefill-decode/run.etdp --debug_buffer_path cut.bin
head -c 14000 testdata/mlp/debug_buffer.bin >differs.bin
tr '\1-\377' '\2-\377\1' <testdata/mlp/debug_buffer.bin | tail -c +14001 >>differs.bin
show etinspect check testdata/mlp/run.etdp --debug_buffer_path differs.bin
# A tensor for which the runtime had no room, and one whose elements are half bytes.
echo "{run_data: [{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1}}, {debug_event:
    {instruction_id: 1, debug_entry: {val: Tensor, tensor: {scalar_type: FLOAT, sizes: [2], strides: [1], offset: -1}}}},
    {debug_event: {instruction_id: 1, debug_entry: {val: Tensor, tensor: {scalar_type: QUINT4X2, sizes: [2], strides: [1]}}}}]}]}" |
    make-etdump full.etdp
show etinspect check full.etdp --debug_buffer_path short.bin
# A buffer of the right size in which the tensors lie elsewhere: the bytes between them show it.
{ tail -c +21 testdata/transformer/debug_buffer.bin; head -c 20 testdata/transformer/debug_buffer.bin; } >other.bin
show etinspect check testdata/transformer/run.etdp --debug_buffer_path other.bin
# Of several debug buffers, each is for the ETDump of the same position.
own=testdata/mlp/debug_buffer.bin
show etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path short.bin --debug_buffer_path $own
show etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path $own --debug_buffer_path short.bin
refused etinspect check testdata/mlp/run.etdp --debug_buffer_path $own --debug_buffer_path $own
refused etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path missing.bin --debug_buffer_path $own
refused etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/record.etrecord --debug_buffer_path $own
# The last one can be a pipe.
cat $own | etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path $own --debug_buffer_path - | tail -n 2
refused etinspect check testdata/mlp/run.etdp testdata/mlp/run.etdp --debug_buffer_path - --debug_buffer_path - <$own
