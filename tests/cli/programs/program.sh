# Content of a program, on one screen.
show etinspect program testdata/mlp/model.pte
show etinspect program testdata/xnnpack-conv/model.pte
show etinspect program testdata/multi-method/model.pte
show etinspect program --method encode testdata/multi-method/model.pte
show etinspect program testdata/dynamic-batch/model.pte
show etinspect program testdata/bundled-inputs/bundle.bpte
show etinspect program testdata/external-weights/model.pte testdata/external-weights/model.ptd
show etinspect program --program_path testdata/external-weights/model.pte --data testdata/external-weights/model.ptd --table files
show etinspect program -f json --no_sha256 testdata/small/model.pte
refused etinspect program
refused etinspect program testdata/mlp/run.etdp
