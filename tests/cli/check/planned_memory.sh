# Memory that a program plans: correct in all methods, then with the offset of one tensor changed.
for program in testdata/*/model.pte testdata/*/inline.pte; do
    show etinspect check "$program"
done

# patch AT BYTES: copies a program, and changes the offset of the tensor whose place in the file is AT.
patch() {
    cp testdata/mlp/model.pte model.pte
    chmod u+w model.pte
    # shellcheck disable=SC2059 # the bytes are a format
    printf "$2" | dd of=model.pte bs=1 seek="$1" conv=notrunc 2>dd.log || cat dd.log
}

# From 256 to 128, where permute_copy writes.
patch 1296 '\200\000'
show etinspect check model.pte
show etinspect check testdata/mlp/run.etdp testdata/mlp/record.etrecord model.pte

# From 512 to 688, where the arena has 704 bytes.
patch 1084 '\260\002'
show etinspect check model.pte testdata/small/model.pte
