#!/bin/sh
# zig.sh TARGET [GOAL...] - builds for another system, or an older one, with zig cc: make's goals, in build/zig/TARGET.
#
#     .ci/zig.sh x86_64-linux-musl             the program, static
#     .ci/zig.sh aarch64-linux-gnu.2.28        the program and the shared libraries, for glibc 2.28 and newer
#     .ci/zig.sh aarch64-macos                 all sources, compiled; never run
#
# A GOAL that begins with @ is a file of the folder: @etinspect is build/zig/TARGET/etinspect. In the environment, BUILD
# names another folder than build, and MAKEFLAGS has the other options of make. The libraries of sources.txt are compiled
# into the results. zig is installed from PyPI, into build/zig/venv. The same sources give the same bytes in any folder.
set -eu

zig_version=0.17.1

[ $# -ge 1 ] || { echo "usage: $0 TARGET [GOAL...]" >&2; exit 2; }
target=$1
shift
case $target in
*-linux-musl* | *-linux-gnu* | *-macos*) ;;
*) echo "$0: a target is like x86_64-linux-musl, aarch64-linux-gnu.2.28 or aarch64-macos, and not '$target'" >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
top=$(pwd)
mkdir -p "${BUILD:-build}/zig/$target"
zig_build=$(cd "${BUILD:-build}/zig" && pwd)
out=$zig_build/$target
libraries=$out/libraries
work=$(mktemp -d)
zig='' licence=''
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# ---- zig and sources ---------------------------------------------------------------------------

