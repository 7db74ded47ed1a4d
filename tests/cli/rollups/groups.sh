# Every grouping adds up to Method::execute; a delegate's events replace their call.
for group in op kernel backend compute_unit module module:1 source block method; do
    show etinspect --group $group --format tsv --target_time_scale us testdata/xnnpack-conv/run.etdp \
        testdata/xnnpack-conv/record.etrecord
done
# For people, unless another format is requested.
show etinspect --group op --width 80 testdata/mlp/run.etdp testdata/mlp/record.etrecord
# Parts of the hardware: those that Core ML logged, and a GPU's dispatches beside the time of the host around them.
apple=testdata/backends/coreml_cnn
show etinspect --group compute_unit --skip_first 0 --columns compute_unit,avg,share,events -f csv $apple/run.etdp $apple/model.etrecord $apple/model.pte
gpu=testdata/backends/vulkan_cnn
show etinspect --group compute_unit --skip_first 1 --columns compute_unit,avg,share,events -f csv $gpu/run.etdp $gpu/model.etrecord $gpu/model.pte
