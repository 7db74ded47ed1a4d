#!/bin/sh
# A slowdown and its absence are established after 6 pairs; values that scatter too much stay undecided. The state of the
# machine is left out here.
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
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 10
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 10 --want 100%
# A change of a size below the least effect does not count, so a larger one must be detectable.
measure --base 'act-as-model {}' --new 'act-as-model {}' --want 3%
# The estimate uses the alpha of each of four looks, whatever the number of pairs; --pairs does not allow every number.
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 5
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 6
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 6 --want 0.3%
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 6 --want 0.01%
# With rules, the exit status is that of gate.
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --fail_on 'op:p50>+5%'
measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --fail_on 'op:p50>+50%'
measure --base 'act-as-model {} level=0.3' --new 'act-as-model {} level=0.3' --pairs 6 --fail_on 'total:p50>+5%'
# A single command is not compared.
rm -f processes
etinspect measure --new 'act-as-model {}' --pairs 6 >report
echo "exit $?"
grep -e '^measured' -e '^judged [0-9]* time' -e '^the total differs' report
etinspect measure --new 'act-as-model {}' --pairs 1 --warmup 0 >report
echo "exit $?"
grep -e '^measured' -e '^judged [0-9]* time' report
