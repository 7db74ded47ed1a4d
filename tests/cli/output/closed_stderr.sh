#!/bin/sh
# Without standard error the exit status still tells, and no message ends up in an output file.
[ -z "${RUNNER-}" ] || { echo "$RUNNER may need a standard error"; exit 77; }
etinspect nosuch 2>&-
echo "exit $?"
etinspect testdata/multi-method/run.etdp testdata/multi-method/record.etrecord --output found.txt 2>&-
echo "exit $?"
etinspect testdata/multi-method/run.etdp testdata/multi-method/record.etrecord 2>/dev/null | cmp - found.txt