# Starting zig through Python takes longer than compiling many files, so make gets the program itself.
install_zig() {
    [ -x "$zig_build/venv/bin/python" ] || python3 -m venv "$zig_build/venv"
    "$zig_build/venv/bin/python" -m pip --disable-pip-version-check install -q "ziglang==$zig_version" >&2
    zig=$("$zig_build/venv/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
    ZIG_GLOBAL_CACHE_DIR=$zig_build/cache
    ZIG_LOCAL_CACHE_DIR=$zig_build/cache
    export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
}

# download URL FILE
download() {
    if [ -x /usr/lib/apt/apt-helper ]; then
        /usr/lib/apt/apt-helper -qq download-file "$1" "$2" >"$work/log" 2>&1
    else
        curl -fsSL -o "$2" "$1" >"$work/log" 2>&1
    fi
}

# fetch NAME VERSION URL SHA256: puts its source into sources/NAME-VERSION, as in Debian.
fetch() {
    [ -d "$zig_build/sources/$1-$2" ] && return
    archive=$work/${3##*/}
    download "$3" "$archive" || { echo "$0: cannot fetch $3: $(tail -n 1 "$work/log")" >&2; exit 1; }
    found=$(sha256sum "$archive" | cut -d ' ' -f 1)
    [ "$found" = "$4" ] || { echo "$0: $3 is not what sources.txt names: its SHA-256 is $found, not $4" >&2; exit 1; }
    mkdir -p "$zig_build/sources" "$work/$1"
    tar -xf "$archive" -C "$work/$1" --strip-components=1
    mv "$work/$1" "$zig_build/sources/$1-$2"
}

# ---- the libraries -----------------------------------------------------------------------------

# compile NAME SOURCE... - makes libNAME.a of the sources, which are in $source. zlib assumes that Macs lack fdopen().
compile() {
    archive=$libraries/lib/lib$1.a
    shift
    rm -f "$archive" "$work"/*.o
    for file in "$@"; do
        (cd "$source" && "$zig" cc -target "$target" -O2 -w -fPIC -fvisibility=hidden -ffile-prefix-map="$source=." -I. -Iinclude -I"$work/config" \
            -DHAVE_UNISTD_H -DHAVE_HIDDEN -D_GNU_SOURCE -Dfdopen=fdopen -c "$file" -o "$work/$(basename "$file" .c).o")
    done
    "$zig" ar rcs "$archive" "$work"/*.o
}

# add NAME VERSION: adds the library's headers and archive, and its licence.
add() {
    source=$zig_build/sources/$1-$2
    case $1 in
    libcsv)
        compile csv libcsv.c
        cp "$source/csv.h" "$libraries/include"
        licence=COPYING.LESSER
        ;;
    libmd)
        cp "$source/include/sha2.h" "$libraries/include"
        case $target in *-macos*) return ;; esac # its symbols have two names each, which Mach-O does not support
        compile md src/sha2.c
        licence=COPYING
        ;;
    zlib)
        compile z adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
        cp "$source/zlib.h" "$source/zconf.h" "$libraries/include"
        licence=LICENSE
        ;;
    *)
        echo "$0: nothing says how $1 is compiled" >&2
        exit 1
        ;;
    esac
    add_licence "$1 $2" "$source/$licence"
}

# add_licence NAME FILE
add_licence() {
    printf '==== %s ====\n\n' "$1"
    cat "$2"
    echo
} >>"$libraries/licences.txt"

# Declarations only, since SQLite is loaded when a database is requested.
add_sqlite_header() {
    cp "$(pkg-config --variable=includedir sqlite3)/sqlite3.h" "$libraries/include"
}

# Python's limited interface is the same for all processors with equal sizes of types, which the extension checks. Debian's
# pyconfig.h includes that of the target processor, which is missing.
add_python_headers() {
    [ -d "$libraries/python" ] && return
    python3 - "$libraries/python.new" <<'PYTHON'
import pathlib, shutil, sys, sysconfig
headers = pathlib.Path(sysconfig.get_path("include"))
shutil.copytree(headers, sys.argv[1])
own = pathlib.Path("/usr/include", sysconfig.get_config_var("MULTIARCH") or "none", headers.name, "pyconfig.h")
if own.exists() and "SIZEOF_LONG" not in (headers / "pyconfig.h").read_text():
    shutil.copy(own, sys.argv[1])
PYTHON
    mv "$libraries/python.new" "$libraries/python"
}

# Made anew if this file or sources.txt changed.
make_libraries() {
    stamp=$(cat .ci/zig.sh .ci/sources.txt | sha256sum)
    [ "$stamp" != "$(cat "$libraries/made" 2>/dev/null)" ] || return 0
    rm -rf "$libraries"
    mkdir -p "$libraries/lib" "$libraries/include" "$work/config"
    : >"$work/config/config.h"
    add_licence etinspect LICENSE
    while read -r name version url sha256; do
        case $name in '' | '#'*) continue ;; esac
        fetch "$name" "$version" "$url" "$sha256"
        add "$name" "$version"
    done <.ci/sources.txt
    case $target in *-musl*) add_licence musl "${zig%/*}/lib/libc/musl/COPYRIGHT" ;; esac
    add_sqlite_header
    echo "$stamp" >"$libraries/made"
}

# ---- ours --------------------------------------------------------------------------------------

install_zig
make_libraries
touch "$out/dependencies" # none of Debian's

# The Makefile does not ask the compiler for this, since zig preprocesses without a version of glibc.
hardening='-fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3'
libs='-lz -lcsv -lmd'
goals='@etinspect @libetinspect.so @libetcapture.so'
static=
case $target in
*-musl*)
    hardening='-fstack-protector-strong -fstack-clash-protection' # musl checks no sizes
    static=1
    goals=@etinspect
    ;;
*-macos*)
    hardening='-fstack-protector-strong'
    libs='-lz -lcsv'
    goals=objects
    ;;
esac
# shellcheck disable=SC2086 # one or more
[ $# -gt 0 ] || set -- $goals
n=$#
while [ "$n" -gt 0 ]; do
    goal=$1
    shift
    case $goal in
    @python/*) add_python_headers ;;
    esac
    case $goal in
    @*) goal=$out/${goal#@} ;;
    esac
    set -- "$@" "$goal"
    n=$((n - 1))
done

# Unwind tables and unused functions are 8 percent of a program, and nothing here needs them.
small='-fno-asynchronous-unwind-tables -fno-unwind-tables -ffunction-sections -fdata-sections'

make --no-print-directory "BUILD=$out" "CC=$zig cc -target $target" "AR=$zig ar" STATIC=$static HARDENING="$hardening" \
    CFLAGS="-O2 $small -fno-sanitize=undefined -ffile-prefix-map=$top=. -ffile-prefix-map=$out=build" LDFLAGS='-s -Wl,--gc-sections' \
    PYTHON_CFLAGS="-I$libraries/python" \
    "DEPENDENCY_CFLAGS=-I$libraries/include" "DEPENDENCY_LIBS=-L$libraries/lib $libs -lm -pthread" "$@"
