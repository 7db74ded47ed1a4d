#!/bin/sh
# A current directory that somebody has removed: no file can be made there, but elsewhere.
mlp=$PWD/testdata/mlp
top=$PWD
mkdir gone
cd gone || exit 1
rmdir "$top/gone"
exec 2>"$top/errors" # where sh has something to say as well
etinspect "$mlp/run.etdp" --output found.txt
echo "exit $?"
grep '^etinspect' "$top/errors"
etinspect "$mlp/run.etdp" --output "$top/found.txt"
cmp "$top/found.txt" "$mlp/etdump-only.txt"
etinspect "$mlp/run.etdp" | cmp - "$mlp/etdump-only.txt"
