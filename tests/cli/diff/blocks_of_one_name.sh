# Blocks with one name have the labels of the other views in comparisons and baselines.
run=testdata/multi-method/run.etdp
etinspect diff --table total --columns block,total -f csv "$run" "$run"
etinspect baseline save base.csv "$run"
etinspect baseline show --columns block,event_name --filter 'event_name="Method::execute"' -f csv base.csv
etinspect diff --block 'Execute [1]' --table total --columns block,total -f csv "$run" "$run"
