# Every grouping adds up to Method::execute; a delegate's events replace their call.
for group in op kernel backend compute_unit module module:1 source block method; do
    show etinspect --group $group --format tsv --target_time_scale us testdata/xnnpack-conv/run.etdp \
        testdata/xnnpack-conv/record.etrecord
done
# For people, unless another format is requested.
show etinspect --group op --width 80 testdata/mlp/run.etdp testdata/mlp/record.etrecord
