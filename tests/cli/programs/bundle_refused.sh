# Inputs from which no bundled program can be made, and their messages; nothing is written.
make-tensors in.npz x=f4:2x6
make-tensors out.npz y=f4:2x3
make-tensors wide.npz x=f8:2x6
make-tensors short.npz x=f4:2x5
make-tensors flat.npz x=f4:12
make-tensors two.npz x=f4:2x6 y=f4:2x6
make-tensors dynamic.npz x=f4:4x4
make-tensors scalar.npz y=i8:-
make-tensors answers.npz y=f4:12 z=i8:-
head -c 100 in.npz >cut.npz
printf 'no tensors' >text
model=testdata/multi-method/model.pte

refused etinspect bundle
refused etinspect bundle $model
refused etinspect bundle --inputs in.npz $model
refused etinspect bundle --inputs in.npz -o '' $model
refused etinspect bundle --inputs in.npz -o x.bpte
refused etinspect bundle --inputs in.npz -o x.bpte $model $model
refused etinspect bundle --expected out.npz --inputs in.npz -o x.bpte $model
refused etinspect bundle --inputs in.npz --expected out.npz --expected out.npz -o x.bpte $model
refused etinspect bundle --method decode --inputs in.npz -o x.bpte $model
refused etinspect bundle --inputs wide.npz -o x.bpte $model
refused etinspect bundle --inputs short.npz -o x.bpte $model
refused etinspect bundle --inputs flat.npz -o x.bpte $model
refused etinspect bundle --inputs two.npz -o x.bpte $model
refused etinspect bundle --inputs scalar.npz -o x.bpte $model
refused etinspect bundle --inputs in.npz --expected in.npz -o x.bpte $model
refused etinspect bundle --inputs in.npz --expected scalar.npz -o x.bpte $model
refused etinspect bundle --method encode --inputs in.npz --expected out.npz -o x.bpte $model
refused etinspect bundle --inputs dynamic.npz -o x.bpte testdata/dynamic-batch/model.pte
refused etinspect bundle --inputs short.npz --expected answers.npz -o x.bpte testdata/dynamic-batch/model.pte
refused etinspect bundle --inputs cut.npz -o x.bpte $model
refused etinspect bundle --inputs text -o x.bpte $model
refused etinspect bundle --inputs nothing.npz -o x.bpte $model
refused etinspect bundle --inputs in.npz -o x.bpte testdata/bundled-inputs/bundle.bpte
refused etinspect bundle --inputs in.npz -o x.bpte testdata/mlp/run.etdp
refused etinspect bundle --inputs in.npz -o x.bpte nothing.pte
refused etinspect bundle --inputs in.npz --force -o in.npz $model
refused etinspect bundle --inputs in.npz -o no/where.bpte $model
refused etinspect bundle --inputs in.npz -o . $model
refused etinspect bundle --inputs in.npz --format tsv -o x.bpte $model
show find . -maxdepth 1 -name "*bpte*"
