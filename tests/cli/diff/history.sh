# A baseline grows by one file each night, keeps the last ones, and survives an added operator.
dump() { # FILE START OPERATOR...: ten runs, in which operator k takes 100 * k + START + run ticks
    file=$1 start=$2
    shift 2
    separator=
    {
        printf '{"version": 0, "run_data": ['
        for run in 0 1 2 3 4 5 6 7 8 9; do
            at=1000 k=0
            printf '%s{"name": "Execute", "events": [' "$separator"
            separator=,
            for name in "$@"; do
                k=$((k + 1))
                end=$((at + 100 * k + start + run))
                printf '{"profile_event": {"name": "native_call_%s", "chain_index": 0, "instruction_id": %d, ' "$name" "$k"
                printf '"start_time": %d, "end_time": %d}},' "$at" "$end"
                at=$end
            done
            printf '{"profile_event": {"name": "Method::execute", "chain_index": -1, "instruction_id": -1, '
            printf '"start_time": 1000, "end_time": %d}}]}' "$at"
        done
        printf ']}\n'
    } | make-etdump "$file"
}
dump mon.etdp 1 add mul
dump tue.etdp 3 add mul
dump wed.etdp 5 add tanh mul
for night in mon tue wed; do
    show etinspect baseline save --append nights.csv $night.etdp --label device=board --label commit=$night --skip_first 0
    cp nights.csv $night.csv
done
# The output of flatc differs between versions.
sed '/^file/s/,[0-9]*,[0-9a-f]*,/,BYTES,SHA256,/' wed.csv
echo '== an event is a line'
diff tue.csv wed.csv | grep '^>' | cut -d , -f 1-2
show etinspect baseline show nights.csv
echo '== what does not belong there is refused, and nothing is lost'
refused etinspect baseline save --append nights.csv tue.etdp --label device=board
refused etinspect baseline save --append nights.csv mon.etdp
refused etinspect baseline save --append nights.csv testdata/mlp/run.etdp --label device=other
refused etinspect baseline save --append nights.csv nights.csv
refused etinspect baseline save --append nights.csv testdata/mlp/run.etdp --label device=board
refused etinspect baseline save --append mon.etdp tue.etdp
refused etinspect baseline save --append - tue.etdp
refused etinspect baseline save --samples --append nights.csv testdata/mlp/run.etdp --label device=board
refused etinspect baseline save --keep 0 other.csv tue.etdp
cmp nights.csv wed.csv
echo '== except on request'
cp nights.csv two.csv
show etinspect baseline save --append two.csv testdata/mlp/run.etdp --label device=board --allow_unlike
grep -c '^block,Execute' two.csv
echo '== the last two, and the same at once'
show etinspect baseline merge --keep 2 last.csv nights.csv
grep -e '^file' -e '^block' -e '^kernel' last.csv | sed '/^file/s/,[0-9]*,[0-9a-f]*,/,BYTES,SHA256,/'
etinspect baseline save all.csv mon.etdp tue.etdp wed.etdp --skip_first 0 --label device=board
grep -v '^file' all.csv >all && grep -v '^file' nights.csv | cmp - all
echo '== samples are kept once they are there'
etinspect baseline save --append --samples samples.csv mon.etdp
show etinspect baseline save --append samples.csv tue.etdp
sed -n '1p; /^kernel/p' samples.csv
etinspect baseline save wed.csv wed.etdp
refused etinspect baseline save --append samples.csv wed.csv
echo '== a file is the same file in a baseline'
etinspect diff nights.csv tue.etdp --label device=board --skip_first 0 | sed -n 1,2p
