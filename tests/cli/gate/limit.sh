#!/bin/sh
# A summary ends below 1 MiB, with what others wrote into it, and says so.
GITHUB_STEP_SUMMARY=summary.md
export GITHUB_STEP_SUMMARY
head -c 1046900 /dev/zero | tr '\0' ' ' >summary.md
run=testdata/mlp-many-runs
etinspect gate $run/run.etdp $run/run.etdp --github --output text.txt
[ "$(wc -c <summary.md)" -le 1048576 ] && echo below
tail -c +1046901 summary.md | grep -v '^|'
