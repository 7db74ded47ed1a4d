# The Inspector's table of gaps, with files of tensors whose shapes are broadcast. numpy gives the same numbers, to the last
# digit.
run="testdata/bundled-inputs/run.etdp testdata/bundled-inputs/record.etrecord --debug_buffer_path testdata/bundled-inputs/debug_buffer.bin"
make-tensors ref.npz 1:linear=f4:1x16 2:layer_norm#0=f4:16 3:relu=f4:1:0.5 4:linear_1=f4:4x1 9:nothing=f4:1
# shellcheck disable=SC2086 # several words
{
    for metric in mse l1 snr; do
        etinspect numerics $run --reference ref.npz --metric $metric -f csv
    done
    etinspect numerics $run --reference ref.npz --metric mse --block 'Execute [input 1]' --columns all -f csv
}
# A delegate's call with several handles is compared with all their nodes, in order.
run="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin"
make-tensors ref.npz 8:mean=f4:4:0,0,0,0 2:relu=f4:1:0.25 1:conv2d=f4:1:0.5 7:add_2,add_1=f4:1:2 4:mul=f4:1:1
# shellcheck disable=SC2086
etinspect numerics $run --reference ref.npz --metric l1 --columns all -f csv
