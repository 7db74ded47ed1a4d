# --table selects one of several tables: in every format it is the same as among the others, with its own notes.
mlp=testdata/mlp
transformer="testdata/transformer/run.etdp testdata/transformer/record.etrecord"
history 12 conv 1.3 7 | baseline history.csv
history 6 | baseline base.csv
SEED=2 history 6 conv 1.3 1 | baseline new.csv
cat >compare.py <<'END'
import json, subprocess, sys

def run(*arguments):
    done = subprocess.run(["etinspect", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout

command = sys.argv[1:]
status, text = run(*command, "--format", "json")
whole = json.loads(text)
csv = run(*command, "--format", "csv")[1]
lines = run(*command, "--format", "ndjson")[1].splitlines()
bad = []
for name, rows in whole["tables"].items():
    code, text = run(*command, "--format", "json", "--table", name)
    one = json.loads(text)
    if code != status or list(one["tables"]) != [name] or one["tables"][name] != rows:
        bad.append(name + " in json")
    if one["notes"] != [note for note in whole["notes"] if note["table"] == name]:
        bad.append("notes of " + name)
    code, text = run(*command, "--format", "csv", "--table", name)
    if code != status or text.count(b"\r\n") != len(rows) + 1 or text not in csv:
        bad.append(name + " in csv")
    code, text = run(*command, "--format", "ndjson", "--table", name)
    if text.splitlines() != [line for line in lines if json.loads(line)["table"] == name]:
        bad.append(name + " in ndjson")
    for form in "text", "markdown", "table", "tsv":
        code, text = run(*command, "--format", form, "--table", name)
        if code != status or not text:
            bad.append(name + " in " + form)
print(command[0], "exits", status, *whole["tables"], "BAD:" if bad else "are the same", *bad)
END
# shellcheck disable=SC2086
{
    python3 compare.py summary $transformer
    python3 compare.py alloc testdata/allocation-events/run.etdp
    python3 compare.py runs $mlp/run.etdp
    python3 compare.py ops $transformer
    python3 compare.py diff base.csv new.csv --group op
    python3 compare.py gate base.csv new.csv
    python3 compare.py noise base.csv
    python3 compare.py trend history.csv
    python3 compare.py baseline show base.csv
    python3 compare.py $mlp/run.etdp $mlp/record.etrecord | sed 's/^[^ ]*/none/'
    python3 compare.py --group module $mlp/run.etdp $mlp/record.etrecord | sed 's/^[^ ]*/none/'
}
# A second measurement would give other numbers.
etinspect measure --new 'act-as-model {}' --pairs 3 --format csv --table events --columns event_name --sort event_name --top 2
# Selections apply to it, and so does the list of columns.
# shellcheck disable=SC2086
{
    show etinspect summary $transformer --table account -f csv --columns part,share --filter 'share > 5%' --sort share --no_include_units
    show etinspect summary $transformer --table facts --filter 'fact =~ "run"'
    show etinspect summary $transformer --table backends --filter 'share > 1'
    show etinspect summary $transformer --table backends --list_columns
    show etinspect ops $transformer --list_columns
    # A table that a screen shows in an earlier section.
    show etinspect diff base.csv new.csv --table files --columns side,block --top 1
    show etinspect diff base.csv new.csv --table summary --columns outcome,n_base
    # From groups it selects only the groups: the file of events has all events.
    show etinspect --group op --table groups --top 1 --columns op --csv_path events.csv $transformer
    wc -l <events.csv
    # Missing tables, and formats that are more than tables.
    refused etinspect summary $transformer --table operator
    refused etinspect summary $transformer --table Operators --list_columns
    refused etinspect summary $transformer --table x
    refused etinspect ops $transformer --table ''
    refused etinspect summary $transformer --table account --columns op
    refused etinspect gate base.csv new.csv --table checks --format junit
    refused etinspect graph $transformer --table nodes --format dot
}
# From a database it selects one table, and no views, which need other tables.
etinspect --table op_list -o one.db $mlp/run.etdp
command -v sqlite3 >/dev/null && sqlite3 one.db "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
