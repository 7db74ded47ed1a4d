# Makes bundled programs of a program and any files of tensors; tests/parity compares them with the exporter's.
make-tensors in.npz x=f4:2x6
make-tensors out.npz y=f4:2x3
make-tensors code.npy y=f4:2x5:-1,0.5,0,0,0,0,0,0,0,1e30
make-tensors folder x=f4:2x6
model=testdata/multi-method/model.pte

show etinspect bundle --inputs in.npz --expected out.npz --inputs in.npz --method encode --inputs folder --expected code.npy -o model.bpte $model
show etinspect program --table test_cases model.bpte
show etinspect check model.bpte
show etinspect size --group category model.bpte

# Methods are in the order of their names, and the bundle does not depend on the format of the files.
show etinspect bundle --method encode --inputs in.npz --expected code.npy --method forward --inputs folder --expected out.npz --inputs folder -o other.bpte $model
show cmp model.bpte other.bpte

# Files are replaced only with --force.
show etinspect bundle --inputs in.npz -o model.bpte $model
show cmp model.bpte other.bpte
show etinspect bundle --force --inputs in.npz -o model.bpte $model
show etinspect program --table test_cases --columns method,test_case,port,dim_order model.bpte
etinspect bundle --inputs in.npz -o - $model | cmp - model.bpte && echo 'standard output: the same'

# Tensors without an order are sorted by name.
make-tensors many x10=f4:4 x9=f4:3x4
show etinspect bundle --inputs many -o control.bpte testdata/control-flow/model.pte
show etinspect program --table test_cases control.bpte

# A dynamic program accepts any number of elements up to its bound.
for sizes in 3x4 1x2 4x3 0x7; do
    make-tensors some.npz x=f4:$sizes
    show etinspect bundle --force --inputs some.npz -o dynamic.bpte testdata/dynamic-batch/model.pte
    show etinspect program --table test_cases --columns shape,bytes dynamic.bpte
done

# The exporter's own bundle.
show etinspect program --table test_cases testdata/bundled-inputs/bundle.bpte
show etinspect program --table test_cases testdata/bundled-inputs/model.pte
