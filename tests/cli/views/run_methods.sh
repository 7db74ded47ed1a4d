#!/bin/sh
# Runs of methods with the same instructions have the methods that the user labels them with.
p=testdata/prefill-decode
run=$p/run.etdp record=$p/record.etrecord program=$p/model.pte
columns='--columns block,run,operators,dump_run'

# shellcheck disable=SC2086 # the list is meant to be split
{
    show etinspect runs $columns --run_methods 'prefill,decode*3,*' $run $record
    # Without labels, the first screen says that the runs are of several methods.
    show etinspect summary --table headline --columns method,text --format csv $run $record
    # Labels run through all blocks of the ETDump, and split them.
    show etinspect ops --columns method,op,events --skip_first 0 --run_methods 'prefill*2,decode*' $run $record
    show etinspect summary --run_methods 'prefill,decode*3,*' --table methods --columns method,runs $run $record
    # The same list in a file
    printf 'prefill\r\ndecode\ndecode*2\n\n*\n' >labels.txt
    etinspect runs $columns --run_methods 'prefill,decode*3,*' $run $record >list.txt
    etinspect runs $columns --run_methods_from labels.txt $run $record | cmp - list.txt
    ASAN_OPTIONS=detect_leaks=0 etinspect runs $columns --sandbox --run_methods_from labels.txt $run $record | cmp - list.txt
    etinspect runs $columns --run_methods_from - $run $record <labels.txt | cmp - list.txt
    # The payloads of the program show the same methods, so wrong labels are refused.
    etinspect runs $columns --run_methods 'prefill,decode*3,*' $run $record $program | cmp - list.txt
    refused etinspect runs --run_methods 'prefill*' $run $record $program
    refused etinspect runs --run_methods 'prefill,decode,*' $run $record $program

    show etinspect check --run_methods 'prefill,decode*3,*' $run $record
    # Labels that are wrong may be why the record does not fit.
    show etinspect check --run_methods 'prefill,decode*' $run $record
    # The table of the Inspector is split, too.
    etinspect $run $record --output split.tsv --format tsv --run_methods 'prefill,decode*3,*'
    etinspect $run $record $program --output known.tsv --format tsv
    cmp split.tsv known.tsv

    # Comparisons and rows have the labelled runs, too.
    etinspect diff --skip_first 0 --run_methods 'prefill,decode*3,*' --table total --columns block,total,base --format csv \
        $run $record $run 2>diff.stderr
    etinspect rows --granularity dump --run_methods 'prefill,decode*3,*' --etrecord_path $record --columns block,op_types \
        --filter 'event_name = "DELEGATE_CALL"' --format csv $run

    refused etinspect runs --run_methods 'prefill,decod*' $run $record
    refused etinspect runs --run_methods 'prefill,decode*3' $run $record
    refused etinspect runs --run_methods 'prefill,,decode' $run $record
    refused etinspect runs --run_methods 'decode*x' $run $record
    refused etinspect runs --run_methods 'decode*' $run
    refused etinspect runs --run_methods 'decode*' --method decode $run $record
    refused etinspect runs --run_methods 'decode*' --run_methods_from labels.txt $run $record
    refused etinspect runs --run_methods_from nosuch.txt $run $record
    : >empty.txt
    refused etinspect runs --run_methods_from empty.txt $run $record
    printf 'prefill\ndecode\n' >short.txt
    refused etinspect runs --run_methods_from short.txt $run $record
    refused etinspect runs --run_methods_from $record $run $record
    # No run needs a label.
    show etinspect runs --columns run --run_methods 'forward*' --filter 'run < 1' testdata/mlp/run.etdp testdata/mlp/record.etrecord
}
