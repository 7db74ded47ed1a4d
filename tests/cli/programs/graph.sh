# Instructions of a method, and where their values come from: branches and loops, moves, views, delegates.
show etinspect graph testdata/mlp/model.pte
show etinspect graph --all testdata/control-flow/model.pte
show etinspect graph --all --columns all -f csv testdata/xnnpack-conv/model.pte
show etinspect graph -f dot testdata/state/model.pte
show etinspect graph --all -f dot testdata/small/model.pte
show etinspect graph testdata/external-weights/model.pte testdata/external-weights/model.ptd
