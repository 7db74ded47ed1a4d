# How files are assigned to sides, and the rejected combinations.
base=data/changes/base.etdp
new=data/changes/inserted.etdp
record=data/changes/base.etrecord
of_sides() {
    etinspect diff "$@" --format json | grep '"sources"' | grep -o '"path": "[^"]*"'
}
echo '== a record behind each'
of_sides $base $record $new data/changes/inserted.etrecord
echo '== one record is of both'
of_sides $base $new $record
echo '== several files'
of_sides --base $base --base data/changes/removed.etdp --new $new --new $record
refused etinspect diff $base
refused etinspect diff
refused etinspect diff $record data/changes/inserted.etrecord $base $new
refused etinspect diff $base $new data/changes/removed.etdp
refused etinspect diff --base $base
refused etinspect diff --base $base --base $record --base data/changes/inserted.etrecord --new $new
refused etinspect diff - -
refused etinspect diff $base ''
refused etinspect diff $base testdata/README.md
refused etinspect diff $base missing.etdp
refused etinspect diff $base $new --group color
refused etinspect diff $base $new --alpha 0
refused etinspect diff $base $new --alpha 2
refused etinspect diff $base $new --least_effect -- -1
refused etinspect diff $base $new --beta 1
refused etinspect diff $base $new --min_share 1
refused etinspect diff $base $new --margin 0
refused etinspect diff $base $new --one_process --format nothing
refused etinspect diff $base $new --skip_first -1
refused etinspect diff $base $new --skip_first 13
refused etinspect diff $base $new --block Nothing
refused etinspect diff $base $new --block Default --format nothing
etinspect diff $base $new --format tsv >whole.tsv
etinspect diff $base $new --block all --format tsv | cmp - whole.tsv
# A note that names no file begins with the ETDump of its side, or with the side; one about both sides is printed once.
p=testdata/prefill-decode
cp $p/run.etdp other.etdp
etinspect diff $p/run.etdp $p/run.etdp $p/record.etrecord >sides.txt
etinspect diff $p/run.etdp other.etdp $p/record.etrecord >sides.txt
etinspect diff $base --new $p/run.etdp --new testdata/small/run.etdp $p/record.etrecord >sides.txt
