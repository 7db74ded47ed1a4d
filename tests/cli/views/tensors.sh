# The numbers are those of tests/parity/tensors.py, that is, of numpy.
etinspect tensors testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord \
    --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin -f csv
etinspect tensors testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin --run 3 --filter 'dtype == "float32" and output == 1' \
    --columns run,event_name,shape,mean,std,p1,p99,values,histogram,sha256 -f json | sed -n '/"tensors": \[/,$p'
# The largest of all runs.
etinspect tensors testdata/bundled-inputs/run.etdp --debug_buffer_path testdata/bundled-inputs/debug_buffer.bin --run all --sort absmax:desc --top 2 --width 200
for run in 77 first; do
    etinspect tensors testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin --run $run
    echo "exit status $?"
done 2>&1
etinspect tensors testdata/mlp/run.etdp 2>&1
echo "exit status $?"
etinspect tensors testdata/transformer/run.etdp --debug_buffer_path testdata/small/debug_buffer.bin 2>&1
echo "exit status $?"
# The tensors of one run lie in any large file; those of all runs show that it is another one.
head -c 700 testdata/mlp/debug_buffer.bin >cut.bin
etinspect tensors testdata/mlp/run.etdp --debug_buffer_path cut.bin --run 1 --top 1 2>&1
echo "exit status $?"
etinspect tensors testdata/allocation-events/run.etdp
