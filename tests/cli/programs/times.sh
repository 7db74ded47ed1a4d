# Instructions with the times of a run, the bytes that they move and the memory in use; loops, branches, delegates.
show etinspect program --table instructions testdata/mlp/model.pte testdata/mlp/run.etdp
show etinspect program --table instructions --columns instruction,call,calls,read_bytes,written_bytes,in_use_bytes \
    testdata/control-flow/model.pte testdata/control-flow/run.etdp
show etinspect program --table instructions testdata/xnnpack-conv/model.pte testdata/xnnpack-conv/run.etdp
show etinspect program --table instructions testdata/dynamic-views/model.pte testdata/dynamic-views/run.etdp
show etinspect program --table instructions --columns method,instruction,call,calls testdata/multi-method/model.pte \
    testdata/multi-method/run.etdp

# A dump of another program has no such instructions.
etinspect program testdata/mlp/model.pte testdata/small/run.etdp 2>&1 | tail -1
etinspect program testdata/mlp/model.pte testdata/small/run.etdp >/dev/null 2>&1 || echo "exit $?"

# Neither has one whose delegates logged other operators, though its instructions are the same.
sed 's/Convolution/Max Pooling/g' testdata/xnnpack-conv/run.etdp >other.etdp
etinspect program testdata/xnnpack-conv/model.pte other.etdp 2>&1 | tail -1
etinspect program testdata/xnnpack-conv/model.pte other.etdp >/dev/null 2>&1 || echo "exit $?"

# Unknown names of kernels prove nothing.
sed 's/Convolution/Xonvolution/g' testdata/xnnpack-conv/run.etdp >newer.etdp
etinspect program --table instructions --columns call,calls testdata/xnnpack-conv/model.pte newer.etdp
