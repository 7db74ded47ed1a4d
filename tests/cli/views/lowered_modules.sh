# A record made after lowering holds the operators of a delegate in lowered modules: `graph` shows them after their call and
# draws them in it, `ops` counts them, as with the record made before.
run=testdata/xnnpack-conv
show etinspect graph $run/run.etdp $run/lowered.etrecord --columns node,op,module,inputs,total,shared,delegate_call -f tsv
show etinspect graph $run/run.etdp $run/lowered.etrecord -f dot
etinspect graph $run/run.etdp $run/lowered.etrecord -f model-explorer |
    sed -n 's/.*"id":"\([^"]*\)","label".*"namespace":"\([^"]*\)".*/\1 \2/p'
for record in record lowered; do
    etinspect ops $run/run.etdp $run/$record.etrecord $run/model.pte --columns all -f tsv >$record.tsv
done
cmp record.tsv lowered.tsv && cat lowered.tsv
