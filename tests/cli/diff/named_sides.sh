# ETDumps and baselines after --base or --new belong to the side of the last of them: a shell expands `--new run-*.csv` to an
# option with one file and plain arguments. What precedes both options is the base, or is refused.
export LC_ALL=C.UTF-8
save() { # NAME START
    printf '%s\n' time_scale,ns block,Execute,,2,0 \
        "execute,Method::execute,,,,,,,,,$2;$(($2 + 9))" "kernel,add,aten.add,,,,,,,,$(($2 / 2));$(($2 / 2 + 5))" | baseline "$1.csv"
}
save base 1000000 && save old-1 1000100 && save old-2 1000200
save run-1 1000300 && save run-2 1000400 && save run-3 1900000
dump=data/changes/base.etdp
other=data/changes/inserted.etdp
record=data/changes/base.etrecord
of_sides() {
    echo "\$ diff $*"
    etinspect diff --table files --format csv --columns side,file "$@" 2>&1 | sed 1d
}
of_sides --base base.csv --new run-*.csv
of_sides --new run-*.csv --base base.csv old-2.csv
of_sides --new run-1.csv --base old-1.csv --new run-2.csv run-3.csv
of_sides base.csv --new run-*.csv
of_sides --base old-*.csv --allow_unlike --new=run-1.csv -- run-2.csv run-3.csv
echo '== an ETRecord is of both sides, or of the file before it'
for files in "--base $dump --new $other $record" "--base $dump $record --new $other data/changes/inserted.etrecord"; do
    # shellcheck disable=SC2086
    etinspect diff $files --format json | grep '"sources"' | grep -o '"path": "[^"]*"'
done
echo '== ETRecords alone are named'
of_sides $dump $other --base $record --new data/changes/inserted.etrecord
echo '== of two programs, one that is named says what the other is'
of_programs() {
    echo "\$ diff $*"
    etinspect diff --table sizes --filter 'kind == "file"' --format csv --columns base_bytes,new_bytes "$@"
}
of_programs testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/inline.pte
of_programs --base testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/inline.pte
of_programs --new testdata/xnnpack-conv/inline.pte testdata/xnnpack-conv/model.pte
of_programs --new testdata/xnnpack-conv/inline.pte --base testdata/xnnpack-conv/model.pte
echo '== what is not clear'
refused etinspect diff old-1.csv old-2.csv --new run-1.csv
refused etinspect diff old-1.csv --base old-2.csv --new run-1.csv
refused etinspect diff run-1.csv --base old-1.csv
refused etinspect diff --base old-1.csv run-1.csv
refused etinspect diff --new run-1.csv old-1.csv
refused etinspect diff --base testdata/xnnpack-conv/model.pte --new testdata/xnnpack-conv/inline.pte testdata/xnnpack-conv/model.pte
echo '== a gate sees what is slow only in the last file'
for files in '--base base.csv --new run-1.csv run-3.csv' 'base.csv --new run-1.csv run-3.csv'; do
    # shellcheck disable=SC2086
    show etinspect gate --fail_on 'op=add:p50>510us' $files --table rules --format csv --columns rule,verdict,failed
done
refused etinspect gate --fail_on 'p50>+5%' --new run-1.csv old-1.csv
refused etinspect gate --fail_on 'op=add:p50>510us' --new run-1.csv run-3.csv
