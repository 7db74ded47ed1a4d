#!/bin/sh
# A file that may be written, but not read, is replaced like others and stays unreadable.
mlp=testdata/mlp
echo old >found.txt
chmod 0200 found.txt
etinspect $mlp/run.etdp --output found.txt
stat -c %a found.txt
chmod 0600 found.txt
cmp found.txt $mlp/etdump-only.txt
