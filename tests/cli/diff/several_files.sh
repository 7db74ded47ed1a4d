#!/bin/sh
# Runs of one process tell nothing of how processes differ: with several files a side, all of them must tell of a change.
save() { # FILE START: twenty runs that take START to START + 19
    {
        printf '%s\n' etinspect-baseline,1 time_scale,ns block,Execute,,20,0
        printf 'kernel,add,aten.add,,,,,,,,%s\n' "$(seq -s ';' "$2" "$(($2 + 19))")"
    } >"$1.csv"
}
save a1 1000 && save a2 1100 && save a3 1200
save b1 1080 && save b2 1180 && save b3 1280
save c1 1300 && save c2 1400 && save c3 1500
columns=event_name,base,new,ratio,p,verdict
echo '# as far apart as each other'
show etinspect diff a1.csv a2.csv --columns $columns
show etinspect diff --base a1.csv --base a2.csv --base a3.csv --new b1.csv --new b2.csv --new b3.csv --columns $columns
show etinspect gate --base a1.csv --base a2.csv --base a3.csv --new b1.csv --new b2.csv --new b3.csv
echo '# all of one side above all of the other'
show etinspect diff --base a1.csv --base a2.csv --base a3.csv --new c1.csv --new c2.csv --new c3.csv --columns $columns
show etinspect gate --base a1.csv --base a2.csv --base a3.csv --new c1.csv
echo '# a baseline knows of its files'
show etinspect baseline merge a.csv a1.csv a2.csv a3.csv
show grep '^block' a.csv
show etinspect gate a.csv b2.csv
show etinspect gate a.csv c1.csv
for files in 0 20 40 40x '20;20' '20;' '20;60' 99999999999999999999; do
    sed "s/^block.*/block,Execute,,60,0,$files/" a.csv >bad.csv
    echo "$files"
    etinspect baseline show bad.csv >found 2>&1
    echo "exit $?"
    grep record found
done
