# Work of more than a second shows a progress line on the terminal, which is erased, and nowhere else.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER="sed 's/.*/paged/'" ASAN_OPTIONS=detect_leaks=0
unset CI COLUMNS

# at_terminal NAME COMMAND - prints what a terminal gets, the first characters of each line; the number of updates depends
# on the machine. $slow writes a dump once the terminal has a progress line, however long a busy machine takes for it; $late
# writes it after more than a second, where no progress line is expected.
told='<erase>etinspect: [a-z ]*[0-9.%MB ]*'
late="{ sleep 1.2; cat testdata/mlp/run.etdp; }"
cat >until-told <<'END'
#!/bin/sh
# until-told NAME - waits for a progress line among what the terminal got.
n=0
until grep -qs 'etinspect: ' "$1.terminal" || [ $n = 6000 ]; do
    n=$((n + 1))
    sleep 0.01
done
END
chmod +x until-told
at_terminal() {
    slow="{ ./until-told $1; cat testdata/mlp/run.etdp; }"
    { script -qefc "stty rows 5 cols 80; $(echo "$2" | sed "s|SLOW|$slow|")" $1.terminal </dev/null >/dev/null
        sed '/^Script started/d; /^Script done/d' $1.terminal | sed '${/^$/d;}'; } | tr -d '\r' | sed "s/\x1b\[K/<erase>/g; s/^\($told\)\{1,\}<erase>/<told><erased>/" |
        head -n 3 | cut -c 1-60 >"$1.shown" &
}

at_terminal file "SLOW | etinspect --format json --output slow.json -"
at_terminal database "SLOW | etinspect --format sqlite --output slow.sqlite -"
at_terminal redirected "SLOW | etinspect --format tsv - >slow.tsv"
at_terminal error "{ ./until-told error; head -c 3000 testdata/mlp/run.etdp; } | etinspect --format tsv - >error.tsv"
at_terminal terminal "SLOW | etinspect --format tsv --no_pager -"
at_terminal pager "SLOW | etinspect -"
at_terminal sandbox "SLOW | etinspect --sandbox --format tsv - >sandbox.tsv"
at_terminal piped "$late | etinspect --format tsv - | cat >piped.tsv"
at_terminal logged "$late | etinspect --format tsv - 2>log >logged.tsv"
at_terminal dumb "$late | TERM=dumb etinspect --format tsv - >dumb.tsv"
at_terminal robot "$late | CI=true etinspect --format tsv - >robot.tsv"
wait
for name in file database redirected error terminal pager sandbox piped logged dumb robot; do
    echo "$name:"
    cat $name.shown
done
wc -c <log
