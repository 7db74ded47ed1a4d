#!/bin/sh
# valgrind.sh BUILD - runs the tests of the Python package and of Arrow in valgrind, and counts its errors and definite
# leaks only if the extension caused them: interpreters and libraries have their own. Needs BUILD/python-venv, which run.sh
# makes.
set -eu

cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
out=$build/python-tests
mkdir -p "$out"
export PYTHONPATH="$build/python" PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc OMP_NUM_THREADS=1 POLARS_MAX_THREADS=1
ours=$(cd python/extension && printf '%s|' *.c)
passed=0
failed=0

# run NAME ARGUMENT...: prints errors with a frame in the extension. valgrind reports __memmove_chk() as __memcpy_chk(),
# which glibc has at the same address: an overlap below a call of memmove() is not an error.
run() {
    name=$1
    shift
    status=0
    valgrind --leak-check=full --show-leak-kinds=definite --num-callers=40 --log-file="$out/valgrind-$name.log" \
        "$build/python-venv/bin/python" "$@" >"$out/valgrind-$name.out" 2>"$out/valgrind-$name.err" || status=$?
    awk -v ours="[(](${ours%|}):" '
        { sub(/^==[0-9]*== ?/, "") }
        /^Warning: set address range perms/ { next }
        $0 == "" {
            if (is_ours && !(record ~ /^Source and destination overlap in memcpy_chk/ && record ~ /: memmove \(/)) {
                printf "%s\n", record
                n++
            }
            record = ""
            is_ours = 0
            next
        }
        { record = record $0 "\n"; if ($0 ~ ours) is_ours = 1 }
        END { exit n > 0 }' "$out/valgrind-$name.log" >"$out/valgrind-$name.errors" && errors=0 || errors=1
    if [ "$status$errors" = 00 ] && grep -q 'HEAP SUMMARY' "$out/valgrind-$name.log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED valgrind: $name: status $status"
        head -n 60 "$out/valgrind-$name.errors"
        tail -n 5 "$out/valgrind-$name.out" "$out/valgrind-$name.err"
    fi
}

run package tests/python/package.py "$build"
run capture tests/python/capture.py "$build"
run arrow tests/python/arrow.py mlp
echo "valgrind: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
