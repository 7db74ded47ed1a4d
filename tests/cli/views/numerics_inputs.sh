# Several inputs of a model in one table, and an ETDump as the reference.
case ${RUNNER-} in *qemu-arm\ *) echo 'long doubles are doubles on armhf, and the last digits others' && exit 77 ;; esac
bundled=testdata/bundled-inputs
run="$bundled/run.etdp"
record="$bundled/record.etrecord"
buffer="--debug_buffer_path $bundled/debug_buffer.bin"
columns="--columns source_node,output,status,inputs,snr_min,snr_p50,max_abs_max,snr_drop,input,block"
# shellcheck disable=SC2086 # several words
{
    for i in 0 1; do
        etinspect tensors $run $record $buffer --block "Execute [input $i]" --key handle --save $i.npz -o saved.txt
    done
    etinspect tensors $run $record $buffer --save events.npz -o saved.txt

    # Each input with its own reference, and with that of the other.
    etinspect numerics $run $record $buffer --reference 0.npz --reference 1.npz $columns
    etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz $columns
    etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz --width 180
    etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz --sort snr_drop:desc --top 1 --per_input --columns block,run,input,source_node,snr,snr_min,inputs -f csv
    # A single reference belongs to the first run, unless a file says to which runs it belongs, or all runs are requested.
    etinspect numerics $run $record $buffer --reference 0.npz --columns source_node,inputs,snr_min
    etinspect numerics $run $record $buffer --reference 0.npz --run all --columns source_node,inputs,snr_min,snr_p50
    etinspect numerics $run $record $buffer --reference events.npz --columns event_name,inputs,snr_min
    etinspect numerics $run $record $buffer --block "Execute [input 1]" --reference events.npz --columns event_name,block,inputs,snr_min
    # Several ETDumps.
    etinspect numerics $run $run $record $buffer $buffer --block "Execute [input 1]" --reference 1.npz --reference 0.npz --columns source_node,inputs,snr_min,snr_p50,input,run
    # The worst of all inputs decides.
    etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz --fail_on 'snr < 0' --columns source_node,snr_min
    echo "exit status $?"
    for format in github junit; do
        etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz --fail_on 'snr < 0' -f $format
        echo "exit status $?"
    done
    etinspect numerics $run $record $buffer --reference 0.npz --reference 0.npz --fail_on 'snr < -2' --per_input -f github
    echo "exit status $?"
    etinspect numerics $run $record $buffer --reference 0.npz --reference 1.npz --fail_on 'snr < 100' --min_compared 6 $columns
    echo "exit status $?"

    # A run of which nothing could be compared does not pass: 10 of the 20 runs lie beyond the end of a debug buffer.
    mlp="testdata/mlp/run.etdp testdata/mlp/record.etrecord testdata/mlp/run.etdp"
    head -c 14232 testdata/mlp/debug_buffer.bin >half.bin
    two="--debug_buffer_path testdata/mlp/debug_buffer.bin --debug_buffer_path half.bin --run all"
    for options in "$columns" "--per_input --top 1 $columns" "--fail_on snr_min<30" "--fail_on snr<30 --per_input" "--fail_on snr<30 --fail_on inputs<20 $columns" \
        "--min_compared 1"; do
        etinspect numerics $mlp $two $options
        echo "exit status $?"
    done
    # Runs of each method are counted: the buffer contains 3 of the 5 runs of encode, and 5 of the 10 runs of forward.
    methods=testdata/multi-method
    head -c 3700 $methods/debug_buffer.bin >cut.bin
    etinspect numerics $methods/run.etdp $methods/record.etrecord $methods/run.etdp --debug_buffer_path $methods/debug_buffer.bin --debug_buffer_path cut.bin --run all \
        --columns source_node,status,inputs
    # A file with names of 2 of the 7 runs; and runs that were not selected, or have no reference, are not judged.
    etinspect numerics $run $record $buffer --reference events.npz --run all --fail_on 'snr < 0' --columns event_name
    echo "exit status $?"
    etinspect numerics $run $record $buffer --block "Execute [input 1]" --reference events.npz --fail_on 'snr < 0' --columns event_name
    echo "exit status $?"
    etinspect numerics $run $record $buffer --reference 0.npz --fail_on 'snr < 0' --columns source_node
    echo "exit status $?"

    # An ETDump as the reference is the base; its debug buffer is the one in the same position.
    etinspect numerics $run $buffer $record --reference $run $buffer --columns source_node,inputs,snr_min
    etinspect numerics --reference $run $buffer $run $record $buffer --per_input --columns block,run,source_node,snr --top 2
    etinspect numerics $run $record $buffer --reference testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin
    echo "exit status $?"

    # Impossible requests.
    for options in "$buffer --reference 0.npz --reference 1.npz --reference 1.npz" "$buffer --reference 0.npz --reference $run $buffer" "$buffer --reference 0.npz --reference $bundled/bundle.bpte" \
        "$buffer --reference $bundled/bundle.bpte --per_input" "$buffer --reference 0.npz --reference 1.npz --metric mse" "$buffer --reference 0.npz --metric mse --per_input" \
        "$run $buffer $buffer --reference 0.npz" "$run $buffer --reference 0.npz --reference 1.npz" "$buffer --reference $run" "$buffer $buffer --reference 0.npz" \
        "$buffer --reference 0.npz --reference 1.npz --min_compared 7" "--reference $run $buffer $buffer $buffer"; do
        etinspect numerics $run $record $options
        echo "exit status $?"
    done
    etinspect numerics --reference $run $buffer
    echo "exit status $?"
    # Only ETDumps have recorded tensors.
    for files in "" "$bundled/model.pte" "$bundled/model.pte testdata/mlp/model.pte" "$record" "--reference 0.npz" "--reference 0.npz $bundled/model.pte" "$record $run $record $run" "$run $run $run"; do
        etinspect numerics $files
        echo "exit status $?"
    done
} 2>&1
