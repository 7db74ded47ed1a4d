#!/bin/sh
# The tables that completions offer are those that the command has.
dump=testdata/mlp/run.etdp
etinspect baseline save base.csv $dump
for number in 1 2 3 4 5 6 7 8 9 10 11 12; do # a trend needs many files
    sed "s/^file,run.etdp,.*/file,$number.etdp,,/" base.csv >$number.csv
done
# compare COMMAND... - prints the offered tables if the message about a wrong one lists others.
compare() {
    offered=$(etinspect help --values table "$1" -- $dump | paste -sd, | sed 's/,/, /g')
    listed=$(etinspect "$@" --table nosuch 2>&1 | sed -n "s/.*there \(are\|is only\) //p")
    [ -n "$listed" ] && [ "$offered" = "$listed" ] || echo "$1: offered are $offered, there are $listed"
}
compare diff base.csv base.csv
compare gate 1.csv 2.csv
compare noise 1.csv 2.csv
compare trend 1.csv 2.csv 3.csv 4.csv 5.csv 6.csv 7.csv 8.csv 9.csv 10.csv 11.csv 12.csv
compare baseline show base.csv
compare summary $dump
compare numerics testdata/mlp/run.etdp testdata/mlp/run.etdp --match instruction --debug_buffer_path testdata/mlp/debug_buffer.bin --debug_buffer_path testdata/mlp/debug_buffer.bin
