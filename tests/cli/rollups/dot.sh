# Graphviz reads the output.
command -v dot >/dev/null || { echo 'Graphviz is not installed'; exit 77; }
for case in xnnpack-conv transformer dynamic-batch; do
    etinspect graph --format dot testdata/$case/run.etdp testdata/$case/record.etrecord |
        dot -Tplain | grep -c '^node'
done
etinspect graph --format dot testdata/mlp/run.etdp | dot -Tplain-ext >/dev/null && etinspect graph --format dot testdata/mlp/run.etdp
# weights, too
etinspect graph --format dot --all testdata/transformer/run.etdp testdata/transformer/record.etrecord | dot -Tplain | grep -c '^node'
