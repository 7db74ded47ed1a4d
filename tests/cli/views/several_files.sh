# Each ETDump is another process, so it has its own warm-up, trend and outliers.
cp testdata/six-files/*.etdp .
show etinspect runs n?.etdp --filter 'flag = "outlier"' --columns run,deviation,z,dump,dump_run --format text
show etinspect summary n?.etdp --table facts --format tsv
show etinspect summary n?.etdp --table outliers --columns all --format tsv

# Each run has the flag and the deviation that it has in a profile of its file alone.
etinspect runs n?.etdp --columns dump,dump_run,flag,deviation,z --format csv | sed 1d >together.csv
for i in 0 1 2 3 4 5; do
    etinspect runs n$i.etdp --columns dump,dump_run,flag,deviation,z --format csv | sed 1d
done | cmp - together.csv && echo "$(wc -l <together.csv) runs are judged as in their files alone"

# The advice is given if all files have as many warm-up runs.
cp n3.etdp other.etdp
show etinspect runs n3.etdp other.etdp --filter 'run < 1' --columns run --format text

# Runs of files with few runs are compared with those of all files.
for i in 1 2 3 4; do
    make-etdump one$i.etdp <<END
{"version": 0, "run_data": [{"name": "Execute", "events": [{"profile_event": {"name": "Method::execute", "chain_index": -1,
  "instruction_id": -1, "start_time": 0, "end_time": ${i}000000}}]}]}
END
done
show etinspect runs one?.etdp --columns run,elapsed,deviation,dump --format text
