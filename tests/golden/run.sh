#!/bin/sh
# run.sh BUILD [CASE...] - compares etinspect with the real Inspector's outputs in testdata/, byte for byte.
#
# One row of testdata/cases.tsv is one test for a table, and three for a TSV: --tsv_path, --format tsv, and the cells of
# --format csv. README.md describes the comparisons.
set -u
export LC_ALL=C

[ $# -ge 1 ] || { echo "usage: $0 BUILD [CASE...]" >&2; exit 2; }
# shellcheck source=tests/golden/common.sh
. "$(dirname "$0")/common.sh"
testdata=$top/testdata

# check NAME EXPECTED FOUND STATUS
check() {
    if [ "$4" = 0 ] && cmp -s "$2" "$3"; then
        n_passed=$((n_passed + 1))
        return
    fi
    n_failed=$((n_failed + 1))
    echo "FAILED $1 (exit status $4)"
    sed 's/^/    /' "$work/errors"
    diff "$2" "$3" 2>&1 | head -n 6 | cut -c 1-400 | sed 's/^/    /'
}

# Runs in the case's directory; the options are split at blanks, which none of them contains.
etinspect() {
    # shellcheck disable=SC2086
    (cd "$testdata/$case" && ${RUNNER-} "$build/etinspect" $options "$@") 2>"$work/errors"
}

check_table() {
    etinspect >"$work/found"
    check "$case/$output: table" "$testdata/$case/$output" "$work/found" $?
}

check_tsv() {
    etinspect --tsv_path "$work/found" >/dev/null
    check "$case/$output: --tsv_path" "$testdata/$case/$output" "$work/found" $?
    etinspect --format tsv >"$work/found"
    check "$case/$output: --format tsv" "$testdata/$case/$output" "$work/found" $?

    awk -v format=tsv -f "$here/cells.awk" "$testdata/$case/$output" >"$work/cells"
    etinspect --format csv >"$work/found"
    status=$?
    awk -v format=csv -f "$here/cells.awk" "$work/found" >"$work/found_cells" || status=1
    check "$case/$output: cells of --format csv" "$work/cells" "$work/found_cells" $status
}

while IFS=$tab read -r case output kind options; do
    case $case in '' | '#'*) continue ;; esac
    is_wanted "$case" "$@" || continue
    case $kind in
    table) check_table ;;
    tsv) check_tsv ;;
    attributes | error) ;; # tests/parity, tests/cli
    *) echo "FAILED $case/$output: unknown kind $kind" && n_failed=$((n_failed + 1)) ;;
    esac
done <"$testdata/cases.tsv"

echo "golden: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
