# tests/parity/tensors.py reads the files with numpy and safetensors.
run=testdata/xnnpack-conv/run.etdp
tensors() {
    etinspect tensors "$run" testdata/xnnpack-conv/record.etrecord --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin -f csv --columns event_name,output "$@"
    echo "exit status $?"
}
# A name occurs before the elements and in the directory.
names_of() {
    grep -ao 'Execute[.0-9]*/[A-Za-z0-9_.:#]*npy' "$1" | uniq -c
}
tensors --save all.npz
names_of all.npz
# The selected rows are saved, in their order; by handle, those with a node of the program.
tensors --save chosen.npz --filter 'bytes > 100' --sort mean:desc --top 3
names_of chosen.npz
tensors --save by_handle.safetensors --key handle 2>&1
head -c 8 by_handle.safetensors | od -An -tu8
tail -c +9 by_handle.safetensors | head -c 288
echo
tensors --save folder --top 2
ls folder
# Existing files are kept unless they are to be replaced, and a failed attempt leaves nothing.
cp all.npz before.npz
tensors --save all.npz --top 1 2>&1
tensors --save folder --top 3 2>&1
ls folder
cmp all.npz before.npz && tensors --save all.npz --top 1 --force && names_of all.npz
for options in '--key handle' --force '--save -' '--save all.npz -o all.npz' '--save no/folder.npz' \
    '--save new.npz --sandbox' '--save new.npz --filter output==9' '--save new.npz --key node'; do
    # shellcheck disable=SC2086
    tensors $options 2>&1
done
etinspect tensors "$run" --debug_buffer_path testdata/xnnpack-conv/debug_buffer.bin --save new.npz --key handle 2>&1
find . -mindepth 1 -maxdepth 1 ! -name samples -printf "%f\n" | sort # samples do not exist everywhere
