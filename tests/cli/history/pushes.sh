# The files of a push stay separate until a newer push is added; then they become one entry, which only trend can use.
push() { # COMMIT TIME...: a file for each time of an event
    commit=$1
    shift
    for time in "$@"; do
        printf 'time_scale,ns\nblock,Execute,,3,0\nexecute,Method::execute,,,,,,,,,%d;%d;%d\nkernel,a,,,,,,,,,%d;%d;%d\n' \
            $((time + 70)) $((time + 71)) $((time + 75)) "$time" $((time + 1)) $((time + 5)) | baseline "$commit-$time.csv"
        sed "/^file,/s/\$/,commit=$commit,date=2026-11-$commit/" "$commit-$time.csv" >labelled
        mv labelled "$commit-$time.csv"
    done
}
push 01 1000 1010 1200
push 02 1100 1110
push 03 123456 123476 123486
push 04 1300
etinspect baseline merge history.csv 01-*.csv
for commit in 02 03 04; do
    show etinspect baseline save --append history.csv $commit-*.csv
done
sed '/^file/s/,[0-9]*,[0-9a-f]*,/,BYTES,SHA256,/' history.csv
show etinspect baseline show history.csv --table files
echo '== only trend can use it'
refused etinspect diff history.csv 04-1300.csv
refused etinspect diff 04-1300.csv history.csv --allow_unlike
refused etinspect gate history.csv 04-1300.csv
refused etinspect noise history.csv
refused etinspect trend history.csv
echo '== the last two pushes'
etinspect baseline save --append --keep 2 history.csv 01-1000.csv
grep '^file' history.csv | cut -d , -f 2,5-
echo '== with samples, files stay separate'
cp 01-1000.csv samples.csv
etinspect baseline save --append samples.csv 01-1010.csv 02-*.csv
grep -c '^file' samples.csv
echo '== a known change is only counted'
SEED=5 history 24 addmm 1.2 14 | baseline nights.csv
awk '/^file,/ { $0 = $0 ",commit=77b" substr("0123456789abcdefghijklmnop", ++n, 1) } 1' nights.csv >commits.csv
printf '%s\n' pattern,reason,expires,commit '*conv*,other,,77be' '*addmm*,as wanted,2026-12-31,77be' 'x,no commit,,' >known.csv
etinspect trend commits.csv | sed -n '1,2p'
etinspect trend commits.csv --allow known.csv | sed -n '1,2p; /Changes/p'
show etinspect trend commits.csv --allow known.csv --all --table changes --columns event_name,label,number,known
etinspect trend commits.csv --allow known.csv --table changes -f csv --columns event_name,label,number,known
printf 'pattern,reason\na,b\n' >other.csv
refused etinspect trend commits.csv --allow other.csv
refused etinspect trend commits.csv --allow missing.csv
refused etinspect trend commits.csv --allow commits.csv
# Two files a job.
awk '/^file,/ { $0 = $0 ",job=" int(n * 0.5); n++ } 1' commits.csv >jobs.csv
etinspect trend jobs.csv --table summary -f csv --columns pushes,files,changed
etinspect trend jobs.csv --by commit --table summary -f csv --columns pushes,files,changed
etinspect trend jobs.csv --by file --table summary -f csv --columns pushes,files,changed
