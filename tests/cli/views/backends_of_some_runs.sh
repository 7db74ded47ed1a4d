# The mean time of a backend that only some runs have is the same in the summary and in the groups.
set -- testdata/xnnpack-conv/run.etdp testdata/small/run.etdp
etinspect summary --table backends --columns backend,avg -f csv "$@"
etinspect --group backend --columns backend,avg -f csv "$@"
