#!/bin/sh
# No file may exceed a limit (ulimit -f): the first that would is reported, and stays unchanged.
[ -z "${RUNNER-}${TSAN_OPTIONS-}" ] || { echo "${RUNNER:-ThreadSanitizer} may write files itself"; exit 77; }
mlp=testdata/mlp
etinspect $mlp/run.etdp --csv_path right.csv --output /dev/null
mkdir place
for blocks in 0 1 2 3 4 5 8 12 16 24 32 40 48; do # units of 512 or 1024 bytes
    echo old >place/a
    echo old >place/b
    rm -f place/c
    (
        ulimit -f $blocks
        exec etinspect $mlp/run.etdp --tsv_path place/b --csv_path place/c --output place/a
    ) 2>message
    status=$?
    [ $status = 0 ] && [ ! -s message ] && echo ok
    [ $status = 4 ] && [ "$(wc -l <message)" = 1 ] && sed 's,place/[abc],FILE,' message
    for pair in a:etdump-only.txt b:etdump-only.tsv; do
        file=place/${pair%%:*}
        [ "$(cat "$file")" = old ] || cmp "$file" "$mlp/${pair#*:}"
    done
    [ ! -e place/c ] || cmp place/c right.csv
    find place -mindepth 1 ! -name '[abc]'
done | uniq
