# Methods of the same instructions are distinguished by the operators that their delegates logged: blocks have their names, and so has --block.
run=testdata/prefill-decode/run.etdp record=testdata/prefill-decode/record.etrecord
program=testdata/prefill-decode/model.pte
columns='--skip_first 0 --table ops --columns op,calls,nodes,kernels'

# shellcheck disable=SC2086 # the list is meant to be split
{
    show etinspect runs --columns block,run --skip_first 0 $run $record $program
    show etinspect ops --block prefill $columns $run $record $program
    show etinspect ops --block decode $columns $run $record $program
    show etinspect ops --block decode $columns $run $program
    # Blocks have numbers, too, and the Inspector's name, which both have.
    show etinspect ops --block 1 $columns $run $record $program
    etinspect ops --block Execute $columns $run $record $program | grep -c 'aten.sigmoid\|aten.tanh'

    # Without the program nothing distinguishes them, and no block is called so. The user may know.
    show etinspect ops --block decode $columns $run $record
    show etinspect ops --block 2 --method decode $columns $run $record
    refused etinspect ops --method nosuch $run $record $program

    show etinspect program --table instructions --columns method,instruction,call,calls --skip_first 0 $program $run
    show etinspect memory --method decode --table arenas $program $record
}
