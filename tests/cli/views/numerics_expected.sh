# Outputs of runs are compared with those that a bundled program expects. tests/parity/bundled.py compares the verdicts with
# the runtime's.
case ${RUNNER-} in *qemu-arm\ *) echo 'long doubles are doubles on armhf, and the last digits others' && exit 77 ;; esac
data=testdata/bundled-inputs
verify() {
    etinspect numerics $data/run.etdp --debug_buffer_path $data/debug_buffer.bin "$@"
    echo "exit status $?"
}
{
    verify --reference $data/bundle.bpte
    verify --reference $data/bundle.bpte --verify
    # shellcheck disable=SC2002 # a pipe can be read only once
    cat $data/bundle.bpte | verify --reference - --columns block,pass
    verify --reference $data/bundle.bpte --verify --rtol 0 --atol 0 -f csv --columns all
    # The outputs of input 1 differ from those of test case 0.
    verify --reference $data/bundle.bpte --testset 0 --verify --columns block,test_case,pass,status,failed,first_failed
    verify --reference $data/bundle.bpte --testset 0 --fail_on 'snr < 20' -f github
    verify --reference $data/bundle.bpte --testset 0 --verify --fail_on 'pass == true' -f junit
    verify --reference $data/bundle.bpte --block 'Execute [input 1]' --columns block
    # Test cases of other types and sizes, and without outputs.
    head -c 128 /dev/zero >zeros
    printf '%-64s' '{"x":{"dtype":"F32","shape":[1,8],"data_offsets":[0,32]}}' >header
    printf '\100\0\0\0\0\0\0\0' | cat - header >in.safetensors
    head -c 32 zeros >>in.safetensors
    etinspect bundle --inputs in.safetensors --inputs in.safetensors -o none.bpte $data/model.pte
    verify --reference none.bpte --verify
    printf '%-64s' '{"y":{"dtype":"F32","shape":[1,4],"data_offsets":[0,16]}}' >header
    printf '\100\0\0\0\0\0\0\0' | cat - header >out.safetensors
    head -c 16 zeros >>out.safetensors
    etinspect bundle --inputs in.safetensors --expected out.safetensors --inputs in.safetensors -o half.bpte $data/model.pte
    verify --reference half.bpte --columns block,test_case,pass,status,failed,snr
    verify --reference half.bpte --rtol 2 --fail_on 'snr > 1000'
    # Expressions cannot judge runs whose outputs lie beyond the end of the debug buffer.
    head -c 5000 $data/debug_buffer.bin >cut.bin
    for options in "--columns block,run,status,snr" "--fail_on snr<0" "--fail_on snr<0 --verify --columns block,run,status,snr"; do
        # shellcheck disable=SC2086 # several words
        etinspect numerics $data/run.etdp --debug_buffer_path cut.bin --reference $data/bundle.bpte --run all $options
        echo "exit status $?"
    done
    # Not all runs that ran pass.
    verify --reference half.bpte --rtol 2 --verify
    etinspect bundle --inputs in.safetensors --expected out.safetensors -o one.bpte $data/model.pte
    verify --reference one.bpte
    # Impossible requests.
    verify --reference $data/bundle.bpte --testset 2
    verify --reference $data/bundle.bpte --testset x
    verify --reference $data/bundle.bpte --match name
    verify --reference $data/bundle.bpte --metric l1
    verify --reference $data/bundle.bpte --min_compared 3
    verify --reference $data/bundle.bpte --fail_on 'passes == true'
    verify --reference out.safetensors --verify
    verify --verify
    head -c 4000 $data/bundle.bpte >cut.bpte
    verify --reference cut.bpte
    etinspect numerics testdata/mlp/run.etdp --debug_buffer_path testdata/mlp/debug_buffer.bin --reference $data/bundle.bpte
    echo "exit status $?"
} 2>&1
