# Processes that append to one baseline at the same time lose nothing, and a file is never in it twice.
for night in 1 2 3 4 5 6 7 8; do
    SEED=$night history 1 >"night$night.csv"
done
for night in 1 2 3 4 5 6 7 8; do
    etinspect baseline save --append nights.csv "night$night.csv" &
done
wait
grep -c '^file,' nights.csv
etinspect baseline save --append mlp.csv testdata/mlp/run.etdp
cp mlp.csv before.csv
refused etinspect baseline save --append mlp.csv testdata/mlp/run.etdp
cmp before.csv mlp.csv && echo unchanged
SEED=9 history 1 >night9.csv
etinspect baseline save --append --keep 3 --summary nights.csv night9.csv && grep -c '^file,' nights.csv
refused etinspect baseline save --append - night9.csv
