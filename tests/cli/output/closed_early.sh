#!/bin/sh
# Readers that close after one byte, after three lines, and before the first byte, for each format and for a named pipe: no
# message, and the exit status of SIGPIPE.
{
    echo '{"run_data": [{"name": "Execute", "events": ['
    seq 3000 | sed 's/.*/{"profile_event": {"name": "event &", "instruction_id": &, "start_time": 0, "end_time": 1}},/' | sed '$s/,$//'
    echo ']}]}'
} | make-etdump dump.etdp
exec 2>&1
for format in table tsv csv; do
    # More than a pipe holds: the reader has closed before everything is written.
    size=$(etinspect dump.etdp --format $format | wc -c)
    [ "$size" -gt 150000 ] || echo "only $size bytes"
    { etinspect dump.etdp --format $format; echo "exit $?" >status; } | head -c 1 >/dev/null
    echo "$format: one byte: $(cat status)"
    { etinspect dump.etdp --format $format; echo "exit $?" >status; } | head -n 3 >/dev/null
    echo "$format: three lines: $(cat status)"
done
# A pipe without readers.
mkfifo pipe
# shellcheck disable=SC2094 # both ends are held on purpose
exec 3<>pipe 4>pipe 3>&-
for format in table tsv csv; do
    etinspect testdata/mlp/run.etdp --format $format >&4
    echo "$format: nobody: exit $?"
done
etinspect check testdata/mlp/run.etdp >&4
echo "check: nobody: exit $?"
etinspect help >&4
echo "help: nobody: exit $?"
exec 4>&-
# Files that were complete before are kept.
mkdir place
head -c 1 pipe >/dev/null &
etinspect dump.etdp --output place/found.tsv --format tsv --tsv_path pipe
echo "named pipe: exit $?"
wait
etinspect dump.etdp --format tsv | cmp - place/found.tsv
ls -A place
