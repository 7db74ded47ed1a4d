# Programs and data files in place of other inputs, and the reverse; programs of another version.
run=testdata/mlp/run.etdp
program=testdata/mlp/model.pte
cp testdata/external-weights/model.ptd weights
printf '\020\0\0\0ET13xxxxxxxx' >newer
printf '\020\0\0\0xxxxxxxxxxxx' >odd
: >empty
refused etinspect --etdump_path $run --etrecord_path $program
refused etinspect --etdump_path $run --etrecord_path weights
refused etinspect --etdump_path weights
refused etinspect --etdump_path $run --program_path weights
refused etinspect --etdump_path $run --program_path testdata/mlp/record.etrecord
refused etinspect --etdump_path $run --program_path $run
refused etinspect --etdump_path $run --program_path odd
refused etinspect --etdump_path $run --program_path empty
refused etinspect --etdump_path $run --program_path newer
refused etinspect $run newer
refused etinspect ops newer
head -c 3000 $program >shortened
refused etinspect ops shortened
