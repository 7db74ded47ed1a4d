#!/bin/sh
# A replaced file keeps its owner and group if the system allows it.
echo old >found.txt
if ! chown 1234:5678 found.txt 2>/dev/null; then
    echo 'only root may give files away'
    exit 77
fi
chmod 640 found.txt
etinspect testdata/mlp/run.etdp --output found.txt
stat -c '%u:%g %a' found.txt
etinspect baseline save found.txt testdata/mlp/run.etdp
stat -c '%u:%g %a' found.txt
