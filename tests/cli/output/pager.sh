# Only output longer than the terminal goes to the pager.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
mlp="testdata/mlp/run.etdp testdata/mlp/record.etrecord"
export TERM=xterm NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0
unset LESS COLUMNS ETINSPECT_PAGER PAGER

# at_terminal ROWS COMMAND - prints what is shown there: the number of lines, and the first.
at_terminal() {
    script -qec "stty rows $1 cols 80; $2; echo exit \$?" /dev/null </dev/null | tr -d '\r' >shown
    echo "$(wc -l <shown) lines; $(head -n 1 shown | cut -c 1-50); $(tail -n 1 shown)"
}

export ETINSPECT_PAGER="sed 's/^/paged: /'"
at_terminal 10 "etinspect runs $mlp"
at_terminal 60 "etinspect runs $mlp"
# A rule has more bytes than columns; long lines take several rows of the screen.
at_terminal 8 "LC_ALL=C.UTF-8 etinspect --group op $mlp"
at_terminal 40 "etinspect $mlp --format tsv"
at_terminal 10 "etinspect runs $mlp --no_pager"
at_terminal 10 "etinspect runs $mlp --sandbox"
at_terminal 10 "etinspect runs $mlp | sed 's/^/piped: /'"
at_terminal 10 "TERM=dumb etinspect runs $mlp"
at_terminal 10 "PAGER=false etinspect runs $mlp"
at_terminal 10 "ETINSPECT_PAGER= etinspect runs $mlp"
at_terminal 10 "env -u ETINSPECT_PAGER PAGER='sed s/^/second:/' etinspect runs $mlp"
# shellcheck disable=SC2016
at_terminal 10 'ETINSPECT_PAGER='\''echo "less: $LESS"; cat >pages'\'" etinspect runs $mlp"
wc -l <pages
# shellcheck disable=SC2016
at_terminal 10 'ETINSPECT_PAGER='\''echo "less: $LESSCHARSET"; cat >pages'\'" etinspect runs $mlp"
# shellcheck disable=SC2016
at_terminal 10 'LESSCHARSET=latin1 ETINSPECT_PAGER='\''echo "less: $LESSCHARSET"; cat >pages'\'" etinspect runs $mlp"
# Leaving a pager early ends the program quietly; after a broken pager everything is printed, below one line that reports
# it.
at_terminal 10 "ETINSPECT_PAGER='head -n 1' etinspect runs --events --format json testdata/mlp-many-runs/run.etdp"
# shellcheck disable=SC2086 # two files
etinspect runs $mlp --width 80 >expected
printf 'echo started; exit 127\n' >script
# Only on a terminal are the runs also shown as a line of characters.
for pager in /none/at/all 'nosuchpager -x' ./script 'sh ./script' false; do
    echo "== $pager"
    at_terminal 10 "LC_ALL=C ETINSPECT_PAGER='$pager' etinspect runs $mlp" >/dev/null
    grep etinspect: shown
    tail -n 1 shown
    sed '/etinspect:/d; /^started/d; /^Execute  [#*+=:._-]*$/d; $d' shown | cmp - expected
done
