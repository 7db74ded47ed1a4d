#!/bin/sh
# Four options have a letter. Their values follow at once or as the next word.
etinspect --format csv testdata/mlp/run.etdp >expected
etinspect -f csv testdata/mlp/run.etdp | cmp - expected
etinspect -fcsv -o found testdata/mlp/run.etdp && cmp found expected
etinspect testdata/mlp/run.etdp -ofound -f tsv && ! cmp -s found expected
etinspect -V
etinspect check -h | head -n 1
refused etinspect -f
refused etinspect -fxml testdata/mlp/run.etdp
refused etinspect -o -f csv testdata/mlp/run.etdp
refused etinspect -Vx
refused etinspect -x csv testdata/mlp/run.etdp
