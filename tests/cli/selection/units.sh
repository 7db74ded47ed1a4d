# Numbers of filters have the units of their columns; a line explains a number without unit if people see another unit.
run=testdata/mlp/run.etdp
micro=$(printf '\302\265')
for filter in 'p50 > 5' 'p50 > 5 or share > 0.5' 'p50 > 0' 'p50 > 5us' "p50 > 5${micro}s" 'share > 30%' 'share > 30' 'p50 > 2KiB' 'share > 1us' \
    'calls > 5%' 'p50 > 5kg'; do
    show etinspect events $run --columns event_name,p50,share --top 1 --filter "$filter" 2>&1 | grep -v 'warm-up\|^p50: \|^operators and'
done
# Formats for programs and times in the scale of the output need no line.
show etinspect events $run --columns event_name --filter 'p50 > 0.005 and share > 0.5' -f csv
show etinspect events $run --columns event_name --filter 'p50 > 0.02' -f tsv
show etinspect events $run --columns event_name,p50 --filter 'p50 > 0.02' --target_time_scale ms
show etinspect events $run --columns event_name,p50 --filter 'p50 > 0.02' -f markdown
show etinspect memory testdata/mlp/model.pte --columns value,bytes --filter 'bytes > 128'
show etinspect memory testdata/mlp/model.pte --columns value,bytes --filter 'bytes >= 0.5KiB'
show etinspect memory testdata/mlp/model.pte --filter 'bytes > 1ms'
# A value of --sort may begin with a hyphen that is not an option's.
show etinspect events $run --columns event_name,p50 --sort -p50 --top 2 -f csv
show etinspect events $run --columns event_name,p50 --sort=-p50 --top 2 -f csv
show etinspect events $run --columns event_name,p50 --sort event_name,-p50 --top 3 -f csv
refused etinspect events $run --sort -f csv
refused etinspect events $run --sort --top 3
refused etinspect events $run --sort -p50:asc
refused etinspect events $run --top --sort
refused etinspect events $run --clock_hz 1.8
refused etinspect events $run --clock_hz 400
