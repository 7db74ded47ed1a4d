#!/bin/sh
# Sides of different jobs are not compared: machines differ more between jobs than builds do. Files of several jobs can be merged.
SEED=1 history 6 | baseline base.csv
SEED=2 history 6 | baseline new.csv
label() { # FILE JOB: prints the baseline with this label
    awk -v job="$2" '/^file,/ { $0 = $0 ",job=" job } { print }' "$1"
}
label base.csv 1 >base1.csv
label new.csv 1 >new1.csv
label new.csv 2 >new2.csv
for new in new new1 new2; do
    etinspect gate base1.csv $new.csv >report 2>&1
    echo "$new: $?, $(head -n 1 report)"
done
show etinspect gate base1.csv new2.csv --allow_unlike | head -n 2
show etinspect diff base1.csv new2.csv --exit_code --allow_unlike | head -n 2
etinspect baseline merge both.csv base1.csv new2.csv
echo "exit $?"
