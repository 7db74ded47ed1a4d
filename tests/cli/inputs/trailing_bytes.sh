#!/bin/sh
# Bytes after the dump are ignored, and so is a wrong size prefix; a dump without the prefix can be read, too.
mlp=testdata/mlp
{ cat $mlp/run.etdp; echo more; } >longer.etdp
etinspect longer.etdp | cmp - $mlp/etdump-only.txt
{ printf '\0\0\0\0'; tail -c +5 $mlp/run.etdp; } >zero.etdp
etinspect zero.etdp | cmp - $mlp/etdump-only.txt
tail -c +5 $mlp/run.etdp >plain.etdp
etinspect plain.etdp | cmp - $mlp/etdump-only.txt
etinspect check longer.etdp zero.etdp plain.etdp | grep prefix
# Another ETDump among them is not ignored in silence.
cat $mlp/run.etdp $mlp/run.etdp >two.etdp
cat $mlp/run.etdp plain.etdp >mixed.etdp
for file in two mixed; do
    etinspect $file.etdp | cmp - $mlp/etdump-only.txt
    etinspect check $file.etdp | grep warning
done 2>&1
gzip -c $mlp/run.etdp >one.gz
cat one.gz one.gz >two.etdp.gz
show etinspect runs two.etdp.gz --top 1 --columns run
# Nor is another journal.
make-journal whole run.journal
cat run.journal run.journal >two.journal
refused etinspect runs two.journal
