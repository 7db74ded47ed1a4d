# Lines of the exported files with their context; without the files, the lines quoted in the record.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
files='testdata/mlp/run.etdp testdata/mlp/record.etrecord'
mkdir -p below/models changed piped leading_out leading_in
cp testdata/models.py below/models/
sed 's/self.head/self.tail/' testdata/models.py >changed/models.py
mkfifo piped/models.py
ln -s ../below/models/models.py leading_out/models.py
cp testdata/models.py leading_in/elsewhere.py
ln -s elsewhere.py leading_in/models.py
columns='line,share,code,function'
# shellcheck disable=SC2086
{
    show etinspect source --format tsv --source_root below/models $files
    show etinspect source --format tsv --source_root below/models --context 0 --columns $columns $files
    show etinspect source --format tsv --source_root below --columns $columns $files
    show etinspect source --format tsv --source_root changed --columns $columns $files
    show etinspect source --format tsv --source_root piped --columns $columns $files
    show etinspect source --format tsv --source_root leading_out --columns $columns $files
    show etinspect source --format tsv --source_root leading_in --columns $columns $files
    ASAN_OPTIONS=detect_leaks=0 show etinspect source --format tsv --source_root below/models --sandbox --columns $columns $files
}
