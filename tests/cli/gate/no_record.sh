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
