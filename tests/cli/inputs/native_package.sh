# A native package is called one, whatever takes it, and not a ZIP that lacks the parts of an ETRecord.
cp testdata/backends/native_package/model.ptn .
for command in '' program check ops graph memory size summary events delegates recover; do
    # shellcheck disable=SC2086 # the first is no word
    refused etinspect $command model.ptn
done
refused etinspect testdata/mlp/run.etdp --etrecord_path model.ptn
refused etinspect testdata/mlp/run.etdp --program_path model.ptn
refused etinspect size --data model.ptn testdata/mlp/model.pte
# Only the member decides: a ZIP without it is another one, and a damaged one is left to its reader.
unzip -q model.ptn program.safetensors
zip -q -X weights.zip program.safetensors
refused etinspect program weights.zip
head -c 20000 model.ptn >cut.ptn
refused etinspect program cut.ptn
