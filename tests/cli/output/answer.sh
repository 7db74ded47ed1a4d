#!/bin/sh
# On a terminal, files without options get the slowest layers and what to do; everything else gets the Inspector's bytes.
case ${RUNNER-} in qemu-*) echo "QEMU gives programs another terminal" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
mlp=testdata/mlp
conv="testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord testdata/xnnpack-conv/model.pte"
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER=cat LC_ALL=C.UTF-8 ASAN_OPTIONS=detect_leaks=0
unset CI LESS COLUMNS PAGER ETINSPECT_TABLE

# at_terminal COMMAND - keeps in `shown` what a terminal of 80 columns shows
at_terminal() {
    script -qec "stty rows 50 cols 80; $1" /dev/null </dev/null | tr -d '\r' >shown
}
# answers COMMAND - prints the headline and the last line of the answer
answers() {
    echo "$ $1"
    at_terminal "$1"
    grep -E '^(forward|A run) takes |^Largest|^Slowest|^What to do|^the Inspector|^etinspect: ' shown
}
# same COMMAND FILE - complains unless a terminal shows the bytes of the file, except for the hint about the width
same() {
    at_terminal "$1"
    grep -v '^etinspect: this table is' shown | cmp - "$2" || echo "differs: $1"
}

echo "$ etinspect $conv"
at_terminal "etinspect $conv"
cat shown
# The answer is as far as its actions what summary begins with.
sed '/^the Inspector/d' shown >answer
at_terminal "etinspect summary $conv --no_pager"
head -n "$(wc -l <answer)" shown | cmp - answer

# Files may be in any order; without the record there are kernels; the last line quotes only plain names.
answers "etinspect $mlp/record.etrecord $mlp/run.etdp"
answers "etinspect $mlp/run.etdp"
cp $mlp/run.etdp 'a run.etdp'
answers "etinspect 'a run.etdp'"
cp $mlp/run.etdp ./-run.etdp
answers "etinspect -- -run.etdp"
# Options that set only the look of text change nothing else.
answers "etinspect --color never --width 80 --ascii --no_pager $mlp/run.etdp $mlp/record.etrecord"
at_terminal "etinspect --ascii $mlp/run.etdp $mlp/record.etrecord"
LC_ALL=C tr -d '\n -~' <shown | od -c
at_terminal "etinspect --color always $mlp/run.etdp $mlp/record.etrecord"
grep -c "$(printf '\033')" shown >/dev/null || echo "no colour"
# Six files of one program have one answer.
answers "etinspect $(echo testdata/six-files/*.etdp)"
# A dump without runs has none.
printf '{"run_data": []}' | make-etdump empty.etdp
answers "etinspect empty.etdp"
# Mistakes are reported as everywhere.
at_terminal "etinspect $mlp/run.edtp; echo exit \$?"
cat shown
at_terminal "etinspect $mlp/record.etrecord; echo exit \$?"
cat shown

# An option of the Inspector, or any other, asks for its table.
same "etinspect --etdump_path $mlp/run.etdp" $mlp/etdump-only.txt
same "etinspect --etdump_path $mlp/run.etdp --etrecord_path $mlp/record.etrecord" $mlp/table.txt
same "etinspect $mlp/run.etdp --etrecord_path $mlp/record.etrecord" $mlp/table.txt
same "etinspect $mlp/run.etdp $mlp/record.etrecord --target_time_scale us" $mlp/table-us.txt
same "etinspect $mlp/run.etdp $mlp/record.etrecord -f table" $mlp/table.txt
same "etinspect $mlp/run.etdp $mlp/record.etrecord --threads 1" $mlp/table.txt
same "etinspect $mlp/run.etdp $mlp/record.etrecord --format tsv" $mlp/table.tsv
# So do variables, even if empty, and a terminal that cannot show the answer or that no person reads.
same "ETINSPECT_TABLE=1 etinspect $mlp/run.etdp $mlp/record.etrecord" $mlp/table.txt
same "ETINSPECT_TABLE= etinspect $mlp/run.etdp $mlp/record.etrecord" $mlp/table.txt
same "CI=1 etinspect $mlp/run.etdp $mlp/record.etrecord" $mlp/table.txt
same "TERM=dumb etinspect $mlp/run.etdp $mlp/record.etrecord" $mlp/table.txt
same "env -u TERM etinspect $mlp/run.etdp $mlp/record.etrecord" $mlp/table.txt
same "etinspect $mlp/run.etdp $mlp/record.etrecord </dev/null" $mlp/table.txt
same "etinspect - $mlp/record.etrecord <$mlp/run.etdp" $mlp/table.txt
# Pipes and files get the Inspector's bytes.
same "etinspect $mlp/run.etdp $mlp/record.etrecord | cat" $mlp/table.txt
at_terminal "etinspect $mlp/run.etdp $mlp/record.etrecord >file"
cmp file $mlp/table.txt
at_terminal "etinspect $mlp/run.etdp $mlp/record.etrecord --output file; etinspect $mlp/run.etdp --tsv_path file.tsv >/dev/null"
cmp file $mlp/table.txt
cmp file.tsv $mlp/etdump-only.tsv
