# For an ETDump that cannot be read there is a row with the reason, or no row, or the output ends.
mkdir -p fleet/device=a fleet/device=b
cp testdata/small/run.etdp fleet/device=a/1.etdp
head -c 100 testdata/small/run.etdp >fleet/device=a/2.etdp
: >fleet/device=b/3.etdp
cp testdata/small/run.etdp fleet/device=b/4.etdp
cp testdata/mlp/record.etrecord fleet/device=b/5.etdp
for mode in permissive dropmalformed failfast; do
    show etinspect rows --labels_from_path --mode $mode --columns path,device,event_name,elapsed,error --filter 'run == 0 and event_index < 2' \
        -f csv fleet missing/device=c/run.etdp
done
echo '--- a file appears when it is complete'
echo before >out.csv
show etinspect rows --mode failfast -o out.csv fleet
cat out.csv
show etinspect rows -o out.csv fleet
wc -l <out.csv
show etinspect rows --granularity dump --mode dropmalformed --columns path,count,p50 -f csv fleet
echo '--- no ETDump could be read'
show etinspect rows --columns path,error -f csv fleet/device=a/2.etdp missing.etdp
show etinspect rows --mode dropmalformed --columns path,error -f csv missing.etdp
echo '--- and so no file is replaced'
echo before >kept.csv
for mode in permissive dropmalformed; do
    show etinspect rows --mode $mode -o kept.csv fleet/device=a/2.etdp missing.etdp
done
cat kept.csv
show etinspect rows --columns path,error -o new.csv fleet/device=a/2.etdp missing.etdp
cat new.csv
show etinspect rows -o kept.csv fleet/device=a/2.etdp fleet/device=a/1.etdp
head -n 1 kept.csv
echo '--- what is wrong with all of them is no row'
show etinspect rows --target_time_scale cycles fleet
show etinspect rows --etrecord_path missing.etrecord fleet
show etinspect rows --etrecord_path testdata/mlp/record.etrecord --method backward fleet
show etinspect rows --etrecord_path fleet/device=a/2.etdp fleet
show etinspect rows --columns device fleet
show etinspect rows --filter 'elapsed > "x"' fleet
show etinspect rows --filter 'elapsed >' fleet
