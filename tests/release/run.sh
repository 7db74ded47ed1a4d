#!/bin/sh
# run.sh BUILD - tests the files of a release in BUILD/dist, as far as this machine can run them: names and digests; the Python
# packages by the rules of an index, and installed on each Python found; static programs in empty chroots; the image; the SBOM. Ends
# in "release: N passed, N failed, N skipped".
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd)
dist=$build/dist
venv=$build/release-venv
version=$(sed -n 's/^VERSION := //p' Makefile)
packaged=$(sed -n '1s/^etinspect (\(.*\)) .*/\1/p' debian/changelog)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0
n_skipped=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows the end of its output.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        tail -n 30 "$work/output" | sed 's/^/    /'
    fi
}

# suite COMMAND...: shows the output of a suite, and adds up the counts of its last line.
suite() {
    "$@" >"$work/suite" 2>"$work/suite.err" || tail -n 20 "$work/suite.err"
    cat "$work/suite"
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n '$s/^[a-z]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$work/suite")
    [ $# = 3 ] || set -- 0 1 0
    n_passed=$((n_passed + $1))
    n_failed=$((n_failed + $2))
    n_skipped=$((n_skipped + $3))
}

skip() {
    echo "skipped: $1"
    n_skipped=$((n_skipped + 1))
}

# The first command of README.md about the profile of doc/tour, and the first two lines that it prints.
awk '/^```console/ { shown = 1; next } /^```/ { shown = 0 } shown' README.md | head -n 3 >"$work/first"
command=$(sed -n '1s/^\$ //p' "$work/first")
sed 1d "$work/first" >"$work/expected"

# ---- names and digests ---------------------------------------------------------------------------

{
    echo SHA256SUMS
    for processor in x86_64 aarch64; do
        echo "etinspect-$version-cp310-abi3-manylinux_2_28_$processor.whl"
        printf '%s\n' "etinspect-$version-$processor-linux-musl" "etinspect-$version-$processor-linux-musl.licences.txt" \
            "etinspect-$version-$processor-linux-musl.sha256"
    done
    printf '%s\n' "etinspect-$version.tar.gz" "etinspect-$version-image.tar" "etinspect-$version.spdx.json"
} | sort >"$work/names"
ls "$dist" >"$work/all"
grep -v '\.deb$' "$work/all" | sort >"$work/found"
check 'all files are there, and no others' diff "$work/names" "$work/found"
packages=$(sed -n 's/^Package: //p' debian/control | sort -u)
architectures=$(sed -n 's/.*_\([a-z0-9]*\)\.deb$/\1/p' "$work/all" | sort -u)
for architecture in ${architectures:-$(dpkg --print-architecture)}; do
    for package in $packages; do
        check "$package for $architecture" test -e "$dist/${package}_$(printf %s "$packaged" | tr '~' .)_$architecture.deb"
    done
done
check 'SHA256SUMS fits' sh -c "cd '$dist' && sha256sum --check --strict --quiet SHA256SUMS"
sed 's/^[0-9a-f]*  //' "$dist/SHA256SUMS" | sort >"$work/summed"
grep -vx SHA256SUMS "$work/all" | sort >"$work/files"
check 'and lists all files' diff "$work/files" "$work/summed"
check 'one version is everywhere' env -u TAG sh .ci/release.sh names
# A copy of the sources, in which each refusal is provoked.
cp -r .ci "$work"
mkdir -p "$work/src/include" "$work/debian"
cp Makefile CHANGELOG.md "$work"
cp src/include/etinspect.h "$work/src/include"
cp debian/changelog "$work/debian"
names() { TAG=$1 sh "$work/.ci/release.sh" names; }
check 'another tag is refused' sh -c "! TAG='v9.9.9' sh '$work/.ci/release.sh' names"
# shellcheck disable=SC2016 # the shell must not expand it
check 'a tag is data' sh -c '! TAG='"'"'v0.0.0$(touch '"$work"'/owned)`touch '"$work"'/owned`'"'"' make --no-print-directory release-names; [ ! -e '"$work"'/owned ]'
sed '/^## \[Unreleased\]/,/^## \[[0-9]/{/^## \[[0-9]/!d;}' CHANGELOG.md >"$work/CHANGELOG.md"
check 'the tag of this version is accepted' names "v$version"
sed -i "s/^## \[$version\]/## [9.9.9]/" "$work/CHANGELOG.md"
check 'a version without a heading in CHANGELOG.md is refused' sh -c "! TAG= sh '$work/.ci/release.sh' names"

# ---- Python --------------------------------------------------------------------------------------

[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || exit 1
"$venv/bin/python" -m pip --disable-pip-version-check install -q packaging twine auditwheel spdx-tools >"$work/output" 2>&1 || cat "$work/output"
find "$venv" -maxdepth 1 -name 'pip-*.whl' | grep -q . || "$venv/bin/python" -m pip --disable-pip-version-check download -q --no-deps -d "$venv" pip
suite "$venv/bin/python" tests/release/check_packages.py "$dist" "$version"
suite sh tests/release/pythons.sh "$build" "$command" "$work/expected"

from_source() {
    python3 -m venv "$work/source" && "$work/source/bin/python" -m pip --disable-pip-version-check install -q "$dist/etinspect-$version.tar.gz" &&
        "$work/source/bin/python" tests/release/use_package.py doc/tour && "$work/source/bin/etinspect" --version
}
check 'pip builds the source distribution' from_source

# ---- programs ------------------------------------------------------------------------------------

# in_root FOLDER ARGUMENT...: runs /usr/bin/etinspect in a chroot that has nothing else.
in_root() {
    root=$1
    shift
    LC_ALL=C.UTF-8 chroot "$root" /usr/bin/etinspect "$@"
}

# answers COMMAND...: passes if the program gives the answer of README.md about the profile in the folder /tour.
answers() {
    "$@" --version | grep -qxF "etinspect $version" || return
    "$@" summary --width 80 /tour/model.etdp /tour/model.etrecord /tour/model.pte >"$work/answer" || return
    head -n 2 "$work/answer" | cmp - "$work/expected"
}

# try_root NAME PROCESSOR FOLDER: tests a program in a chroot if this machine has the processor, otherwise in QEMU.
try_root() {
    cp -r doc/tour "$3"
    if [ "$2" != "$(uname -m)" ]; then
        check "$1: QEMU runs it" sh -c "LC_ALL=C.UTF-8 'qemu-$2' '$3/usr/bin/etinspect' summary --width 80 doc/tour/model.etdp doc/tour/model.etrecord doc/tour/model.pte | head -n 2 | cmp - '$work/expected'"
    elif [ "$(id -u)" = 0 ]; then
        check "$1: it runs in an empty chroot" answers in_root "$3"
    else
        skip "$1 in an empty chroot: only root can use chroot"
    fi
}

for processor in x86_64 aarch64; do
    file=etinspect-$version-$processor-linux-musl
    check "$file: its digest" sh -c "cd '$dist' && sha256sum --check --strict --quiet '$file.sha256'"
    mkdir -p "$work/$processor/usr/bin"
    cp "$dist/$file" "$work/$processor/usr/bin/etinspect"
    chmod 755 "$work/$processor/usr/bin/etinspect" # artifacts of a workflow lose the modes of files
    try_root "$file" "$processor" "$work/$processor"
done

suite python3 tests/release/check_image.py "$dist/etinspect-$version-image.tar" "$version" "$work/image"
for processor in x86_64:amd64 aarch64:arm64; do
    check "the image of ${processor#*:} has the static program" \
        cmp "$dist/etinspect-$version-${processor%:*}-linux-musl" "$work/image/${processor#*:}/usr/bin/etinspect"
    try_root "the image of ${processor#*:}" "${processor%:*}" "$work/image/${processor#*:}"
done
if command -v skopeo >/dev/null; then
    check 'skopeo copies the image of all processors' skopeo copy -q --all "oci-archive:$dist/etinspect-$version-image.tar" "dir:$work/copied"
fi

# ---- the lines of README.md ----------------------------------------------------------------------

# Does not run the lines for the image, whose program ran above, and for the sources.
awk '/^## Install/ { is_here = 1 } /^```/ { is_shown = is_here && /^```sh/; next } /^## [^I]/ { is_here = 0 } is_shown' README.md |
    sed "s/  *#.*//; s/x86_64/$(uname -m)/; s/amd64/$(dpkg --print-architecture)/; s,/usr/local/bin,$work/bin," >"$work/lines"
sed -i 's/^apt-get install/apt-get install --simulate/' "$work/lines"
check 'README.md has five lines that install' test "$(cut -d ' ' -f 1 "$work/lines" | tr '\n' ' ')" = 'pip install apt-get docker make '
mkdir "$work/bin"
python3 -m venv "$work/installed"
while read -r line <&3; do
    case $line in docker* | make*) continue ;; esac
    check "$line" env PATH="$work/installed/bin:$PATH" PIP_NO_INDEX=1 PIP_FIND_LINKS="$dist" sh -c "cd '$dist' && $line"
done 3<"$work/lines"
for program in "$work/installed/bin/etinspect" "$work/bin/etinspect"; do
    check "${program#"$work/"} is of this version" sh -c "'$program' --version | grep -qx 'etinspect $version'"
done
check 'the image is named by this version' grep -q "^docker run .*:$version summary" "$work/lines"

# ---- the rest ------------------------------------------------------------------------------------

check 'the SBOM is valid' "$venv/bin/pyspdxtools" -i "$dist/etinspect-$version.spdx.json"
for file in "$dist"/*.whl "$dist"/etinspect-*-linux-musl; do
    check "the SBOM has the digest of ${file##*/}" grep -q "\"$(sha256sum "$file" | cut -d ' ' -f 1)\"" "$dist/etinspect-$version.spdx.json"
done
for file in "$dist"/*.deb; do
    check "${file##*/}: its version" sh -c "dpkg-deb -f '$file' Version | grep -qx '$packaged'"
done
echo "release: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
