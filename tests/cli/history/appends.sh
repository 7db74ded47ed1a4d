# Processes that append to one baseline at the same time, under any of its names, lose nothing, and no file is in it twice.
n=40
for night in $(seq $n); do
    SEED=$night history 1 | baseline "night$night.csv"
done
mkdir elsewhere
ln -s ../nights.csv elsewhere/link.csv
for night in $(seq $n); do
    name=nights.csv
    [ $((night % 2)) = 0 ] || name=elsewhere/link.csv
    etinspect baseline save --append $name "night$night.csv" 2>>messages &
done
wait
grep -v 'waiting for another process' messages >&2 # on a busy machine they wait for seconds
grep -c '^file,' nights.csv
etinspect baseline save --append mlp.csv testdata/mlp/run.etdp
cp mlp.csv before.csv
refused etinspect baseline save --append mlp.csv testdata/mlp/run.etdp
cmp before.csv mlp.csv && echo unchanged
SEED=41 history 1 | baseline night41.csv
etinspect baseline save --append --keep 3 --summary nights.csv night41.csv && grep -c '^file,' nights.csv
refused etinspect baseline save --append - night41.csv
