# Only the first ETDump of a file has rows; a warning names each file with more, once, whatever is written.
mkdir fleet
cp testdata/small/run.etdp fleet/one.etdp
cat testdata/small/run.etdp testdata/mlp/run.etdp >fleet/two.etdp
gzip -c fleet/two.etdp >fleet/packed.etdp.gz
show etinspect rows --columns path --filter 'run == 0 and event_index == 0' -f csv fleet
for format in csv ndjson json; do
    show etinspect rows -o rows.$format fleet/two.etdp fleet/one.etdp
done
echo '--- also if a file is replaced, or a sandbox reads it'
show etinspect rows -o rows.csv fleet/two.etdp fleet/one.etdp
ASAN_OPTIONS=detect_leaks=0 show etinspect rows --sandbox --columns path --granularity dump --filter 'event_index == 0' -f csv fleet/two.etdp
show etinspect rows --list_columns --columns path fleet/two.etdp
