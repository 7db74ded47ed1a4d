# The views of times show the results of etinspect numerics: for a module, a line of source or a node the worst one.
case ${RUNNER-} in *qemu-arm\ *) echo 'long doubles are doubles on armhf, and the last digits others' && exit 77 ;; esac
block="testdata/transformer/run.etdp testdata/transformer/record.etrecord"
buffer="--debug_buffer_path damaged.bin"
cp testdata/transformer/debug_buffer.bin damaged.bin
chmod u+w damaged.bin
# damage OFFSET BYTES: nodes after the softmax inherit its error; one result of mlp.1 is not a number.
damage() {
    # shellcheck disable=SC2059 # escapes
    printf "$2" | dd of=damaged.bin bs=1 seek="$1" conv=notrunc 2>/dev/null
}
damage 8832 '\000\000\200\077'
damage 9152 '\000\000\200\077'
damage 9856 '\000\000\000\100'
damage 12416 '\000\000\000\100'
damage 16128 '\000\000\300\177'
# shellcheck disable=SC2086 # several words
{
    etinspect tensors $block --debug_buffer_path testdata/transformer/debug_buffer.bin --save x.npz --key handle >/dev/null
    etinspect numerics $block $buffer --reference x.npz -f csv --columns all >numerics.csv
    etinspect tree $block $buffer --reference x.npz --fold 0 -f csv >tree.csv
    etinspect source $block $buffer --reference x.npz -f csv --columns all >source.csv
    python3 data/gaps.py module numerics.csv tree.csv
    etinspect graph $block $buffer --reference x.npz -f csv >graph.csv
    python3 data/gaps.py source numerics.csv source.csv
    python3 data/gaps.py handle numerics.csv graph.csv
    # The node that causes the error comes first; not every module can be compared.
    etinspect tree $block $buffer --reference x.npz --fold 0 --sort snr_drop:desc --top 4 --columns module,snr,snr_drop,max_abs,nan_new
    etinspect tree $block $buffer --reference x.npz --columns module,snr,snr_drop,max_abs,nan_new --depth 2
    etinspect source $block $buffer --reference x.npz --filter 'snr < 100' --columns line,snr,snr_drop,max_abs,nan_new,code
    # Layers that share one row have the worst result of all.
    etinspect tree $block $buffer --reference x.npz --fold_layers --columns module,snr,nan_new --filter 'module =~ "mlp"'
    # By instruction, a kernel's result stands in the row of its event; without an ETRecord the row is unknown.
    etinspect tensors $block --debug_buffer_path testdata/transformer/debug_buffer.bin --save by_event.npz >/dev/null
    etinspect tree $block $buffer --reference by_event.npz --columns module,snr,nan_new --depth 1
    etinspect source testdata/transformer/run.etdp $buffer --reference by_event.npz --columns file,line,snr,nan_new
    # For a delegate, the results of its calls are compared.
    etinspect tensors testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin --save conv.npz --key handle >/dev/null
    for view in tree source; do
        etinspect $view testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin --reference conv.npz -f csv --no_include_units | cut -d, -f1,4-8
    done
    etinspect graph testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin --reference conv.npz --columns node,snr,snr_drop,delegate_call
    # A drawing shows the loss of a node, not its time.
    etinspect graph $block $buffer --reference x.npz -f dot | grep -o -e 'label="aten_\(gelu\|softmax\|bmm\|add_tensor\|mm\|_softmax\)[^"]*"' -e 'fillcolor="[^"]*"'
    etinspect graph $block $buffer --reference x.npz -f model-explorer-data
    etinspect graph $block $buffer --reference x.npz -f model-explorer | grep -o '"key":"\(snr\|snr_drop\|max_abs\|nan_new\)","value":"[^"]*"' | sort | uniq -c
    etinspect graph $block $buffer --reference x.npz --graph exported_program --top 1
    # Impossible requests.
    for options in "--reference x.npz" "$buffer --reference missing.npz" "$buffer --reference testdata/mlp/run.etdp" "$buffer --match handle" "$buffer --run 0" "$buffer --reference conv.npz --match source" \
        "$buffer --reference x.npz --run 7" "$buffer --reference data --sandbox" "$buffer --reference x.npz --columns snr_in"; do
        for view in tree source graph; do
            etinspect $view $block $options --top 2
            echo "exit status $?"
        done
    done
    etinspect graph testdata/transformer/model.pte $buffer --reference x.npz
    echo "exit status $?"
} 2>&1
