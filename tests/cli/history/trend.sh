# Finds where a program got slower or faster in the course of its files.
export LC_ALL=C.UTF-8
history 40 addmm 1.2 16 all 0.88 25 | baseline files.csv
show etinspect trend files.csv --width 100
show etinspect trend files.csv --width 80 --ascii --top 2
show etinspect trend files.csv -f markdown --least_effect 15% --no_include_units --columns event_name,change,first,last,changes
# A second event and the seed change no finding here; threads change nothing at all.
etinspect trend files.csv -f json --threads 1 >one.json
etinspect trend files.csv -f json --threads 8 | cmp - one.json
etinspect trend files.csv -f json --seed 2 | grep -c '"number": 16'
# Programs get one number per file.
etinspect trend files.csv -f json | sed -n '/^"series"/,/^{.*"number": 1,/p' | sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/g'
etinspect trend files.csv -f csv | grep -c ',kernel,[0-9]*,files.csv,'
# Nothing changed, or too few files to detect it.
history 20 | baseline calm.csv
show etinspect trend calm.csv --width 100
history 8 all 3 4 | baseline few.csv
show etinspect trend few.csv --width 80 --columns event_name,series
show etinspect trend few.csv --width 80 --table total
show etinspect trend few.csv --table summary --format csv --columns files,fewest_for_total
history 11 | baseline enough.csv
show etinspect trend enough.csv --table summary --format csv --columns files,fewest_for_total,fewest_for_events
# Orders of up to 20 files are counted: a step in the fewest files is found with any seed.
history 11 all 1.3 5 | baseline step.csv
history 16 addmm 1.3 8 | baseline step_of_event.csv
for seed in 1 2 3 4 5 6 7 8; do
    etinspect trend step.csv --table changes -f csv --columns event_name,number,p --seed $seed
    etinspect trend step_of_event.csv --table changes -f csv --columns event_name,number,p --seed $seed
done | sort -u
# A history names the files, their commits and dates; an event added later is not judged, but the total includes it.
awk 'BEGIN {
    print "etinspect-baseline,4\ntime_scale,ns"
    for (i = 0; i < 14; i++)
        printf "file,night%d.etdp,,,commit=c%d,date=2026-01-%02d\n", i, i, i + 1
    print "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,step,fast,p50,p90,p95,p99,avg,min,max"
    for (i = 0; i < 14; i++) {
        runs = runs (i > 0 ? ";" : "") 1
        skipped = skipped (i > 0 ? ";" : "") 0
        old = old (i > 0 ? ";" : "") 50000 + i * 7 % 5 * 100
        later = later (i > 0 ? ";" : "") (i < 7 ? "" : 12000)
        total = total (i > 0 ? ";" : "") 50000 + i * 7 % 5 * 100 + (i < 7 ? 0 : 12000)
    }
    print "block,Execute,," runs "," skipped
    print "execute,Method::execute,,,,,,,,,,1," total "," total "," total "," total "," total "," total "," total "," total
    print "kernel,old,,old,,,,,,,,1," old "," old "," old "," old "," old "," old "," old "," old
    print "kernel,later,,later,,,,,,,,1," later "," later "," later "," later "," later "," later "," later "," later
    print "end,21"
}' </dev/null >nights.csv
show etinspect trend nights.csv --width 120 --all
# Fewer files are no trend, and other programs no history.
history 5 | baseline five.csv
refused etinspect trend five.csv
refused etinspect trend testdata/mlp/run.etdp
refused etinspect trend testdata/mlp/run.etdp testdata/transformer/run.etdp
refused etinspect trend testdata/mlp/run.etdp testdata/transformer/run.etdp --allow_unlike
refused etinspect trend
refused etinspect trend calm.csv --seed x
refused etinspect trend calm.csv --confidence 0.9
