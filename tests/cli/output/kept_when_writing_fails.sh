#!/bin/sh
# When a file exceeds the limit, the old file is kept, and no other file is left.
mlp=testdata/mlp
mkdir place
echo old >place/found.txt
(
    trap '' XFSZ
    ulimit -f 2
    exec etinspect $mlp/run.etdp --output place/found.txt
)
echo "exit $?"
(
    trap '' XFSZ
    ulimit -f 2
    exec etinspect $mlp/run.etdp --output /dev/null --tsv_path place/found.txt --csv_path place/new.csv
)
echo "exit $?"
cat place/found.txt
ls -A place
