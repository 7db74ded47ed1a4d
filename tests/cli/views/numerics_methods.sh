# Two methods with the same instructions: the nodes of tensors are unknown until one of the methods is chosen.
unpack testdata/multi-method/record.etrecord record
cp record/edge_dialect_exported_program/encode record/edge_dialect_exported_program/forward
python3 - record/debug_handle_map record/delegate_map record/instruction_id_to_num_outs_map <<'END'
import json, sys
for name in sys.argv[1:]:
    with open(name) as file:
        methods = json.load(file)
    methods["forward"] = methods["encode"]
    with open(name, "w") as file:
        json.dump(methods, file)
END
pack record two.etrecord
dump=testdata/multi-method/run.etdp
buffer=testdata/multi-method/debug_buffer.bin
make-tensors ref.npz 1:linear=f4:2x5
columns="--columns source_node,op,output,status,snr"
# shellcheck disable=SC2086 # several words
{
    show etinspect numerics $dump two.etrecord $dump --debug_buffer_path $buffer --debug_buffer_path $buffer $columns
    show etinspect numerics $dump two.etrecord --debug_buffer_path $buffer --reference ref.npz $columns
    show etinspect numerics $dump two.etrecord $dump --debug_buffer_path $buffer --debug_buffer_path $buffer --method encode $columns
}
