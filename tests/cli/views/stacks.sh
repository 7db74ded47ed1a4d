# Profiles by stack: modules, folded layers, delegates; files, compressed or not; sums equal to those of summary.
transformer="testdata/transformer/run.etdp testdata/transformer/record.etrecord"
conv=testdata/xnnpack-conv
# shellcheck disable=SC2086 # two files
show etinspect trace -f folded --fold_layers $transformer
# shellcheck disable=SC2086
etinspect trace -f folded $transformer | awk '{ total += $NF } END { print total " ns" }'
# shellcheck disable=SC2086
show etinspect summary --table account --columns part,avg --target_time_scale ns -f csv $transformer
show etinspect trace -f folded --filter is_delegated_op $conv/run.etdp $conv/record.etrecord
show etinspect trace -o x.speedscope.json --runs 9 --block Execute $conv/run.etdp
cat x.speedscope.json
show etinspect trace -o x.folded $conv/run.etdp
cat x.folded
show etinspect trace -o x.folded.gz $conv/run.etdp
gzip -dc x.folded.gz | cmp - x.folded && echo same
show etinspect trace -o x.pb $conv/run.etdp
show etinspect trace -o x.pb.gz $conv/run.etdp
gzip -dc x.pb.gz | cmp - x.pb && echo same
show etinspect trace -f pprof -o x.folded $conv/run.etdp
show etinspect ops -f folded $conv/run.etdp
show etinspect trace -f folded --target_time_scale cycles --source_time_scale cycles $conv/run.etdp
