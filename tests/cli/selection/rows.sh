# Rows are filtered, then sorted, then cut, and keep their numbers, in all of the Inspector's formats.
run=testdata/mlp/run.etdp
show etinspect $run --no_include_units --columns event_name,p50 --sort p50:desc --top 3
show etinspect $run --no_include_units --columns event_name,p50 --sort event_name,p50 --format tsv
show etinspect $run --no_include_units --columns p50 --filter 'event_name =~ "addmm" and not is_delegated_op' --format csv
show etinspect $run --columns event_name --filter 'avg > 30us' --format tsv
show etinspect $run --columns event_name,count --skip_first 15 --block Execute --top 1 --format tsv
show etinspect $run --columns event_name,count --skip_first 0 --block Execute --top 1 --format tsv
show etinspect $run --columns event_name --block all --sort start_time --top 1 --format tsv
# Upper and lower case, operators, escapes; for a filter that matches no row a message says so, and this is not a failure.
show etinspect $run --columns event_name --filter 'event_name =~* "ADDMM"' --format tsv
show etinspect $run --columns event_name --filter 'event_name !~ "(?i)ADDMM|Method|PROGRAM"' --format tsv
show etinspect $run --columns event_name --filter 'event_name =~ "ADDMM"' --format tsv
show etinspect summary $run --filter 'share > 2' -o summary.json
show etinspect $run --columns event_name --filter 'p50 > 3s' --format tsv --csv_path events.csv
show etinspect $run --columns event_name --filter 'p50 > 3s' --format tsv --block Default --sort event_name
# A long name that repeats the beginning of a match is read once, and too much work is refused at once.
awk 'BEGIN { for (i = 0; i < 100000; i++) name = name "conv"
    print "{run_data: [{name: \"Execute\", events: [{profile_event: {name: \"" name ".out\", end_time: 1}},",
          "{profile_event: {name: \"" name "\", end_time: 2}}]}]}" }' | make-etdump long.etdp
for pattern in 'conv.*out' 'softmax|conv.*out$' '(conv|relu)+x' '(conv)+$'; do
    echo "$pattern: $(etinspect rows --columns event_index --filter "event_name =~ \"$pattern\"" long.etdp 2>/dev/null | wc -l)"
done
etinspect events --filter 'event_name =~ "conv.{200}x"' long.etdp 2>&1 | grep -v warning
