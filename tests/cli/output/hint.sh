#!/bin/sh
# Below the Inspector's table, if it is wider than the terminal, one line on stderr suggests a narrower form; nowhere else.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER=cat ASAN_OPTIONS=detect_leaks=0
unset LESS COLUMNS PAGER
ln -s testdata/mlp/run.etdp 'a run.etdp'
ln -s testdata/mlp/run.etdp "don't.etdp"
mlp="testdata/mlp/run.etdp testdata/mlp/record.etrecord"

# at_terminal COLUMNS COMMAND - prints the lines there that are not output
at_terminal() {
    echo "$ $2"
    script -qec "stty rows 50 cols $1; $2" /dev/null </dev/null | tr -d '\r' >shown
    grep '^etinspect:' shown || echo no hint
}
at_terminal 80 "etinspect $mlp"
tail -n 1 shown
sed '$d' shown | cmp - testdata/mlp/table.txt
at_terminal 80 "etinspect --etdump_path=testdata/mlp/run.etdp --etrecord_path testdata/mlp/record.etrecord"
at_terminal 80 "etinspect 'a run.etdp'"
at_terminal 80 "etinspect \"don't.etdp\""
at_terminal 80 "etinspect - <testdata/mlp/run.etdp"
(
    export ETINSPECT_PAGER="sed 's/^/paged: /'"
    at_terminal 80 "stty rows 10; etinspect testdata/mlp/run.etdp"
    tail -n 1 shown
)
at_terminal 444 "etinspect $mlp"
at_terminal 443 "etinspect $mlp"
at_terminal 80 "etinspect $mlp --columns event_name,p50"
at_terminal 80 "etinspect $mlp --format text"
at_terminal 80 "etinspect $mlp --group op --format table"
at_terminal 80 "etinspect $mlp | cat"
at_terminal 80 "etinspect $mlp 2>messages"
cat messages
at_terminal 80 "etinspect $mlp --output table"
at_terminal 80 "etinspect graph $mlp --format table"
# The smallest rows of a sort: a line says how to see the largest.
at_terminal 80 "etinspect ops $mlp --sort p50 --top 3"
at_terminal 80 "etinspect ops $mlp --sort p50 --top 1 2>messages"
cat messages
at_terminal 80 "etinspect ops $mlp --sort -p50 --top 3"
at_terminal 80 "etinspect ops $mlp --sort p50:asc --top 3"
at_terminal 80 "etinspect ops $mlp --sort p50 --top 100"
at_terminal 80 "etinspect ops $mlp --sort op --top 3"
at_terminal 80 "etinspect ops $mlp --top 3"
at_terminal 80 "etinspect ops $mlp --sort p50 --top 3 | cat"
# shellcheck disable=SC2086 # two files
etinspect $mlp 2>&1 | cmp - testdata/mlp/table.txt
