# Events logged by delegates have the operators, modules and lines of their nodes, wherever the payloads come from.
case=testdata/xnnpack-conv
run=$case/run.etdp
columns='--format tsv --columns event_name,attribution'

# views NAME FILE...: prints all views of one set of files, without times
views() {
    echo "== $1"
    shift
    # shellcheck disable=SC2086 # the list is meant to be split
    show etinspect $columns --filter 'is_delegated_op' "$@"
    show etinspect tree --format tsv --columns module,events "$@"
    show etinspect source --format tsv --columns file,line,code "$@"
    show etinspect ops --format tsv --table ops --columns op,calls,nodes,kernels "$@"
    show etinspect --group module --format tsv --columns module,events "$@"
}

views 'record and program' $run $case/record.etrecord $case/model.pte
views 'record made after lowering' $run $case/lowered.etrecord
views 'program alone' $run $case/model.pte
views 'record alone' $run $case/record.etrecord

etinspect graph --all --format tsv --columns node,op,share $run $case/record.etrecord $case/model.pte |
    awk -F '\t' '{ print $1 "\t" $2 "\t" ($3 > 0 ? "timed" : "-") }'
etinspect graph $run $case/model.pte

# Payloads inside the program give the same result as those in its segments; both ways of making the record agree.
for view in tree source ops; do
    etinspect $view --format tsv $run $case/record.etrecord $case/model.pte >segments
    etinspect $view --format tsv $run $case/record.etrecord $case/inline.pte | cmp segments -
done
etinspect tree --format tsv $run $case/lowered.etrecord $case/model.pte >segments
etinspect tree --format tsv $run $case/lowered.etrecord | cmp segments -

# Transpositions and conversions that lowering inserted belong to the operators whose tensors they change.
files='testdata/layouts/run.etdp testdata/layouts/record.etrecord testdata/layouts/model.pte'
# shellcheck disable=SC2086 # the list is meant to be split
show etinspect events --format tsv --columns event_name,attribution,op_type,module --filter 'is_delegated_op' $files
# shellcheck disable=SC2086
show etinspect tree --format tsv --columns module,events $files

# Says in one line how operators were found, and what the program would add.
etinspect summary $run $case/record.etrecord $case/model.pte | grep 'time that delegates logged'
etinspect summary $run $case/record.etrecord | grep 'time that delegates logged\|give the'
etinspect summary $run $case/model.pte | grep 'time that delegates logged\|give the'

# Damaged payloads, and those of another export, are not used.
LC_ALL=C sed 's/XH00/XH99/' $case/model.pte >damaged.pte
show etinspect $run $case/record.etrecord damaged.pte --format tsv --columns attribution --filter is_delegated_op
show etinspect $run damaged.pte --format tsv --columns attribution --filter is_delegated_op
etinspect tree $run $case/record.etrecord testdata/prefill-decode/model.pte 2>&1 >/dev/null | sort -u
