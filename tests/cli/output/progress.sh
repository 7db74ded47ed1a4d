# Work of more than a second shows a progress line on the terminal, which is erased, and nowhere else.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER="sed 's/.*/paged/'" ASAN_OPTIONS=detect_leaks=0
unset CI COLUMNS

# at_terminal NAME COMMAND - prints what a terminal gets, the first characters of each line; the number of updates depends
# on the machine. $slow writes a dump after seconds, of which a busy machine may need some to start etinspect.
told='<erase>etinspect: [a-z ]*[0-9.%MB ]*'
slow="{ sleep 4; cat testdata/mlp/run.etdp; }"
at_terminal() {
    script -qec "stty rows 5 cols 80; $2" /dev/null </dev/null | tr -d '\r' | sed "s/\x1b\[K/<erase>/g; s/^\($told\)\{1,\}<erase>/<told><erased>/" |
        head -n 3 | cut -c 1-60 >"$1.shown" &
}

at_terminal file "$slow | etinspect --format json --output slow.json -"
at_terminal database "$slow | etinspect --format sqlite --output slow.sqlite -"
at_terminal redirected "$slow | etinspect --format tsv - >slow.tsv"
at_terminal error "{ sleep 4; head -c 3000 testdata/mlp/run.etdp; } | etinspect --format tsv - >error.tsv"
at_terminal terminal "$slow | etinspect --format tsv --no_pager -"
at_terminal pager "$slow | etinspect -"
at_terminal sandbox "$slow | etinspect --sandbox --format tsv - >sandbox.tsv"
at_terminal piped "$slow | etinspect --format tsv - | cat >piped.tsv"
at_terminal logged "$slow | etinspect --format tsv - 2>log >logged.tsv"
at_terminal dumb "$slow | TERM=dumb etinspect --format tsv - >dumb.tsv"
at_terminal robot "$slow | CI=true etinspect --format tsv - >robot.tsv"
wait
for name in file database redirected error terminal pager sandbox piped logged dumb robot; do
    echo "$name:"
    cat $name.shown
done
wc -c <log
