#!/bin/sh
# A slowdown and its absence are established after 8 pairs; values that scatter too much stay undecided. The exit status is
# that of gate. The state of the machine is left out here.
measure() {
    rm -f processes
    transcript-line etinspect measure "$@"
    etinspect measure "$@" --seed 1 >report
    status=$?
    grep -e '^measured' -e '^judged [0-9]* time' report
    echo "exit $status"
    wc -l <processes
}
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3'
measure --base 'act-as-model {}' --new 'act-as-model {}' --warmup 0
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 20
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 10
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 10 --margin 100%
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 10 --want 100%
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --fail_on 'op:p50>+5%'
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --fail_on 'op:p50>+50%'
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 6 --fail_on 'total:p50>+5%'
# Other programs expect other statuses; a failure of a command is an error.
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --failed_status 0
measure --base 'act-as-model {} level=0.6' --new 'act-as-model {} level=0.6' --pairs 6 --undecided_status 125
etinspect measure --base 'act-as-model {}' --new 'false {}' --error_status 128 2>&1
echo "exit $?"
# A single command is not compared.
rm -f processes
etinspect measure --new 'act-as-model {}' --pairs 6 >report
echo "exit $?"
grep -e '^measured' -e '^judged [0-9]* time' -e '^the total differs' report
etinspect measure --new 'act-as-model {}' --pairs 1 --warmup 0 >report
echo "exit $?"
grep -e '^measured' -e '^judged [0-9]* time' report
