#!/bin/sh
# Options of the whole program may stand before the command, in full.
etinspect summary --width 60 --no_pager testdata/mlp/run.etdp >expected
etinspect --no_pager --width 60 summary testdata/mlp/run.etdp | cmp - expected
etinspect --no-pager --width=60 summary testdata/mlp/run.etdp | cmp - expected
etinspect --color never --width 60 summary testdata/mlp/run.etdp | cmp - expected
refused etinspect --format csv summary testdata/mlp/run.etdp
etinspect --no_pager --color never --ascii --threads 2 --sandbox help summary | head -n 1
show etinspect --color always --width 70 check testdata/mlp/run.etdp
refused etinspect --color sometimes check testdata/mlp/run.etdp
refused etinspect --sandbox measure --new "true {}"
refused etinspect --width summary testdata/mlp/run.etdp
