#!/bin/sh
# CI runners obey commands in the output. Text, Markdown and messages never have one. Other formats keep their bytes, but on a
# standard stream in CI, CSV, TSV and the Inspector's table have none either, and the table no control characters.
make-etdump dump.etdp <<'END'
{"run_data": [{"name": "Execute", "events": [
  {"profile_event": {"name": "::stop-commands::a", "instruction_id": 0, "start_time": 0, "end_time": 3}},
  {"profile_event": {"name": "##vso[task.complete]\u001b[31mb", "instruction_id": 0, "start_time": 0, "end_time": 2}},
  {"profile_event": {"name": "c\n \u3000::error::##[group]", "instruction_id": 0, "start_time": 0, "end_time": 1}}]}]}
END
names() { # FORMAT [OPTION]...: prints the names, and ESC as ^[
    format=$1
    shift
    etinspect events dump.etdp --columns event_name --format "$format" "$@" | sed 's/\x1b/^[/g'
}
for ci in '' true; do
    echo "== CI='$ci'"
    export CI=$ci
    for format in text markdown csv tsv; do
        echo "-- $format"
        names $format
    done
    names csv --output names.csv && sed 's/\x1b/^[/g' names.csv
    names csv --output /dev/stdout | grep -c '^::'
    # shellcheck disable=SC2094 # both lead to one file
    names csv --output named.csv >named.csv && grep -c '^::' named.csv
    names json | grep -o 'vso.*'
    etinspect dump.etdp | sed -n 's/\x1b/^[/; /vso/p'
    etinspect dump.etdp --output table.txt --format table && grep -c '##vso' table.txt
    # Help needs no escapes, and a message about a file none at the start of its line.
    etinspect summary '##[group]::x' 2>&1
done
export CI=
echo '== other runners'
TF_BUILD=True names tsv | head -3
TEAMCITY_VERSION=2026.1 names tsv | head -3
# Standard error on a terminal is read beside a pipe of standard output.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || exit 77
script -qec 'etinspect dump.etdp | cat >piped.txt; etinspect dump.etdp 2>/dev/null | cat >alone.txt' /dev/null </dev/null
grep -c 'x1b' piped.txt
grep -c 'x1b' alone.txt
true
