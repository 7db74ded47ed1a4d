# A ZIP without the member that makes it an ETRecord is called neither an ETRecord nor a damaged one, whatever takes it.
printf hello >a.txt
zip -q -X other.zip a.txt
dump=testdata/mlp/run.etdp
for command in '' summary tree check program size graph tensors recover rows trend noise; do
    echo "# $command"
    # shellcheck disable=SC2086 # the first is no word
    etinspect $command other.zip 2>&1 | grep -o 'other.zip: a ZIP archive, but not an ETRecord' | sort -u
    etinspect $command other.zip >/dev/null 2>&1
    echo "exit $?"
done
refused etinspect $dump other.zip
refused etinspect $dump --etrecord_path other.zip
refused etinspect $dump --program_path other.zip
refused etinspect $dump --debug_buffer_path other.zip
refused etinspect --etdump_path other.zip
refused etinspect diff $dump other.zip
refused etinspect gate $dump $dump --budget other.zip
refused etinspect ops testdata/mlp/model.pte --available other.zip
refused etinspect rows $dump --etrecord_path other.zip
gzip -c other.zip >other.zip.gz
refused etinspect summary other.zip.gz
# Other ZIP files are recognized by their first member, and a damaged one is reported as such.
printf x >x.npy
zip -q -X arrays.npz x.npy
refused etinspect summary arrays.npz
head -c 100 other.zip >cut.zip
refused etinspect $dump cut.zip
