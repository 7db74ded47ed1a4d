#!/bin/sh
# --sandbox does not change the output, and permits writing only to standard output. (tests/tools/hardening.sh tests what it
# forbids.)
[ -z "${RUNNER-}" ] || { echo "$RUNNER needs more than is left"; exit 77; }
mlp=testdata/mlp
export ASAN_OPTIONS=detect_leaks=0 # the search for leaks needs additional processes
etinspect --sandbox $mlp/run.etdp $mlp/record.etrecord >found.txt 2>errors
if grep -q 'not supported by this system' errors; then
    echo 'the system has no seccomp'
    exit 77
fi
cmp found.txt $mlp/table.txt
cat errors
etinspect --sandbox --format tsv $mlp/record.etrecord - <$mlp/run.etdp | cmp - $mlp/table.tsv
show etinspect check --sandbox $mlp/run.etdp
etinspect rows --sandbox --columns error --filter 'event_index == 0' -f csv $mlp/run.etdp testdata/small/run.etdp
refused etinspect --sandbox $mlp/run.etdp --output found.txt
refused etinspect --sandbox $mlp/run.etdp --tsv_path found.tsv
refused etinspect --sandbox missing.etdp
head -c 100 $mlp/run.etdp >cut.etdp
refused etinspect --sandbox cut.etdp
# Further reports of a gate are rejected as early; the summary for GitHub is opened before.
dump=testdata/mlp-many-runs/run.etdp
show etinspect gate $dump $dump --sandbox --report junit=gate.xml
show etinspect gate $dump $dump --sandbox --report sqlite=-
export GITHUB_STEP_SUMMARY=summary.md
etinspect gate $dump $dump --fail_on 'total:p50>1ns' --sandbox --github | grep -c '^::'
head -n 1 summary.md
