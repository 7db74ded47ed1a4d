# Work of more than a second shows a progress line on the terminal, which is erased, and nowhere else.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER="sed 's/.*/paged/'" ASAN_OPTIONS=detect_leaks=0
unset CI COLUMNS

# at_terminal NAME COMMAND [BYTES] - prints what a terminal gets, the first characters of each line; the number of updates
# depends on the machine. The command reads a pipe, NAME.etdp. Its dump comes when the command has had it open for longer
# than the second after which the line appears, however busy the machine is.
told='<erase>etinspect: [a-z ]*[0-9.%MB ]*'
at_terminal() {
    mkfifo "$1.etdp"
    { exec 3>"$1.etdp" && sleep 1.2 && head -c "${3-1000000}" testdata/mlp/run.etdp >&3; } &
    script -qec "stty rows 5 cols 80; $2" /dev/null </dev/null | tr -d '\r' | sed "s/\x1b\[K/<erase>/g; s/^\($told\)\{1,\}<erase>/<told><erased>/" |
        head -n 3 | cut -c 1-60 >"$1.shown" &
}

at_terminal file 'etinspect --format json --output slow.json file.etdp'
at_terminal database 'etinspect --format sqlite --output slow.sqlite database.etdp'
at_terminal redirected 'etinspect --format tsv redirected.etdp >slow.tsv'
at_terminal error 'etinspect --format tsv error.etdp >error.tsv' 3000
at_terminal terminal 'etinspect --format tsv --no_pager terminal.etdp'
at_terminal pager 'etinspect --etdump_path pager.etdp'
at_terminal sandbox 'etinspect --sandbox --format tsv sandbox.etdp >sandbox.tsv'
at_terminal piped 'etinspect --format tsv piped.etdp | cat >piped.tsv'
at_terminal logged 'etinspect --format tsv logged.etdp 2>log >logged.tsv'
at_terminal dumb 'TERM=dumb etinspect --format tsv dumb.etdp >dumb.tsv'
at_terminal robot 'CI=true etinspect --format tsv robot.etdp >robot.tsv'
wait
for name in file database redirected error terminal pager sandbox piped logged dumb robot; do
    echo "$name:"
    cat $name.shown
done
wc -c <log
