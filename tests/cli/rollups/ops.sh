# The operators of the graph, delegated or not, and the delegates' names for theirs.
show etinspect ops --format tsv --columns all testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord
show etinspect ops --format tsv testdata/small/run.etdp testdata/small/record.etrecord
