# A journal is accepted wherever an ETDump is, with the same result.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
make-journal ring run.journal
etinspect recover -o run.etdp run.journal 2>/dev/null
gzip -k run.journal
# Some outputs contain the names of inputs: all inputs get the same name.
mkdir dump journal packed
mv run.etdp dump/run
mv run.journal journal/run
mv run.journal.gz packed/run

for command in '' summary events runs 'runs --format json --no_sha256' alloc tree ops delegates noise check 'baseline save out.csv'; do
    for form in dump journal packed; do
        # shellcheck disable=SC2086 # words
        (cd $form && etinspect $command run >../$form.out 2>&1; echo $? >>../$form.out)
        [ ! -f $form/out.csv ] || cat $form/out.csv >>$form.out
    done
    for form in journal packed; do
        cmp dump.out $form.out && echo "$command: $form"
    done
done
show etinspect diff dump/run journal/run
etinspect runs - <journal/run | cmp - dump.out >/dev/null || etinspect runs - <journal/run | sed 1q
export ASAN_OPTIONS=detect_leaks=0 # the search for leaks needs additional processes
show etinspect --etdump_path journal/run --sandbox --columns event_name
