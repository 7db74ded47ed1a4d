# The tables of a page equal, byte for byte, those that the commands print as JSON.
#
# rows VIEW TABLE: prints one row per line, as it stands in the page.
rows() {
    awk -v view="$1" -v table="$2" '
        /^"[a-z_]*": \{$/ { seen = $0 == "\"" view "\": {" }
        seen && $0 == "\"" table "\": [" { inside = 1; next }
        inside { line = $0; sub(/}[]},]*$/, "}", line); print line }
        inside && !/,$/ { exit }
        inside && /]/ && /}[]}]+,$/ { exit }' page.html | sed 's/\\u003c/</g; s,<\\/,</,g'
}

# printed TABLE: prints the same of JSON on stdin.
printed() {
    awk -v table="$1" '
        $0 == "\"" table "\": [" || $0 == "\"tables\": {\"" table "\": [" { inside = 1; next }
        inside { line = $0; sub(/}[]},]*$/, "}", line); print line }
        inside && (!/,$/ || /}[]}]+,$/) { exit }'
}

# same VIEW TABLE COMMAND...
same() {
    view=$1
    table=$2
    shift 2
    rows "$view" "$table" >found
    etinspect "$@" --format json --no_sha256 2>errors | printed "$table" >expected
    if [ -s expected ] && cmp found expected >&2; then
        echo "$view $table: $(wc -l <found) rows are the same"
    else
        echo "BUT $view $table differs: $(wc -l <found) rows in the page, $(wc -l <expected) printed"
    fi
}

check_all() {
    show etinspect report "$@" -o page.html
    for pair in summary.facts summary.headline summary.layers summary.actions summary.account summary.backends summary.operators runs.runs ops.ops tree.modules source.lines \
        delegates.backends program.methods program.instructions; do
        same "${pair%.*}" "${pair#*.}" "${pair%.*}" "$@"
    done
    same events events events "$@" --columns block,event_name,p50,share,unsteady,module,op_type,min,max,avg,p10,p90,self_time,typical,delegate_backend_name,is_delegated_op,source,attribution,instruction_id,event,kernel,compute_unit,run_count,calls
    same graph nodes graph "$@" --columns node,typical,share,unsteady,module,shape,op,dtype,backend,source,inputs,shared,debug_handle,p50
    same kernels kernels ops --kernels "$@"
    same layers layers layers "$@" --columns layer,kernel,typical,share,unsteady,backend,source,p50,avg,type,events
    same samples events "$@" --samples --columns event_block_name,raw
}

t=testdata/transformer
check_all $t/run.etdp $t/record.etrecord $t/model.pte
same delegates outside delegates $t/run.etdp $t/record.etrecord $t/model.pte
c=testdata/xnnpack-conv
check_all $c/run.etdp $c/record.etrecord $c/model.pte
