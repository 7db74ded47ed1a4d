#!/bin/sh
# An existing file keeps its mode; the mode of a new one follows the umask.
mlp=testdata/mlp
for mode in 600 640 644 755; do
    echo old >found.txt
    chmod $mode found.txt
    etinspect $mlp/run.etdp --output found.txt
    echo "$mode: $(stat -c %a found.txt)"
    rm -f found.txt
done
for mask in 000 022 077; do
    umask $mask
    etinspect $mlp/run.etdp --tsv_path found.txt >/dev/null
    echo "$mask: $(stat -c %a found.txt)"
    rm -f found.txt
done
