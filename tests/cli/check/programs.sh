# Checks programs: alone, beside the profile of their run, and without the needed program.
show etinspect check testdata/bundled-inputs/bundle.bpte
# Test cases with an input that has less data than its sizes require, and an output with another shape than the method's.
cp testdata/bundled-inputs/bundle.bpte faulty.bpte
chmod u+w faulty.bpte
printf '\011' | dd of=faulty.bpte bs=1 seek=4100 conv=notrunc 2>/dev/null
show etinspect check faulty.bpte
cp testdata/bundled-inputs/bundle.bpte unfit.bpte
chmod u+w unfit.bpte
printf '\003' | dd of=unfit.bpte bs=1 seek=4212 conv=notrunc 2>/dev/null
show etinspect check unfit.bpte
show etinspect check testdata/external-weights/model.ptd
show etinspect check testdata/external-weights/model.pte testdata/external-weights/model.ptd
for run in xnnpack-conv prefill-decode; do
    show etinspect check testdata/$run/run.etdp testdata/$run/model.pte
    show etinspect check testdata/$run/run.etdp
done
show etinspect check testdata/mlp/run.etdp testdata/xnnpack-conv/model.pte

# One dump belongs to one program.
refused etinspect check testdata/mlp/run.etdp testdata/mlp/model.pte testdata/small/model.pte
