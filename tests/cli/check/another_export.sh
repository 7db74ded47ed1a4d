# Every command that takes a run takes nothing from an ETRecord or a program of another export: the last line on standard error
# says that the file is not of the program that ran, and with --strict the exit status is 3.
run=testdata/mlp/run.etdp
buffer=testdata/mlp/debug_buffer.bin
other=testdata/mlp-many-runs/run.etdp
make-tensors a.npz Execute.0/1:native_call_addmm.out#0=f4:2x16
commands=$(etinspect help | sed -n 's/^  \([a-z]*\) .*/\1/p')
test "$(echo "$commands" | wc -l)" -gt 25 || echo 'the help lists fewer commands'

# arguments COMMAND FILE - prints the arguments that run the command with the file, which is of another export.
arguments() {
    case $1 in
    recover | bundle | memory | size | record) ;; # take no run
    diff | gate) echo "$1 $run $2 $other $2" ;;
    noise | trend) echo "$1 $run $other $2" ;;
    baseline) echo "baseline save out.csv $run $2" ;;
    numerics) echo "numerics $run $2 --debug_buffer_path $buffer --reference a.npz" ;;
    tensors) echo "tensors $run $2 --debug_buffer_path $buffer" ;;
    program) case $2 in *.pte) echo "program $2 $run" ;; esac ;;
    measure)
        case $2 in *.pte) set -- "$1" "--program_path $2" ;; *) set -- "$1" "--etrecord_path $2" ;; esac
        echo "measure --pairs 5 --warmup 0 --base 'act-as-model {}' --new 'act-as-model {}' $2"
        ;;
    inspect) echo "$run $2" ;;
    *) echo "$1 $run $2" ;;
    esac
}

n=0
for file in testdata/delegate-ids/record.etrecord testdata/xnnpack-conv/model.pte; do
    for command in inspect $commands; do
        words=$(arguments "$command" $file)
        [ "$words" ] || continue
        n=$((n + 1))
        eval "etinspect $words --width 80" >out 2>err
        last=$(tail -n 1 err)
        case $command in check | measure) last=$(grep another out) ;; esac # a part of their answer
        case $last in
        *'another export'* | *'does not come from'*) ;;
        *) echo "$words: the last line is: $last" ;;
        esac
        # Names of nodes, modules and lines in the files of the other export; only the Inspector's columns keep its values.
        [ "$command" = inspect ] || ! grep -E 'cumsum|convolution|models\.py' out || echo "$words: something of $file"
        case $command$file in
        report*.pte) grep -q '"memory": "needs the program (.pte) that ran"' out || echo "$words: memory" ;;
        esac
        rm -f out.csv
        eval "etinspect $words --strict" >out 2>err
        status=$?
        [ $status -eq 3 ] || echo "$words --strict: exit status $status"
        grep -q 'another export\|could not be read' err || cat err
        test ! -e out.csv || echo "$words --strict: there is a file"
    done
done
echo "$n commands and files"
