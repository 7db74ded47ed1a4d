# The file is the unit of evidence, and a baseline records its files: a verdict needs five files per side, however many runs
# each has.
export LC_ALL=C.UTF-8
save() { # FILE START [DATE]: twenty runs that take START to START + 19
    {
        printf '%s\n' time_scale,ns ${3:+label,date,$3} block,Execute,,20,0
        printf 'execute,Method::execute,,,,,,,,,%s\n' "$(seq -s ';' "$2" "$(($2 + 19))")"
        printf 'kernel,add,aten.add,,,,,,,,%s\n' "$(seq -s ';' "$(($2 / 2))" "$(($2 / 2 + 19))")"
    } | baseline "$1.csv"
}
for i in 1 2 3 4 5; do
    save a$i $((1000000 + 10000 * i)) && save b$i $((1005000 + 10000 * i)) && save c$i $((1200000 + 10000 * i))
done
base='--base a1.csv --base a2.csv --base a3.csv --base a4.csv --base a5.csv'
columns=event_name,base,new,change,p,verdict
echo '# hundreds of runs of one process are one file'
show etinspect diff a1.csv c1.csv --columns $columns
echo '# all of one side among those of the other'
# shellcheck disable=SC2086
show etinspect diff $base --new b1.csv --new b2.csv --new b3.csv --new b4.csv --new b5.csv --columns $columns
echo '# all of one side above all of the other'
# shellcheck disable=SC2086
show etinspect diff $base --new c1.csv --new c2.csv --new c3.csv --new c4.csv --new c5.csv --columns $columns
echo '# a baseline knows of its files, and of their order'
etinspect baseline merge a.csv a1.csv a2.csv a3.csv a4.csv a5.csv
etinspect baseline merge c.csv c5.csv c2.csv c3.csv c1.csv c4.csv
show etinspect diff a.csv c.csv --columns $columns
etinspect diff a.csv c.csv --format json | grep -Eo '"(outcome|n_base|n_new|unit|n_fewest|total_change|n_judged|verdict)": [^,]*'
echo '# identical files'
for i in 1 2 3 4 5; do
    save same$i $((1000000 + 10000)) $i
done
show etinspect diff --base same1.csv --base same2.csv --base same3.csv --base same4.csv --base same5.csv --new c.csv --columns $columns
echo '# every run of a file takes the same ticks'
six() {
    echo "$1;$1;$1;$1;$1;$1"
}
cycles() { # FILE TICKS
    printf '%s\n' time_scale,cycles block,Execute,,6,0 \
        "execute,Method::execute,,,,,,,,,$(six $(($2 + 900)))" "kernel,add,,,,,,,,,$(six "$2")" | baseline "$1.csv"
}
cycles equal1 101
cycles equal2 151
show etinspect diff equal1.csv equal2.csv --source_time_scale cycles --target_time_scale cycles
show etinspect diff equal1.csv equal2.csv --source_time_scale cycles --target_time_scale cycles --one_process
