#!/bin/sh
# clones.sh WORK - builds a release of the last commit in two fresh clones below WORK, whose paths differ in length; compares the
# digests of all files, removes the second clone, and tests the files of the first.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
work=$(cd "$1" && pwd)
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
    echo 'release-check: there are uncommitted changes, which are not built: commit them first to test them' >&2
fi

# build FOLDER: builds a release in a fresh clone.
build() {
    rm -rf "${work:?}/$1"
    git clone -q "file://$(pwd)" "$work/$1"
    started=$(date +%s)
    make --no-print-directory -C "$work/$1" release >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        exit 1
    }
    echo "built a release in $(($(date +%s) - started)) s"
}

build one
build another/directory
diff "$work/one/build/dist/SHA256SUMS" "$work/another/directory/build/dist/SHA256SUMS"
echo "$(wc -l <"$work/one/build/dist/SHA256SUMS") files have the same bytes in both clones"
rm -rf "$work/another"
make --no-print-directory -C "$work/one" release-test
