#!/bin/sh
# Whatever argparse accepts as one of the Inspector's options still is that option, though etinspect has additional ones.
mlp=testdata/mlp
for dump in --etd --etdum --etdump --etdump_ --etdump-; do
    for record in --etr --etrec --etrecord-p; do
        etinspect $dump $mlp/run.etdp $record $mlp/record.etrecord --d $mlp/debug_buffer.bin | cmp - $mlp/table.txt
    done
done
for prefix in --d --de --deb --debug --debug-buffer; do
    etinspect $mlp/run.etdp $mlp/record.etrecord $prefix $mlp/debug_buffer.bin | cmp - $mlp/table.txt
done
etinspect --etd $mlp/run.etdp --etr $mlp/record.etrecord --s s --ta ns | cmp - $mlp/table-s-to-ns.txt
etinspect --etd $mlp/run.etdp --etr $mlp/record.etrecord --source s --target-time ns | cmp - $mlp/table-s-to-ns.txt
for prefix in --ts --tsv --tsv- --tsv_p; do
    etinspect $mlp/run.etdp $mlp/record.etrecord $prefix found$prefix.tsv >found.txt
    cmp "found$prefix.tsv" $mlp/table.tsv
done
refused etinspect --c $mlp/run.etdp
refused etinspect --comp $mlp/run.etdp
etinspect --h | head -n 1
etinspect --he | head -n 1
