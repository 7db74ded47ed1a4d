# Operators that delegates took, operators outside and splits of the graph, for each combination of inputs.
conv=testdata/xnnpack-conv
show etinspect delegates $conv/run.etdp $conv/record.etrecord $conv/model.pte
show etinspect delegates $conv/run.etdp
show etinspect delegates $conv/model.pte
show etinspect delegates --format csv $conv/run.etdp $conv/inline.pte
show etinspect delegates --format json --no_sha256 $conv/model.pte
# a program of another export is not used, and the backend that the ETRecord names has no bytes
show etinspect delegates $conv/run.etdp testdata/prefill-decode/model.pte --table backends
show etinspect delegates $conv/run.etdp $conv/record.etrecord testdata/mlp/model.pte --table backends
# bytes are those of the methods of the blocks, with or without an ETRecord: 1,552 of each method
for record in "" testdata/prefill-decode/record.etrecord; do
    for block in all prefill decode; do
        # shellcheck disable=SC2086 # no word without an ETRecord
        show etinspect delegates testdata/prefill-decode/run.etdp $record testdata/prefill-decode/model.pte --block $block --table backends --columns backend,bytes -f csv
    done
done
# a branch and a loop between two delegates
show etinspect delegates testdata/delegated-around/model.pte
show etinspect delegates testdata/delegated-around/run.etdp testdata/delegated-around/model.pte
# the summary counts the same operators, though both blocks have most of them
show etinspect summary testdata/delegated-around/run.etdp testdata/delegated-around/model.pte --table backends --columns backend,operators
# without an ETDump, the ETRecord has the operators of payloads that cannot be read
ids=testdata/delegate-ids
show etinspect delegates --table backends --columns backend,operators -f csv $ids/model.pte $ids/record.etrecord
show etinspect delegates --table backends --columns backend,operators -f csv $ids/model.pte
# all operators run outside
show etinspect delegates testdata/small/run.etdp testdata/small/record.etrecord testdata/small/model.pte
show etinspect delegates testdata/transformer/run.etdp testdata/transformer/record.etrecord testdata/transformer/model.pte
show etinspect delegates --all --table outside --filter 'saves_at_most > 0.01' --columns op,saves_at_most testdata/transformer/run.etdp
refused etinspect delegates
refused etinspect delegates testdata/small/record.etrecord
