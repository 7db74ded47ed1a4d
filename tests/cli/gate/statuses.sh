#!/bin/sh
# Exit statuses can be mapped. gate.xml has a failure or an error exactly if the status is not 0, and other reports say what was
# allowed.
SEED=1 history 6 >base
SEED=2 history 6 >same
baseline base.csv <base
baseline same.csv <same
slower native_call_addmm.out 2 <same | baseline slow.csv
SEED=3 history 1 | baseline one.csv
gate() { # NEW OPTION...: prints the status, and the numbers of elements
    new=$1
    shift
    etinspect gate base.csv "$new" --report junit=gate.xml --report markdown=gate.md --github "$@" >printed 2>errors
    status=$?
    failures=$(grep -c '<failure \|<error ' gate.xml)
    if [ "$((failures > 0))" != "$((status != 0))" ]; then echo "gate.xml has $failures failures and errors:"; fi
    echo "$new $*: $status, $failures, $(grep -c 'allowed by' gate.md) $(grep -c '^::error' printed) $(grep -c '^::notice.*allowed by' printed)"
}
for failed in 0 1 7 255; do
    for undecided in 0 6 125; do
        for new in same slow one; do
            gate $new.csv --failed_status $failed --undecided_status $undecided
        done
    done
done
# A rule that is undecided beside one that failed: if the failure is allowed, so is the rest.
both="--fail_on op:p50>+5% --fail_on op:p99>+5%"
for map in '' '--failed_status 0' '--undecided_status 0'; do
    # shellcheck disable=SC2086 # several options
    gate slow.csv $both $map
done
show etinspect gate base.csv slow.csv --failed_status 0 | head -n 3
echo '== errors'
refused etinspect gate base.csv slow.csv --failed_status 256
show etinspect gate base.csv missing.csv --error_status 0
etinspect gate base.csv slow.csv --alpha 2 --error_status 128 2>/dev/null
echo "exit $?"
etinspect gate --fail_on nonsense --error-status=99 base.csv slow.csv 2>/dev/null
echo "exit $?"
etinspect gate base.csv slow.csv --error_status 128 >/dev/full 2>/dev/null
echo "exit $?"
