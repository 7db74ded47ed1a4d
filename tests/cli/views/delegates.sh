# Operators that delegates took, operators outside and splits of the graph, for each combination of inputs.
conv=testdata/xnnpack-conv
show etinspect delegates $conv/run.etdp $conv/record.etrecord $conv/model.pte
show etinspect delegates $conv/run.etdp
show etinspect delegates $conv/model.pte
show etinspect delegates --format csv $conv/run.etdp $conv/inline.pte
show etinspect delegates --format json --no_sha256 $conv/model.pte
# all operators run outside
show etinspect delegates testdata/small/run.etdp testdata/small/record.etrecord testdata/small/model.pte
show etinspect delegates testdata/transformer/run.etdp testdata/transformer/record.etrecord testdata/transformer/model.pte
show etinspect delegates --all --table outside --filter 'saves_at_most > 0.01' --columns op,saves_at_most testdata/transformer/run.etdp
refused etinspect delegates
refused etinspect delegates testdata/small/record.etrecord
