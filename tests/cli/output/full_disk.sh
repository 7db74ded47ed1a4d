#!/bin/sh
# A full disk is reported, in whatever way the output is written.
mlp=testdata/mlp
[ -c /dev/full ] || { echo 'there is no /dev/full'; exit 77; }
full() {
    transcript-line "$@"
    "$@" >/dev/full
    echo "exit $?"
}
exec 2>&1
full etinspect $mlp/run.etdp
full etinspect $mlp/run.etdp --format tsv
full etinspect $mlp/run.etdp --module fc
full etinspect --help
full etinspect --version
full etinspect help check
full etinspect check $mlp/run.etdp
refused etinspect $mlp/run.etdp --output /dev/full
refused etinspect $mlp/run.etdp --output found.txt --tsv_path /dev/full
cmp found.txt $mlp/etdump-only.txt
refused etinspect $mlp/run.etdp --output found.txt --csv_path /dev/full
