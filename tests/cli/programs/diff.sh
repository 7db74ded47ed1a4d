# Two programs: bytes, calls and places; with dumps on both sides, times.
show etinspect diff testdata/small/model.pte testdata/mlp/model.pte
show etinspect diff --all --table calls testdata/mlp/model.pte testdata/mlp/inline.pte
show etinspect diff -f csv --table sizes --base testdata/xnnpack-conv/model.pte --new testdata/xnnpack-conv/inline.pte
show etinspect diff testdata/mlp/model.pte testdata/multi-method/model.pte --table sizes

# A program belongs to the dump before it, and a single program to both sides.
etinspect diff -f json --no_sha256 testdata/mlp/run.etdp testdata/mlp/model.pte testdata/mlp-many-runs/run.etdp \
    testdata/mlp-many-runs/model.pte testdata/mlp/record.etrecord | grep -o '"kind": "[a-z]*", "path": "[^"]*"'
etinspect diff -f json --no_sha256 testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/model.pte |
    grep -o '"kind": "[a-z]*", "path": "[^"]*"'
refused etinspect diff testdata/mlp/model.pte
refused etinspect diff testdata/mlp/model.pte testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/small/model.pte
refused etinspect diff testdata/mlp/run.etdp testdata/mlp/model.pte testdata/mlp/inline.pte testdata/mlp-many-runs/run.etdp
refused etinspect diff testdata/mlp/model.pte testdata/mlp/inline.pte testdata/small/model.pte
refused etinspect diff --group op testdata/mlp/model.pte testdata/mlp/inline.pte
refused etinspect noise testdata/mlp/model.pte

# A baseline of a program alone has only its figures.
etinspect baseline save out.csv testdata/mlp/model.pte
cat out.csv
refused etinspect diff out.csv testdata/small/model.pte
refused etinspect noise out.csv
cp testdata/mlp/model.pte copy.pte
refused etinspect baseline save copy.pte testdata/mlp/run.etdp
cmp copy.pte testdata/mlp/model.pte
