#!/bin/sh
# run.sh BUILD - tests the Debian packages that make deb put into BUILD/deb: lintian finds no error and no warning, a second
# build in another directory gives the same bytes, and autopkgtest runs debian/tests on a system that has only these
# packages. That is a fresh Debian in BUILD/deb-root, which root can make; without root this is skipped. Ends in "debian: N
# passed, …".
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd)
root=$build/deb-root
# shellcheck disable=SC1091 # the system's
suite=$(. /etc/os-release && echo "$VERSION_CODENAME") # of the building machine
log=$build/deb.log
n_passed=0
n_failed=0
n_skipped=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows the end of its output.
check() {
    name=$1
    shift
    if "$@" >"$log" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        tail -n 40 "$log" | sed 's/^/    /'
    fi
}

as_lintian_likes() {
    if [ "$(id -u)" = 0 ]; then set -- --allow-root; fi
    lintian "$@" --fail-on error,warning "$build"/deb/*.changes
}

# Compares packages and tarballs; the files that list them contain the time of the build.
sums() {
    (cd "$1" && sha256sum ./*.deb ./*.tar.xz)
}

is_reproducible() {
    again=$(mktemp -d)
    mkdir -p "$again/another/directory"
    sh .ci/deb.sh "$again/another/directory/deb" && sums "$build/deb" >"$build/deb.sums" &&
        sums "$again/another/directory/deb" | diff "$build/deb.sums" -
    status=$?
    rm -rf "$again"
    return $status
}

# needs PACKAGE DEPENDENCY: a static library would not be updated with its package.
needs() {
    dpkg-deb -f "$build"/deb/"$1"_*.deb Depends | grep -F "$2 ("
}

# dpkg rejects a second package with the same file.
has_no_file_twice() {
    for package in "$build"/deb/*.deb; do
        dpkg-deb -c "$package" | awk '$1 !~ /^d/ { print $6 }'
    done | sort | uniq -d >"$build/deb.twice"
    cat "$build/deb.twice"
    [ ! -s "$build/deb.twice" ]
}

passes_autopkgtest() {
    [ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "$suite" "$root" || return
    chroot "$root" apt-get -q update || return
    copy=$root-used
    rm -rf "$copy"
    cp -a "$root" "$copy" || return
    autopkgtest "$build"/deb/*.changes -- chroot "$copy"
    status=$?
    rm -rf "$copy"
    return $status
}

check 'lintian finds nothing' as_lintian_likes
check 'etinspect needs the shared libmd' needs etinspect libmd0
check 'libetinspect1 needs the shared libmd' needs libetinspect1 libmd0
check 'no file is in two packages' has_no_file_twice
check 'a build in another directory gives the same bytes' is_reproducible
if [ "$(id -u)" = 0 ]; then
    check 'autopkgtest on a Debian that has the packages alone' passes_autopkgtest
    grep -E '^[a-z]+ +(PASS|FAIL|SKIP)' "$log"
else
    echo 'skipped: autopkgtest: only root makes a Debian to run it in'
    n_skipped=$((n_skipped + 1))
fi
echo "debian: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
