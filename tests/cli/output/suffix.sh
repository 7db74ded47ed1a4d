# The suffix of --output selects a format unless --format is given; both must agree.
mlp=testdata/mlp
# begins FILE - prints the first bytes of a file, which show its format.
begins() {
    head -c 15 "$1" | tr -d '\000' | head -n 1
}
for suffix in csv TSV json ndjson jsonl md markdown db sqlite sqlite3 txt tab; do
    etinspect -o out.$suffix --top 1 --columns event_name $mlp/run.etdp || echo "exit $?"
    echo "$suffix: $(begins out.$suffix)"
done
etinspect graph -o out.dot $mlp/run.etdp $mlp/record.etrecord
echo "dot: $(begins out.dot)"
etinspect summary -o summary.json $mlp/run.etdp
echo "json: $(begins summary.json)"
# With an unknown suffix, the command's default applies.
etinspect summary -o plain $mlp/run.etdp
echo "plain: $(begins plain)"
etinspect --group op -o group.txt $mlp/run.etdp
echo "txt: $(begins group.txt)"
# The database of all tables, and additional ones.
etinspect -o runs.db $mlp/run.etdp
etinspect --append -o runs.db $mlp/run.etdp
etinspect --append --format sqlite -o runs.db $mlp/run.etdp
command -v sqlite3 >/dev/null && sqlite3 runs.db 'SELECT count(*), count(DISTINCT dump_id) FROM op_list, dumps USING (dump_id)'
# A name without a suffix, and formats that share a suffix.
etinspect --format csv -o out.txt --top 1 --columns event_name $mlp/run.etdp
echo "csv in txt: $(begins out.txt)"
etinspect --tsv_path out.csv -o out.md --top 1 --columns event_name $mlp/run.etdp
echo "tsv_path: $(begins out.csv)"
# Contradictions, before anything is read.
refused etinspect --format json -o out.csv missing.etdp
refused etinspect summary --format ndjson -o out.json missing.etdp
refused etinspect diff --format text -o out.MD missing.etdp missing.etdp
refused etinspect --append -o out.json $mlp/run.etdp
refused etinspect --append -o out $mlp/run.etdp
refused etinspect summary -o out.xml $mlp/run.etdp
refused etinspect --format yaml -o out.csv missing.etdp
# A format whose text is JSON may be written to a file of this suffix, even if it alone would choose another format.
formats=$(etinspect --format - x 2>&1 | sed 's/.*is not one of \([^ ]*\).*/\1/; s/,/ /g')
for format in $formats; do
    rm -f out out.json
    for command in summary graph trace "gate --fail_on total:p50>1ns"; do
        # shellcheck disable=SC2086 # words
        etinspect $command $mlp/run.etdp $mlp/record.etrecord --format "$format" -o out >/dev/null 2>&1
        [ ! -s out ] || break
    done
    [ -s out ] || echo "no command writes $format"
    python3 -c 'import json; json.load(open("out"))' 2>/dev/null || continue
    # shellcheck disable=SC2086 # words
    etinspect $command $mlp/run.etdp $mlp/record.etrecord --format "$format" -o out.json >/dev/null 2>&1
    cmp out out.json && echo "JSON: $format"
done
# Suffixes of formats that no command writes.
refused etinspect summary -o out.xlsx missing.etdp
refused etinspect trace -o out.svg missing.etdp
refused etinspect graph -o out.png missing.etdp
refused etinspect report -o out.pdf missing.etdp
show etinspect ops -o x.csv.gz testdata/mlp/run.etdp
show etinspect report -o x.html.gz testdata/mlp/run.etdp
