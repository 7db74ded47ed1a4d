#!/bin/sh
# lint.sh - analyses all sources statically; prints the findings, and fails if there are any.
#
# NODES bounds the states in which clang's analyzer visits a function. Its own default, 225000, takes twice as long as 75000.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build
sources=$(find src -name '*.c')
all=$(find src tests bench examples python -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp')
deep="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=${NODES:-75000}"
flags="-std=c17 -D_GNU_SOURCE -Isrc -Isrc/include -Itests/unit -Itests -Itests/fuzz $(pkg-config --cflags zlib)"

# shellcheck disable=SC2086,SC2046 # lists of files and flags
{
    clang-format --dry-run --Werror $all
    printf '%s\n' $sources | xargs -P 2 -n 4 sh -c \
        'clang-tidy --quiet --warnings-as-errors="*" '"$deep"' "$@" -- '"$flags"' 2>&1 |
         grep -v "warnings generated\|^Suppressed\|^Use -header" || true' sh >build/clang-tidy.log
    if grep -E 'warning:|error:' build/clang-tidy.log; then
        exit 1
    fi
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=tests/tools/cppcheck.txt -D_GNU_SOURCE -Isrc -Isrc/include src
    shellcheck -s sh .ci/run .ci/*.sh $(find tests bench examples -name '*.sh')
}
echo "lint: clean"
