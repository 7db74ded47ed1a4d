#!/bin/sh
# No standard output.
exec 2>&1
etinspect testdata/mlp/run.etdp >&-
echo "exit $?"
etinspect --help >&-
echo "exit $?"
etinspect testdata/mlp/run.etdp --output found.txt >&-
echo "exit $?"
cmp found.txt testdata/mlp/etdump-only.txt
# Output to it under another name is also lost, and the loss is reported.
etinspect testdata/mlp/run.etdp --output /dev/stdout 2>/dev/null >&-
echo "exit $?"
etinspect testdata/mlp/run.etdp --output found.txt --tsv_path - >&-
echo "exit $?"
cmp found.txt testdata/mlp/etdump-only.txt
