# A baseline holds everything that diff needs: compared with the dump from which it was saved, nothing differs.
export LC_ALL=C.UTF-8
dump=testdata/mlp/run.etdp
record=testdata/mlp/record.etrecord
show etinspect baseline save mlp.csv $dump $record --label device=bench --label commit=1
cut -c 1-140 mlp.csv
etinspect baseline save - $dump $record --label commit=1 --label device=bench | cmp - mlp.csv
etinspect baseline merge again.csv mlp.csv
cmp again.csv mlp.csv
# A baseline is text, whatever its name says.
refused etinspect baseline save mlp.xlsx $dump $record
refused etinspect baseline merge mlp.Parquet mlp.csv
test ! -e mlp.xlsx && test ! -e mlp.Parquet && echo 'nothing was written'
gzip -n <mlp.csv >mlp.csv.gz
etinspect baseline save samples.csv $dump $record --label device=bench --samples
for new in "$dump $record --label device=bench" "$dump --label device=bench" again.csv mlp.csv.gz samples.csv; do
    # shellcheck disable=SC2086 # two files
    etinspect diff mlp.csv $new --all --columns delta,change,match --format json | grep -o '"change": [^,]*\|"match": [^,}]*' |
        sort | uniq -c
done
show etinspect baseline show mlp.csv --columns kind,event_name,n,module --width 100
echo '== with the times of all runs'
cut -c 1-140 samples.csv
etinspect baseline show mlp.csv -f json >one.json
etinspect baseline show samples.csv -f json >two.json
grep -o '"avg": [^,]*' one.json >one
grep -o '"avg": [^,]*' two.json | cmp - one
