# A run compared with itself: equal values have no differences, and values that one side did not record are not compared.
conv="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord"
buffers="--debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin"
# shellcheck disable=SC2086,SC2089,SC2090 # several words; quotes are part of an expression
{
    etinspect numerics $conv ${conv% *} $buffers $buffers --columns source_node,op,event_name,backend,output,shape,snr,snr_drop,debug_handles,base_debug_handles,module -f csv
    # Two runs of one program with different inputs.
    etinspect numerics testdata/bundled-inputs/run.etdp testdata/bundled-inputs/run.etdp testdata/bundled-inputs/record.etrecord \
        --debug_buffer_path testdata/bundled-inputs/debug_buffer.bin --debug_buffer_path testdata/bundled-inputs/debug_buffer.bin \
        --match name --fail_on 'identical == false' --min_compared 5 --width 150
    echo "exit status $?"
    # Saved tensors, one with a changed number, and one with another shape.
    printf '%s' '{"0.0/1:native_call_cumsum.out#0":{"dtype":"F32","shape":[1,4,8,8],"data_offsets":[0,1024]},"0.0/output#0":{"dtype":"F32","shape":[3],"data_offsets":[1024,1036]},"other":{"dtype":"F64","shape":[],"data_offsets":[1036,1044]}}' >header
    printf '\340\0\0\0\0\0\0\0' | cat - header >x.safetensors
    head -c 1044 /dev/zero >>x.safetensors
    wc -c <header
    etinspect numerics $conv $buffers --reference x.safetensors --columns event_name,output,shape,status,snr,max_abs,max_abs_at,mismatched
    etinspect numerics $conv $buffers --reference x.safetensors --fail_on 'status == "shape"' --columns event_name,status
    echo "exit status $?"
    # shellcheck disable=SC2002 # a pipe can be read only once
    cat x.safetensors | etinspect numerics $conv $buffers --reference - --columns event_name,output,snr
    for format in junit github; do
        etinspect numerics $conv $buffers --reference x.safetensors --fail_on 'snr < 20' --fail_on 'output == 1' -f $format
        echo "exit status $?"
    done
    etinspect numerics $conv $buffers --reference x.safetensors -f junit
    # A check of nothing does not pass, and leaves no report: nodes with the same names have other shapes, also in a file.
    # An expression that is true for outputs that were not compared is an answer.
    models="testdata/mlp/run.etdp testdata/mlp/record.etrecord testdata/transformer/run.etdp testdata/transformer/record.etrecord"
    two="--debug_buffer_path testdata/mlp/debug_buffer.bin --debug_buffer_path testdata/transformer/debug_buffer.bin"
    for options in "--fail_on snr<30" "--per_input --fail_on snr<30" "--fail_on snr<30 --report junit=x.xml" "--fail_on status==\"shape\""; do
        etinspect numerics $models $two $options --columns source_node,status,snr
        echo "exit status $?"
    done
    test ! -e x.xml || echo 'there is a report'
    make-tensors shape.npz "Execute.0/1:native_call_addmm.out#0=f4:3"
    etinspect numerics testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin --reference shape.npz --columns event_name,shape,status
    etinspect numerics testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin --reference shape.npz --fail_on snr\<30 -f junit
    echo "exit status $?"
    etinspect numerics $conv $buffers --reference x.safetensors --metric l1 -f csv
    # Handles of a file are those of the ETRecord, even if the runtime recorded nothing.
    printf '%-128s' '{"1:a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"8:b":{"dtype":"F32","shape":[1,4],"data_offsets":[4,20]}}' >header
    printf '\200\0\0\0\0\0\0\0' | cat - header >handles.safetensors
    head -c 20 /dev/zero >>handles.safetensors
    etinspect numerics $conv $buffers --reference handles.safetensors --columns source_node,op,event_name,status,reason,snr,source
    # Impossible requests.
    for options in "" "--reference x.safetensors --min_compared 9" "--reference x.safetensors --match source" "--reference x.safetensors --fail_on snr<" "--reference testdata/mlp/run.etdp" \
        "--reference testdata/README.md" "$buffers $buffers" "--match handles" "--reference x.safetensors --metric mse --fail_on output>0"; do
        etinspect numerics $conv $buffers $options
        echo "exit status $?"
    done
    etinspect numerics testdata/mlp/run.etdp testdata/small/run.etdp $buffers
    echo "exit status $?"
    # Refusals name the cause: nothing was recorded; the file is empty; the ETRecord is older than 1.0.
    etinspect numerics data/executorch-0.7/run.etdp data/executorch-0.7/record.etrecord data/executorch-0.7/run.etdp data/executorch-0.7/record.etrecord
    echo "exit status $?"
    printf '\2\0\0\0\0\0\0\0{}' >empty.safetensors
    etinspect numerics $conv $buffers --reference empty.safetensors
    echo "exit status $?"
    unpack testdata/mlp/record.etrecord old
    sed -i 's/"from_node": "\([^"\\]\|\\.\)*"/"other": ""/g' old/edge_dialect_exported_program/forward
    pack old old.etrecord
    mlp="testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin"
    for records in "old.etrecord testdata/mlp/record.etrecord" "testdata/mlp/record.etrecord old.etrecord"; do
        for options in "" "--metric mse" "--match name --columns event_name,snr"; do
            etinspect numerics testdata/mlp/run.etdp ${records% *} $mlp ${records#* } --debug_buffer_path testdata/mlp/debug_buffer.bin $options
            echo "exit status $?"
        done
    done
    etinspect numerics testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/run.etdp
    echo "exit status $?"
} 2>&1
