# Planned tensors, arenas and peaks of programs; tensors alive at an instruction; the map.
show etinspect memory testdata/mlp/model.pte
show etinspect memory --width 80 testdata/multi-method/model.pte
show etinspect memory --method encode --table arenas testdata/multi-method/model.pte
show etinspect memory testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/record.etrecord
show etinspect memory --columns all --table tensors -f csv testdata/state/model.pte
show etinspect memory --table tensors -f csv testdata/control-flow/model.pte
show etinspect memory -f json --no_sha256 testdata/small/model.pte
show etinspect memory --at 2 testdata/mlp/model.pte
show etinspect memory --at 4 --table arenas testdata/multi-method/model.pte
show etinspect memory --map testdata/transformer/model.pte
show etinspect memory --map --ascii --width 70 testdata/control-flow/model.pte
show etinspect memory --map -f csv testdata/multi-method/model.pte
show etinspect memory --table arenas testdata/bundled-inputs/bundle.bpte
show etinspect memory --list_columns testdata/small/model.pte

refused etinspect memory --at 6 testdata/mlp/model.pte
refused etinspect memory --method decode testdata/mlp/model.pte
refused etinspect memory
refused etinspect memory testdata/mlp/run.etdp
refused etinspect memory testdata/mlp/record.etrecord

# On a narrow screen the map is kept: columns beside it are omitted first, those with the same text in each row before
# others.
show etinspect memory --map --width 60 testdata/multi-method/model.pte
show etinspect memory --map --width 40 testdata/transformer/model.pte
show etinspect memory --map --width 30 testdata/transformer/model.pte

# Options without effect are rejected.
refused etinspect memory --etdump_path testdata/mlp/run.etdp testdata/mlp/model.pte
refused etinspect memory testdata/mlp/model.pte testdata/mlp/run.etdp
refused etinspect memory testdata/mlp/model.pte testdata/external-weights/model.ptd
refused etinspect size --skip_first 1 testdata/mlp/model.pte
refused etinspect size --method forward testdata/mlp/model.pte
refused etinspect program --debug_buffer_path x testdata/mlp/model.pte

# Views that instructions make show the bytes of other tensors.
show etinspect memory testdata/dynamic-views/model.pte
