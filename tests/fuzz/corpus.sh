# corpus.sh - read by the scripts beside it: the kept inputs of a target. Those that fuzzing found are packed in
# corpus/TARGET.tar; a regression is a file of its own, corpus/TARGET/regression-WHAT.

# unpack_corpus TARGET FOLDER: makes the folder anew with all inputs of the target, named as in the archive.
unpack_corpus() {
    rm -rf "$2"
    mkdir -p "$2"
    [ ! -f "tests/fuzz/corpus/$1.tar" ] || tar -C "$2" -xf "tests/fuzz/corpus/$1.tar" || return
    for regression in "tests/fuzz/corpus/$1"/regression-*; do
        [ ! -f "$regression" ] || cp "$regression" "$2"
    done
}

# pack_corpus TARGET FOLDER: packs the inputs of the folder besides regressions. The same inputs make the same archive, and
# uncompressed, so that Git stores what changed.
pack_corpus() {
    (
        cd "$2" || exit
        find . -type f ! -name 'regression-*' -printf '%f\n' | LC_ALL=C sort |
            tar --no-recursion --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf - -T -
    ) >"tests/fuzz/corpus/$1.tar.new"
    mv "tests/fuzz/corpus/$1.tar.new" "tests/fuzz/corpus/$1.tar"
}
