# With the debug buffers of both sides, rows have the results of etinspect numerics for the same events, modules, lines and
# nodes.
base="testdata/transformer/run.etdp testdata/transformer/record.etrecord"
cp testdata/transformer/run.etdp new.etdp
cp testdata/transformer/debug_buffer.bin new.bin
chmod u+w new.bin
printf '\000\000\200\077' | dd of=new.bin bs=1 seek=8832 conv=notrunc 2>/dev/null
printf '\000\000\300\177' | dd of=new.bin bs=1 seek=16128 conv=notrunc 2>/dev/null
sides="$base new.etdp testdata/transformer/record.etrecord"
buffers="--debug_buffer_path testdata/transformer/debug_buffer.bin --debug_buffer_path new.bin"
# shellcheck disable=SC2086 # several words
{
    etinspect numerics $sides $buffers -f csv --columns all >numerics.csv
    for group in module source node; do
        etinspect diff $sides $buffers --group $group -f csv --table groups >$group.csv 2>/dev/null
        python3 data/gaps.py group:$group numerics.csv $group.csv
    done
    etinspect diff $sides $buffers --table events --columns event_name,change,snr,snr_drop,max_abs,nan_new --filter 'snr < 100 or event_name =~ "permute"'
    etinspect diff $sides $buffers --group node --table groups --columns node,snr,snr_drop,nan_new --sort snr_drop:desc --top 3
    # Nothing is compared by operators, without buffers, or for totals.
    etinspect diff $sides $buffers --group op --table groups -f csv | head -n 1
    etinspect diff $sides $buffers --table total -f csv | head -n 1
    etinspect diff $sides --table events -f csv | head -n 1
    # Times are compared even if tensors cannot be.
    etinspect diff testdata/transformer/run.etdp new.etdp $buffers --table files
    etinspect diff testdata/transformer/run.etdp new.etdp $buffers --table files --match instruction
    etinspect diff testdata/transformer/run.etdp new.etdp --debug_buffer_path testdata/small/debug_buffer.bin --debug_buffer_path new.bin --match name --table files
    etinspect diff --base testdata/transformer/run.etdp --base testdata/mlp/run.etdp --new new.etdp $buffers --match name --table files --allow_unlike
    etinspect baseline save base.csv testdata/transformer/run.etdp
    for options in "$sides --debug_buffer_path new.bin" "$sides --match handle" "base.csv new.etdp $buffers" "$sides $buffers --debug_buffer_path new.bin"; do
        etinspect diff $options
        echo "exit status $?"
    done
} 2>&1
