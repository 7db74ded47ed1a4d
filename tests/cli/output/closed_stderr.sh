#!/bin/sh
# Without standard error the exit status still reports the result, and no message ends up in an output file.
[ -z "${RUNNER-}" ] || { echo "$RUNNER may need a standard error"; exit 77; }
etinspect nosuch 2>&-
echo "exit $?"
etinspect testdata/multi-method/run.etdp testdata/multi-method/record.etrecord --output found.txt 2>&-
echo "exit $?"
etinspect testdata/multi-method/run.etdp testdata/multi-method/record.etrecord 2>/dev/null | cmp - found.txt
# The file is complete when the next one fails: the message about the second one is lost.
etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --output found.txt --tsv_path nodir/x.tsv 2>&-
echo "exit $?"
cmp found.txt testdata/mlp/table.txt
etinspect testdata/mlp/run.etdp --output found.txt --module nosuch 2>&-
echo "exit $?"
! grep warning found.txt
# None of the three streams.
etinspect testdata/mlp/run.etdp --output found.txt --tsv_path nodir/x.tsv <&- >&- 2>&-
echo "exit $?"
cmp found.txt testdata/mlp/etdump-only.txt
