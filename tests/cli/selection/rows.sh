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
