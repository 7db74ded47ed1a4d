#!/bin/sh
# run.sh BUILD ARCHITECTURE... - builds for other architectures of Debian in BUILD/cross/ARCHITECTURE, and runs SUITES of
# tests/run.sh, or unit, golden and cli, with QEMU, JOBS at a time. Ends with "cross: N passed, N failed, N skipped".
#
# armhf has 32 bits, arm64 is used by phones, s390x is big-endian. QEMU runs their programs on this machine's kernel: it has
# no seccomp, does not emulate fork with threads and signals faithfully, and takes additional memory. Tests that do not work
# under QEMU skip themselves if RUNNER is set.
set -u
export LC_ALL=C

if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD ARCHITECTURE..." >&2
    exit 2
fi
cd "$(dirname "$0")/../.." || exit
build=$1/cross
shift
suites=${SUITES:-unit golden cli}
mkdir -p "$build"
cache=$(command -v ccache)

n_passed=0
n_failed=0
n_skipped=0

# triplet_of ARCHITECTURE, and qemu_of: print the names that GNU and QEMU use for it.
triplet_of() {
    case $1 in
    armhf) echo arm-linux-gnueabihf ;;
    arm64) echo aarch64-linux-gnu ;;
    s390x) echo s390x-linux-gnu ;;
    esac
}

qemu_of() {
    qemu=$(triplet_of "$1")
    echo "qemu-${qemu%%-*}"
}

# fail ARCHITECTURE MESSAGE [LOG]
fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED cross/$1: $2"
    [ $# -lt 3 ] || sed 's/^/    /' "$3"
}

# Prints the targets of `make tests-build` that the suites need.
targets() {
    echo all
    for suite in $suites; do
        case $suite in
        unit) find tests/unit -name 'test_*.c' | sed "s|^\(.*\)\.c$|$1/\1|" ;;
        cli) echo "$1/make_journal" ;;
        capture) echo "$1/play_calls" ;;
        fuzz) find tests/fuzz -name 'fuzz_*.c' | sed "s|^tests/fuzz/fuzz_\(.*\)\.c$|$1/replay_\1|" ;;
        esac
    done
}

build_for() {
    directory=$build/$1
    triplet=$(triplet_of "$1")
    sh tests/cross/sysroot.sh "$1" "$directory" libc6-dev libstdc++6 zlib1g-dev libcsv-dev libmd-dev libcmocka-dev libzip-dev \
        libsqlite3-dev libflatbuffers-dev || return
    sysroot=$(cd "$directory/sysroot" && pwd)
    # shellcheck disable=SC2046 # words
    PKG_CONFIG_LIBDIR="$sysroot/usr/lib/$triplet/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$sysroot" \
        ${MAKE:-make} -j"${JOBS:-2}" --no-print-directory BUILD="$directory" CFLAGS=-O2 AR="$triplet-ar" \
        CC="${cache:+$cache }$triplet-gcc --sysroot=$sysroot" CXX="${cache:+$cache }$triplet-g++ --sysroot=$sysroot" \
        $(targets "$directory") >"$directory/build.log" 2>&1 || { tail -n 40 "$directory/build.log" >&2 && return 1; }
}

test_on() {
    # shellcheck disable=SC2086 # words
    RUNNER="$(qemu_of "$1") -L $(cd "$build/$1/sysroot" && pwd)" JOBS=${JOBS:-2} sh tests/run.sh "$build/$1" $suites \
        >"$build/$1/tests.log" 2>&1
    cat "$build/$1/tests.log"
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p' "$build/$1/tests.log")
    [ -n "$counts" ] || { fail "$1" 'the tests did not end with their counts' && return; }
    read -r passed failed skipped <<COUNTS
$counts
COUNTS
    n_passed=$((n_passed + passed))
    n_failed=$((n_failed + failed))
    n_skipped=$((n_skipped + ${skipped:-0}))
}

for architecture in "$@"; do
    if [ -z "$(triplet_of "$architecture")" ]; then
        fail "$architecture" 'it is not one of armhf, arm64 and s390x'
        continue
    fi
    started=$(date +%s)
    build_for "$architecture" || { fail "$architecture" 'it does not build' && continue; }
    built=$(date +%s)
    echo "== $architecture, built in $((built - started)) s"
    test_on "$architecture"
    echo "== $architecture, tested in $(($(date +%s) - built)) s"
done

echo "cross: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
