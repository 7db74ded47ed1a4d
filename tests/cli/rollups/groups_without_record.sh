# Without the record operators have the names of their events, and the other columns are unknown.
show etinspect --group op --format tsv --columns op,events,calls testdata/xnnpack-conv/run.etdp
show etinspect --group module --format tsv --columns module,events,calls testdata/xnnpack-conv/run.etdp
show etinspect ops --format tsv testdata/small/run.etdp
# The text format names the missing input.
show etinspect tree testdata/small/run.etdp
show etinspect source testdata/small/run.etdp
show etinspect --group module:1 testdata/small/run.etdp
show etinspect --group backend testdata/small/run.etdp
