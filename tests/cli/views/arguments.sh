# The tensors of operators: from the program, from the ETRecord, and for XNNPACK from its nodes; a copy has none.
conv=testdata/xnnpack-conv
columns=event_name,shapes,dtypes
show etinspect events $conv/run.etdp $conv/record.etrecord $conv/model.pte --columns $columns --width 160
show etinspect events testdata/mlp/run.etdp testdata/mlp/model.pte --columns $columns -f csv
show etinspect events testdata/mlp/run.etdp testdata/mlp/record.etrecord --columns shapes -f json
# Sizes that the run decides are unknown.
show etinspect events testdata/dynamic-batch/run.etdp testdata/dynamic-batch/model.pte --columns $columns -f tsv
# Lists of lists are values that can be sorted, compared and stored.
show etinspect events testdata/mlp/run.etdp testdata/mlp/model.pte --columns shapes --filter 'shapes == "[[2, 16], [2, 16]]"' -f markdown
show etinspect events testdata/mlp/run.etdp testdata/mlp/model.pte --columns event_name,shapes --sort shapes -f tsv
# Metadata are text, hexadecimal digits if they are not, or what --delegate_metadata says.
for form in '' '--delegate_metadata utf8' '--delegate_metadata json'; do
    # shellcheck disable=SC2086 # an option with its value
    show etinspect events testdata/delegate-ids/run.etdp --columns event_name,metadata -f csv $form
done
# Core ML logs where an operation could have run, Vulkan its tensors.
apple=testdata/backends/coreml_cnn
show etinspect events $apple/run.etdp $apple/model.pte --columns event_name,compute_unit,supported_units --filter 'role == "node"' --top 3 -f csv
gpu=testdata/backends/vulkan_cnn
show etinspect events $gpu/run.etdp $gpu/model.pte --columns event_name,shapes,dtypes --filter 'role == "node"' -f csv
