#!/bin/sh
# hardening.sh BUILD - what the compiler and the linker were to put into the program and the library against mistakes
# of ours is there.
set -u
export LC_ALL=C

build=$1
n_passed=0
n_failed=0
n_skipped=0

# expect NAME FILE PATTERN COMMAND...: the command's output on the file has a line that matches.
expect() {
    name=$1 file=$2 pattern=$3
    shift 3
    if "$@" "$build/$file" 2>&1 | grep -q -e "$pattern"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $file: $name: no line like $pattern from $*"
    fi
}

case "${CFLAGS-}" in
*-fsanitize* | *-O0*)
    echo 'skipped: this build is not hardened'
    n_skipped=1
    ;;
*)
    expect 'is position-independent' etinspect 'Type: *DYN' readelf -hW
    for file in etinspect libetinspect.so; do
        expect 'relocations are read-only' $file 'GNU_RELRO' readelf -lW
        expect 'symbols are bound at the start, so that all of these are' $file 'BIND_NOW\|FLAGS_1.*NOW' readelf -dW
        expect 'the stack is not executable' $file 'GNU_STACK.* RW ' readelf -lW
        expect 'functions guard their stack frames' $file '__stack_chk_fail' readelf -W --dyn-syms
        expect 'the C library checks sizes' $file '__[a-z]*_chk@' readelf -W --dyn-syms
    done
    ;;
esac

echo "hardening: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
