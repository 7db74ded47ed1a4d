#!/bin/sh
# Several processes write the same file many times concurrently: at any time it is one of theirs, and complete.
mlp=testdata/mlp
etinspect $mlp/run.etdp --format csv --output right.csv
cp $mlp/etdump-only.txt right.txt
cp $mlp/etdump-only.tsv right.tsv
mkdir place
write() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        etinspect $mlp/run.etdp --format "$1" --output place/found || echo "exit $?"
    done
}
cp right.txt place/found
write table &
write tsv &
write csv &
for _ in $(seq 50); do
    cat place/found >seen # cp fails if the name gets another file halfway
    cmp -s seen right.txt || cmp -s seen right.tsv || cmp -s seen right.csv || echo 'something else was seen'
done
wait
cmp -s place/found right.txt || cmp -s place/found right.tsv || cmp -s place/found right.csv || echo 'something else is left'
ls -A place
