#!/bin/sh
# The current directory was removed: no file can be made in it, but in other places.
mlp=$PWD/testdata/mlp
top=$PWD
mkdir gone
cd gone || exit 1
rmdir "$top/gone"
exec 2>"$top/errors" # sh prints a message there, too
etinspect "$mlp/run.etdp" --output found.txt
echo "exit $?"
grep '^etinspect' "$top/errors"
etinspect "$mlp/run.etdp" --output "$top/found.txt"
cmp "$top/found.txt" "$mlp/etdump-only.txt"
etinspect "$mlp/run.etdp" | cmp - "$mlp/etdump-only.txt"
