# JSON and NDJSON name their sources; a hash equals that of sha256sum.
cd testdata/mlp || exit 1
etinspect --format json --label board=a --label 'build="1"' --target_time_scale us run.etdp record.etrecord |
    sed 's/"version": "[^"]*"/"version": "*"/' | cut -c 1-230
etinspect --format ndjson run.etdp | sed 's/"version": "[^"]*"/"version": "*"/' | head -n 2
digest=$(sha256sum run.etdp | cut -d ' ' -f 1)
etinspect --format json run.etdp | grep -c "$digest"
etinspect --format ndjson run.etdp | grep -c "$digest"
etinspect --format json --label a=1 --label b=1 --label a=2 run.etdp 2>&1
# Lists with a value for each run are included on request; op_types is always a list.
for samples in '' --samples '--columns start_time,op_types'; do
    # shellcheck disable=SC2086
    etinspect --format ndjson $samples run.etdp record.etrecord | sed -n 4p | grep -Eo '"(start_time|raw|op_types|op_types_all)": [^,]*,'
    echo "with '$samples'"
done
# Without a hash there is null; a format without hashes rejects the option.
etinspect --format json --no_sha256 run.etdp record.etrecord | grep -o '"sha256": [^}]*'
etinspect --format ndjson --no_sha256 run.etdp | head -n 1 | grep -o '"sha256": [^}]*'
etinspect --format csv --no_sha256 run.etdp 2>&1
echo "exit $?"
