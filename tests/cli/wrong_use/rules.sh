#!/bin/sh
# Rules, budgets and exceptions of a gate that cannot be read or match nothing: the place, and a correct form.
base=testdata/mlp/run.etdp
new=testdata/mlp-many-runs/run.etdp
for rule in '' p50 'p50>' 'p50>5%' 'p50>+5' 'p50>20' 'p50>+20 usec' 'p50>-5%' 'p50<+5%' 'p50>=+5%' 'p50 +5%' 'p5>+5%' 'median>+5%' 'mean>+5%' 'P50>+5%' '>+5%' ':p50>+5%' \
    'ops:p50>+5%' 'opertors:p50>+5%' 'modul=head:p50>+5%' 'addmm:p50>+5%' 'total=x:p50>+5%' 'op=:p50>+5%' 'op=addmmm:p50>+5%' 'op:p50>+5% min_shar=1%' 'op:p50>+5% min_share=1' \
    'op:p50>+5% min_share=200%' 'op:p50>+5% min_effect=1%' 'op:p50>20kib' 'allocation:p50>+20us' 'op:p50>+5% and total:p50>+5%' 'delegates:p50>+5%' 'op:p50>20cycles'; do
    etinspect gate --fail_on "$rule" $base $new >/dev/null 2>found
    echo "exit $?: --fail_on '$rule'"
    cat found
done
# budget LINE... - judges with a budget of these lines.
budget() {
    printf '%s\n' "$@" >budget.csv
    { etinspect gate --budget budget.csv $base $new >/dev/null; } 2>&1
    echo "exit $?"
}
budget ''
budget 'what,metric'
budget 'what;metric;limit'
budget 'operator,metric,limit' 'total,p50,+5%'
budget 'what,metrc,limit' 'total,p50,+5%'
budget 'total,p50,+5%'
budget 'what,metric,limit,comment,more' 'total,p50,+5%,,'
budget 'what,metric,limit' 'total,p50'
budget 'what,metric,limit' 'total,p5,+5%'
budget 'what,metric,limit' 'total,p50,5%'
budget 'what,metric,limit' 'totl,p50,+5%'
budget 'what,metric,limit' ',p50,+5%'
# allow LINE... - allows the rows named in these lines.
allow() {
    printf '%s\n' "$@" >allow.csv
    { etinspect gate --allow allow.csv $base $new >/dev/null; } 2>&1
    echo "exit $?"
}
allow 'pattern,reason'
allow 'patern,reason,expires' 'total,known,2027-01-01'
allow 'pattern,reason,expires' 'total,,2027-01-01'
allow 'pattern,reason,expires' 'total,known,tomorrow'
allow 'pattern,reason,expires' 'total,known,2027-02-30'
allow 'pattern,reason,expires' ',known,2027-01-01'
refused etinspect gate --budget missing.csv $base $new
refused etinspect gate --budget $base $base $new
refused etinspect gate --allow $base $base $new
refused etinspect gate --budget - --allow - $base $new
