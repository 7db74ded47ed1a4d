# Rules about modules, source lines and operators name the side that has no ETRecord, because it cannot match.
base=data/changes/base.etdp
new=data/changes/inserted.etdp
record=data/changes/inserted.etrecord
etinspect baseline save base.csv $base data/changes/base.etrecord
etinspect baseline save bare.csv $base
messages() { # RULE FILE...
    echo "== $*"
    etinspect gate --fail_on "$@" 2>&1 | grep 'to check:\|matches'
}
for rule in 'module=second:p50>+10%' 'source=*.py*:p50>+10%' 'optype=aten.*:p50>+10%' 'op=aten.*:p50>+10%'; do
    messages "$rule" base.csv $new
done
messages 'module=second:p50>+10%' bare.csv $new $record
messages 'module=second:p50>+10%' bare.csv $new
messages 'module=second:p50>1us' $new
messages 'module=nothing*:p50>1us' $new $record
messages 'op=*adddmm*:p50>1us' $new
# Groups of the rest, such as (framework), do not stand in for the groups of a rule: nothing was checked.
messages 'module:p50>+10%' base.csv $new
messages 'source:p50>+10%' bare.csv $new $record
messages 'module:p50>1ms' $new
messages 'module:p50>1ms' base.csv $new
SEED=1 history 5 | baseline old.csv
SEED=2 history 5 | baseline new.csv
sed 's/native_call_/other_/g' new.csv >renamed.csv
show etinspect gate --fail_on 'module:p50>+5%' --fail_on 'source:p50>+5%' --fail_on 'optype:p50>+5%' old.csv new.csv
show etinspect gate --fail_on 'module:p50>+5%' old.csv new.csv --all --format csv --table rules --columns verdict,checked,fit,rest
show etinspect gate --fail_on 'optype:p50>+5%' --fail_on 'op:p50>+5%' old.csv renamed.csv
# They are checked if the rule names them, and may fail.
show etinspect gate --fail_on 'module=(unknown):p50>+5%' old.csv new.csv
show etinspect gate --fail_on 'module:p50>1us' new.csv
# Without that, they do not fail either.
SEED=3 history 5 conv 1.3 0 | baseline slow.csv
show etinspect gate --fail_on 'module:p50>+5%' --fail_on 'source:p50>+5%' old.csv slow.csv
