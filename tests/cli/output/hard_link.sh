#!/bin/sh
# A file is replaced, not overwritten: its other names keep the old content.
mlp=testdata/mlp
echo old >found.txt
ln found.txt other.txt
etinspect $mlp/run.etdp --output found.txt
cmp found.txt $mlp/etdump-only.txt
cat other.txt
stat -c '%h' found.txt other.txt
# A process that has it open keeps it, too.
exec 3<other.txt
etinspect $mlp/run.etdp --output other.txt
cat <&3
cmp other.txt $mlp/etdump-only.txt
