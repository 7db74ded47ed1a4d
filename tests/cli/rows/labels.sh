# Labels come from folders KEY=VALUE in the paths of all files, and from --label, which takes precedence.
dump=testdata/small/run.etdp
labels() {
    show etinspect rows --labels_from_path --granularity dump --filter 'event_index == 0' --columns all -f csv "$@" | cut -d , -f 1-8
}
one() {
    mkdir -p "$1"
    cp $dump "$1/run.etdp"
}
one device=pixel8/build=1233
one device=pixel8/build=1234
one device=s24/night=2026-11-24
echo '--- keys that not all have, in order of appearance'
labels device=pixel8 device=s24
echo '--- a key twice: the innermost folder counts; --label counts before both'
one device=outer/device=inner
labels device=outer
labels --label device=said --label extra=1 device=outer
echo '--- no key, no value, several "="'
one "=empty/none=/two=a=b/__=c"
labels "=empty"
echo '--- as Spark and Hive write them'
one 'a%20b=x%3Dy%2Fz/null=__HIVE_DEFAULT_PARTITION__/odd=%zz%4/nul=%00'
labels a%20b=x*
echo '--- the name of a file is no label, nor is a word without a folder'
cp $dump key=value.etdp
labels key=value.etdp ./key=value.etdp
echo '--- not UTF-8'
one "$(printf 'k\377=v\376')"
labels "$(printf 'k\377=v\376')" | od -An -c | tr -d ' \n' | sed 's/\\n/\n/g'
echo
echo '--- no labels without the option'
etinspect rows --granularity dump -f csv device=s24 | sed 1q

# Labels that cannot be columns.
one run=3
refused etinspect rows --labels_from_path run=3
one path=here/error=none
refused etinspect rows --labels_from_path path=here
refused etinspect rows --label elapsed=1 $dump
refused etinspect rows --label table=1 $dump
refused etinspect rows --label provenance=1 $dump
refused etinspect rows --label =1 $dump
refused etinspect rows --label nothing $dump
for i in $(seq 1 300); do
    echo "l$i=$i/run.etdp"
done >many
refused etinspect rows --labels_from_path --files_from many
head -n 256 many >fewer
etinspect rows --labels_from_path --files_from fewer -f csv 2>/dev/null | awk -F , 'END { print NR " lines of " NF " columns" }'
