# Rows have the operators that `etinspect events` has: those of the method that ran, also of operators inside delegates.
both() {
    dump=testdata/$1/run.etdp
    shift
    etinspect rows --columns block,event_index,op_types,module,source --filter 'run == 0 and event_name != "OPERATOR_CALL"' "$@" "$dump" |
        sed 's/, "provenance".*//; s/^{"table": "rows", //' | sort >of-rows
    etinspect events --columns block,event,op_types,module,source --filter 'event_name != "(around operators)"' -f ndjson "$@" "$dump" 2>/dev/null |
        sed 's/, "provenance".*//; s/^{"table": "events", //; s/"event": /"event_index": /' | sort >of-events
    cmp of-rows of-events && echo "$(grep -c '"op_types": \["' of-rows) of $(wc -l <of-rows) rows have operators"
}
show etinspect rows --etrecord_path testdata/prefill-decode/record.etrecord --program_path testdata/prefill-decode/model.pte -f csv \
    --columns block,event_name,op_types,module --filter 'run == 0 and event_name == "DELEGATE_CALL"' testdata/prefill-decode/run.etdp
for name in prefill-decode multi-method xnnpack-conv mlp delegate-ids; do
    echo "--- $name"
    both $name --etrecord_path testdata/$name/record.etrecord
    both $name --etrecord_path testdata/$name/record.etrecord --program_path testdata/$name/model.pte
    both $name --program_path testdata/$name/model.pte
done
echo '--- a record of the lowered program'
both xnnpack-conv --etrecord_path testdata/xnnpack-conv/lowered.etrecord
echo '--- neither record nor program: unknown'
etinspect rows --columns event_name,op_types --filter 'run == 0 and event_name == "DELEGATE_CALL"' testdata/prefill-decode/run.etdp | sed 1q
