# Nothing is taken from a record of another export; the warning is also the last line, and an error with --strict.
run=testdata/mlp/run.etdp
other=testdata/delegate-ids/record.etrecord
show etinspect tree $run $other --columns module,events --format tsv
show etinspect source $run $other --columns file,line,events --format tsv
show etinspect ops $run $other --columns op,events --format csv
show etinspect delegates $run $other --table outside --columns op,calls,splits --format csv
for command in summary tree source report 'diff testdata/small/run.etdp'; do
    # shellcheck disable=SC2086
    refused etinspect $command --strict $run $other
done

# The record of the program that ran is used, beside a program of another export.
run=testdata/xnnpack-conv/run.etdp
record=testdata/xnnpack-conv/record.etrecord
show etinspect tree $run $record testdata/mlp/model.pte --columns module,events --format tsv
refused etinspect tree --strict $run $record testdata/mlp/model.pte
# Of two exports, the program fits the events: the record does not.
show etinspect tree $run testdata/mlp/record.etrecord testdata/xnnpack-conv/model.pte --columns module,events --format tsv
# Without a run, the tensors of a program have no nodes and lines from such a record.
show etinspect memory testdata/xnnpack-conv/model.pte testdata/mlp/record.etrecord --table tensors --columns value,node,module,source --format csv

# If the files belong together, --strict changes nothing.
etinspect tree $run $record testdata/xnnpack-conv/model.pte --format tsv >usual.tsv
etinspect tree --strict $run $record testdata/xnnpack-conv/model.pte --format tsv | cmp - usual.tsv
