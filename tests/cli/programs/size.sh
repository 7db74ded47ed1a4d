# Causes of large files: rows that add up to the size.
show etinspect size testdata/xnnpack-conv/model.pte
show etinspect size testdata/xnnpack-conv/inline.pte
show etinspect size testdata/transformer/model.pte testdata/transformer/record.etrecord
show etinspect size --columns all -f csv --table parts testdata/multi-method/model.pte
show etinspect size testdata/state/model.pte
show etinspect size testdata/bundled-inputs/bundle.bpte
show etinspect size testdata/external-weights/model.pte
show etinspect size --sha256 -f csv --table parts testdata/external-weights/model.pte testdata/external-weights/model.ptd
show etinspect size --group category testdata/xnnpack-conv/model.pte
show etinspect size --group dtype testdata/transformer/model.pte
show etinspect size --group op testdata/transformer/model.pte
show etinspect size --group module testdata/transformer/model.pte testdata/transformer/record.etrecord
show etinspect size --group module testdata/prefill-decode/model.pte testdata/prefill-decode/record.etrecord
# the weights of delegates belong to the modules of the nodes that use them
show etinspect size --group module testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/record.etrecord

# All of them add up.
for file in testdata/*/*.pte testdata/*/*.bpte; do
    sum=$(etinspect size -f csv --table parts --columns bytes "$file" | awk 'NR > 1 { sum += $1 } END { print sum }')
    [ "$sum" = "$(wc -c <"$file" | tr -d ' ')" ] || echo "$file: $sum"
done

refused etinspect size --group value testdata/mlp/model.pte
refused etinspect size

# Data files alone; data files that a program does not use are rejected, and missing ones are named.
show etinspect size testdata/external-weights/model.ptd
show etinspect size --table categories testdata/external-weights/model.pte
show etinspect size testdata/mlp/model.pte --data testdata/external-weights/model.ptd
show etinspect program testdata/external-weights/model.ptd
show etinspect summary testdata/external-weights/model.ptd
show etinspect check testdata/external-weights/model.ptd
show etinspect check testdata/external-weights/model.pte
show etinspect check testdata/external-weights/model.pte testdata/external-weights/model.ptd
show etinspect check testdata/mlp/model.pte testdata/external-weights/model.ptd
