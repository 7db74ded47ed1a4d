#!/bin/sh
# A file is replaced, not written into: its other names keep what they had.
mlp=testdata/mlp
echo old >found.txt
ln found.txt other.txt
etinspect $mlp/run.etdp --output found.txt
cmp found.txt $mlp/etdump-only.txt
cat other.txt
stat -c '%h' found.txt other.txt
# So does whoever has it open.
exec 3<other.txt
etinspect $mlp/run.etdp --output other.txt
cat <&3
cmp other.txt $mlp/etdump-only.txt
