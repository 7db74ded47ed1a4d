#!/bin/sh
# abi.sh BUILD [--update] - checks the interface on which compiled programs rely: compares the functions of etinspect.h, the
# layout of its structs and the numbers of its constants with abi.txt, so that changes are detected when they are made. With
# --update abi.txt is rewritten.
#
# Then it tests growing structs: one program is compiled with the current header and with one whose structs have an
# additional field, and each runs with both libraries.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
recorded=$top/tests/tools/abi.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n_passed=0
n_failed=0
n_skipped=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows its output.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        sed 's/^/    /' "$work/output" | head -n 40
    fi
}

# ---- what is there -------------------------------------------------------------------------------

# Prints the header, without comments and other headers, one declaration per line.
declarations() {
    ${CC:-cc} -E -P -include stdbool.h -include stdint.h "$1/etinspect.h" | tr '\n' ' ' | sed 's/extern "C" {//; s/[[:space:]][[:space:]]*/ /g' |
        sed 's/__attribute__((visibility("default")))/ETI_API/g; s/__attribute__((warn_unused_result))//g' |
        awk '{
            for (i = 1; i <= length($0); i++) {
                c = substr($0, i, 1)
                depth += (c == "{") - (c == "}")
                line = line c
                if (c == ";" && depth == 0) { print line; line = "" }
            }
        }' | sed 's/^ *//; s/ *\([(),;*{}]\) */\1/g'
}

functions() {
    declarations "$top/src/include" | sed -n 's/^ETI_API *//p' | sort
}

# Reads a header's declarations; prints the names of the structs that have fields, and of their fields.
fields() {
    sed -n 's/^typedef struct \(eti_[a-z_]*\){\(.*\)}eti_[a-z_]*;$/\1 \2/p' | while read -r struct body; do
        echo "$body" | tr ';' '\n' | sed 's/(\*\([a-z_0-9]*\)).*/ \1/; s/\[[^]]*\]//' | while read -r declaration; do
            [ -n "$declaration" ] || continue
            first=1
            for name in $(echo "$declaration" | tr ',' '\n' | sed 's/.*[ *]//'); do
                echo "$struct $name"
                first=0
            done
            [ $first = 0 ] || echo "$struct ?"
        done
    done
}

constants() {
    sed -n 's/^typedef enum eti_[a-z_]*{\(.*\)}eti_[a-z_]*;$/\1/p' | tr ',' '\n' | sed 's/ *=.*//' | grep .
}

# Prints the layout of structs and the constants as compiled.
layout() {
    declarations "$top/src/include" >"$work/declarations"
    {
        printf '#include "etinspect.h"\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n'
        fields <"$work/declarations" | cut -d ' ' -f 1 | uniq |
            sed 's/.*/printf("struct & %zu\\n", sizeof(&));/'
        fields <"$work/declarations" |
            sed 's/\(.*\) \(.*\)/printf("field \1.\2 %zu %zu\\n", offsetof(\1, \2), sizeof(((\1 *)0)->\2));/'
        constants <"$work/declarations" | sed 's/.*/printf("constant & %d\\n", (int)&);/'
        printf 'return 0;\n}\n'
    } >"$work/layout.c"
    ${CC:-cc} -I"$top/src/include" -o "$work/layout" "$work/layout.c" && "$work/layout"
}

{
    functions
    layout
} >"$work/abi.txt" 2>"$work/errors"
if [ "${2-}" = --update ]; then
    cp "$work/abi.txt" "$recorded"
    exit
fi
check 'the header can be taken apart' sh -c "cat '$work/errors'; ! test -s '$work/errors'"
if [ "$(getconf LONG_BIT)" = 64 ]; then
    check 'functions, structs and constants are those of tests/tools/abi.txt (abi.sh BUILD --update)' diff "$recorded" "$work/abi.txt"
else
    echo 'skipped: abi.txt is that of 64 bits'
    n_skipped=$((n_skipped + 1))
fi

# Every function in the list must be in the library.
sed -n 's/.*[ *]\(eti_[a-z0-9_]*\)(.*/\1/p' "$work/abi.txt" | sort -u >"$work/wants"
nm -D --defined-only "$build/libetinspect.so" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | grep '^eti_' | sort >"$work/has"
check 'the library exports these functions' diff "$work/wants" "$work/has"

# ---- structs that grow ---------------------------------------------------------------------------

# Makes a library whose structs have grown: every source that includes the header is compiled without optimisation.
make_grown_library() {
    mkdir "$work/src" || return
    cp -R "$top"/src/* "$work/src" && cp "$work/grown/etinspect.h" "$work/src/include/etinspect.h" || return
    cp -R "$top/Makefile" "$top/mk" "$top/tests" "$work" || return
    MAKEFLAGS='' make -s -j2 -C "$work" BUILD="$work/build" WERROR= HARDENING= CFLAGS='-O0' "$work/build/libetinspect.so"
}

compile_program() {
    # shellcheck disable=SC2086
    ${CC:-cc} -O0 -g -fstack-protector-all -I"$1" "$top/tests/tools/abi_program.c" -L"$2" -letinspect -o "$3"
}

check_growth() {
    # All structs that begin with their size get a final field, which must not disturb any program.
    mkdir "$work/grown"
    awk '/^typedef struct eti_/ { grows = 0 }
         /size_t struct_size;/ { grows = 1 }
         /^} eti_/ && grows { print "    double added[16];"; grows = 0 }
         { print }' "$top/src/include/etinspect.h" >"$work/grown/etinspect.h"
    check 'structs have grown' sh -c "! cmp -s '$work/grown/etinspect.h' '$top/src/include/etinspect.h'"
    check 'the library builds with the grown header' make_grown_library
    check 'the program compiles with the header' compile_program "$top/src/include" "$work/build" "$work/old"
    check 'the program compiles with the grown header' compile_program "$work/grown" "$work/build" "$work/new"
    cd "$top" || exit 1
    cp -R "$build"/libetinspect.so* "$work"
    for program in old new; do
        for library in "$work" "$work/build"; do
            LD_LIBRARY_PATH=$library "$work/$program" >"$work/out.$program.${library##*/}" 2>&1 || echo "exit status $?" >>"$work/out.$program.${library##*/}"
        done
    done
    check 'the program says something' test -s "$work/out.old.${work##*/}"
    for out in "$work"/out.*; do
        check "each program says the same with each library (${out##*/out.})" diff "$work/out.old.${work##*/}" "$out"
    done
}

case "${CFLAGS-} ${RUNNER-}" in
*-fsanitize* | *valgrind* | *--coverage*)
    echo 'skipped: structs that grow: this build needs a runtime of its own'
    n_skipped=$((n_skipped + 1))
    ;;
*)
    check_growth
    ;;
esac

echo "abi: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
