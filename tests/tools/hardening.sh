#!/bin/sh
# hardening.sh BUILD - checks that the program and the library contain the protection that the compiler and the linker were
# to add.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0
n_skipped=0

# expect NAME FILE PATTERN COMMAND...: the command's output for the file has a line that matches.
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

# attempt OPTION RESULT: all attempts of an intruder have this result, and the output is complete.
attempt() {
    cd "$work" || exit 1
    : >mine
    "$build/etinspect" "$top/testdata/mlp/run.etdp" >expected 2>/dev/null
    # shellcheck disable=SC2086 # no option at all is one of the cases
    LD_PRELOAD="$build/escape.so" "$build/etinspect" $1 "$top/testdata/mlp/run.etdp" >found 2>attempts
    n=$(grep -c " $2\$" attempts)
    if cmp -s expected found && [ "$n" = 10 ] && [ "$(wc -l <attempts)" = 10 ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED with '$1' each attempt is $2:"
        cat attempts
    fi
    cd "$top" || exit 1
}

case "${CFLAGS-}" in
*-fsanitize* | *-O0*)
    echo 'skipped: this build is not hardened'
    n_skipped=1
    ;;
*)
    expect 'is position-independent' etinspect 'Type: *DYN' readelf -hW
    for file in etinspect libetinspect.so; do
        expect 'relocations are read-only' "$file" 'GNU_RELRO' readelf -lW
        expect 'symbols are bound at the start, so that all of these are' "$file" 'BIND_NOW\|FLAGS_1.*NOW' readelf -dW
        expect 'the stack is not executable' "$file" 'GNU_STACK.* RW ' readelf -lW
        expect 'functions guard their stack frames' "$file" '__stack_chk_fail' readelf -W --dyn-syms
        expect 'the C library checks sizes' "$file" '__[a-z]*_chk@' readelf -W --dyn-syms
    done
    if "$build/etinspect" --sandbox "$top/testdata/mlp/run.etdp" 2>&1 >/dev/null | grep -q 'not supported by this system'; then
        echo 'skipped: the system has no seccomp'
        n_skipped=$((n_skipped + 1))
    else
        attempt '' possible
        attempt --sandbox denied
    fi
    ;;
esac

echo "hardening: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
