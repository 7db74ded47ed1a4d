# What check says of programs: alone, beside the profile that they ran in, and where they are missing.
show etinspect check testdata/bundled-inputs/bundle.bpte
show etinspect check testdata/external-weights/model.ptd
show etinspect check testdata/external-weights/model.pte testdata/external-weights/model.ptd
for run in xnnpack-conv prefill-decode; do
    show etinspect check testdata/$run/run.etdp testdata/$run/model.pte
    show etinspect check testdata/$run/run.etdp
done
show etinspect check testdata/mlp/run.etdp testdata/xnnpack-conv/model.pte

# One dump has one program.
refused etinspect check testdata/mlp/run.etdp testdata/mlp/model.pte testdata/small/model.pte
