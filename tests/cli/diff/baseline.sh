# A baseline holds all that diff needs: against the dump it was saved from nothing differs.
export LC_ALL=C.UTF-8
dump=testdata/mlp/run.etdp
record=testdata/mlp/record.etrecord
show etinspect baseline save mlp.csv $dump $record --label device=bench --label commit=1
cut -c 1-110 mlp.csv
etinspect baseline save - $dump $record --label commit=1 --label device=bench | cmp - mlp.csv
etinspect baseline merge again.csv mlp.csv
cmp again.csv mlp.csv
gzip -n <mlp.csv >mlp.csv.gz
for new in "$dump $record" $dump again.csv mlp.csv.gz; do
    # shellcheck disable=SC2086 # two files
    etinspect diff mlp.csv $new --columns delta,ratio,p,match,verdict --format tsv | awk 'NF > 1 && !/event_name|total/' |
        sed '/Method::execute/,/geometric/d' | sort | uniq -c
done
show etinspect baseline show mlp.csv --columns kind,event_name,n,module --width 100
echo '== a summary has no samples: nothing is tested'
etinspect baseline save summary.csv mlp.csv --summary
sed -n 1,9p summary.csv | cut -c 1-110
etinspect diff summary.csv $dump --columns verdict,n_base,n_new --format tsv | tail -n 7
echo '== two of them'
etinspect baseline merge twice.csv mlp.csv again.csv
grep -e ^block twice.csv
