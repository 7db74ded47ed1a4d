# Tensors written by torch.save, for comparison and as a test case; and files without a dict or list of tensors.
conv="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin"
# shellcheck disable=SC2086 # several words
{
    make-tensors x.pt 0.0/1:native_call_cumsum.out#0=f4:1x4x8x8 0.0/output#0=f4:3 other=f8:-
    make-tensors x.npz 0.0/1:native_call_cumsum.out#0=f4:1x4x8x8 0.0/output#0=f4:3 other=f8:-
    for file in x.pt x.npz; do
        etinspect numerics $conv --reference $file --columns event_name,output,shape,status,snr,max_abs,max_abs_at,mismatched -f csv >$file.csv
        echo "exit status $?"
    done
    cat x.pt.csv
    cmp x.pt.csv x.npz.csv
    # The inputs in a record are a list; its outputs are lists of test cases, by method.
    unpack testdata/bundled-inputs/record.etrecord members
    make-tensors y.npz y=f4:1x4
    show etinspect bundle --inputs members/representative_inputs --expected y.npz -o out.bpte testdata/bundled-inputs/model.pte
    refused etinspect numerics $conv --reference members/reference_outputs
    printf '\200\002]q\000.' >old.pt
    refused etinspect numerics $conv --reference old.pt
    head -c 900 x.pt >short.pt
    refused etinspect numerics $conv --reference short.pt
} 2>&1
