#!/bin/sh
# Options of the whole program may precede the command, if written in full.
etinspect summary --width 60 --no_pager testdata/mlp/run.etdp >expected
etinspect --no_pager --width 60 summary testdata/mlp/run.etdp | cmp - expected
etinspect --no-pager --width=60 summary testdata/mlp/run.etdp | cmp - expected
etinspect --color never --width 60 summary testdata/mlp/run.etdp | cmp - expected
refused etinspect --format csv summary testdata/mlp/run.etdp
etinspect --no_pager --color never --ascii --threads 2 --sandbox help summary | head -n 1
show etinspect --color always --width 70 check testdata/mlp/run.etdp
make-journal runs run.journal
etinspect recover -o expected.etdp run.journal 2>/dev/null
etinspect --no_pager --color never --ascii --width 60 --threads 2 recover -o run.etdp run.journal 2>/dev/null && cmp run.etdp expected.etdp
make-tensors in.npz x=f4:2x8
etinspect --no_pager --color never --ascii --width 60 --threads 2 bundle --inputs in.npz -o out.bpte testdata/mlp/model.pte && test -s out.bpte
refused etinspect --sandbox recover -o run.etdp run.journal
refused etinspect --color sometimes check testdata/mlp/run.etdp
refused etinspect --sandbox measure --new "true {}"
refused etinspect --width summary testdata/mlp/run.etdp
