# The rows of an ETDump: one for each sample, or for each event of a dump; the same in every format.
show etinspect rows --list_columns testdata/small/run.etdp
show etinspect rows --etrecord_path testdata/mlp/record.etrecord --columns path,block,event_index,event_name,op_types,module,source,run,elapsed \
    --filter 'run < 2 and event_index > 4' -f csv testdata/mlp/run.etdp
show etinspect rows --granularity dump --target_time_scale us --label device=pixel8 --label build=1234 -f tsv --etrecord_path testdata/mlp/record.etrecord testdata/mlp/run.etdp
show etinspect rows --granularity dump --program_path testdata/xnnpack-conv/model.pte --etrecord_path testdata/xnnpack-conv/record.etrecord \
    --columns event_name,module,backend,is_delegated,instruction_id,p50 -f csv testdata/xnnpack-conv/run.etdp

# Two ETDumps are two files, not runs of one. ndjson is the default format; rows of both are in one table.
etinspect rows testdata/small/run.etdp testdata/mlp/run.etdp >both.ndjson
wc -l <both.ndjson
sed -n '1p;$p' both.ndjson
etinspect rows -o both.json testdata/small/run.etdp testdata/mlp/run.etdp
sed -n '1,11p' both.json
tail -n 4 both.json
for format in ndjson json csv tsv; do
    etinspect rows -f $format --columns run,elapsed testdata/small/run.etdp testdata/mlp/run.etdp |
        tr '\t' , | sed -n 's/.*"run": \([0-9]*\), "elapsed": \([0-9.]*\).*/\1,\2/; s/^\([0-9]*,[0-9.]*\).\{0,1\}$/\1/p' >"numbers-$format"
    cmp numbers-ndjson "numbers-$format" && wc -l <"numbers-$format"
done

# A comma ends each row except the last of all, also after the first event, which has many runs.
etinspect rows -f json --block Execute testdata/mlp/run.etdp testdata/mlp/run.etdp | grep '^{"path"' | sed 's/.*}//' | sort | uniq -c

# A formula in a path is not a formula in CSV.
cp testdata/small/run.etdp ./=1+1.etdp
etinspect rows --csv_safe --columns path --filter 'run == 0 and event_index == 0' -f csv =1+1.etdp

# Cycles of a delegate have no time, unless an option says their frequency: 20,000 cycles at 600 MHz are 33.33 us.
for scale in ns 600MHz; do
    show etinspect rows --delegate_time_scale $scale --columns event_name,elapsed,unit,value --filter 'run == 0 and event_index < 2' -f csv \
        --target_time_scale us testdata/backends/nxp_cnn/run.etdp
done
