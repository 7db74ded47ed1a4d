# Methods with the same instructions are distinguished by the operators that their delegates logged: blocks, and --block,
# use their names.
run=testdata/prefill-decode/run.etdp record=testdata/prefill-decode/record.etrecord
program=testdata/prefill-decode/model.pte
columns='--skip_first 0 --table ops --columns op,calls,nodes,kernels'

# shellcheck disable=SC2086 # the list is meant to be split
{
    show etinspect runs --columns block,run --skip_first 0 $run $record $program
    show etinspect ops --block prefill $columns $run $record $program
    show etinspect ops --block decode $columns $run $record $program
    show etinspect ops --block decode $columns $run $program
    # Blocks also have numbers, and the Inspector's name, which both share.
    show etinspect ops --block 1 $columns $run $record $program
    etinspect ops --block Execute $columns $run $record $program | grep -c 'aten.sigmoid\|aten.tanh'

    # Without the program they cannot be distinguished, and no block has the name. Events have what both methods have in
    # common. The user may choose.
    show etinspect events --skip_first 0 --block 1 --format tsv --columns event_name,op_type,op_types,debug_handles,module,source,attribution $run $record
    show etinspect ops --block decode $columns $run $record
    show etinspect ops --block 2 --method decode $columns $run $record
    refused etinspect ops --method nosuch $run $record $program

    show etinspect program --table instructions --columns method,instruction,call,calls --skip_first 0 $program $run
    show etinspect memory --method decode --table arenas $program $record
}
