#!/bin/sh
# diff exits with 0 whatever changed; with --exit_code, as gate does.
SEED=1 history 6 | baseline base.csv
SEED=2 history 6 >same
baseline same.csv <same
slower native_call_addmm.out 2 <same | baseline slow.csv
SEED=3 history 1 | baseline one.csv
for new in same slow one; do
    etinspect diff base.csv $new.csv >/dev/null
    plain=$?
    etinspect diff base.csv $new.csv --exit_code >/dev/null
    code=$?
    etinspect diff base.csv $new.csv --exit_code --failed_status 3 --undecided_status 9 >/dev/null
    mapped=$?
    etinspect gate base.csv $new.csv >/dev/null
    echo "$new: $plain $code $mapped, gate $?"
done
refused etinspect diff base.csv slow.csv --failed_status 0
etinspect diff base.csv missing.csv --error_status 77 2>/dev/null
echo "exit $?"
