#!/bin/sh
# sysroot.sh ARCHITECTURE DIRECTORY PACKAGE... - unpacks Debian packages of another architecture, and their dependencies,
# into DIRECTORY/sysroot, for a compiler's --sysroot and QEMU's -L.
#
# Nothing is installed, and no architecture is added to dpkg, since -dev packages of several architectures may conflict. apt
# has separate lists and a cache in DIRECTORY/apt; it uses this machine's sources and keys. Needs no root.
set -eu

architecture=$1
directory=$2
shift 2
[ "$(cat "$directory/sysroot.made" 2>/dev/null)" = "$*" ] && exit 0

rm -rf "$directory/sysroot" "$directory/sysroot.made"
mkdir -p "$directory/apt/lists/partial" "$directory/apt/archives/partial" "$directory/sysroot"
directory=$(cd "$directory" && pwd)
: >"$directory/apt/status"
: >"$directory/apt/log"

# apt ARGUMENT... - runs apt-get as on a machine of the other architecture without installed packages.
apt() {
    apt-get -q -o Dir::State="$directory/apt" -o Dir::State::status="$directory/apt/status" -o Dir::Cache="$directory/apt" \
        -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o APT::Sandbox::User="$(id -un)" \
        -o Debug::NoLocking=1 "$@" >>"$directory/apt/log" 2>&1
}

rm -f "$directory"/apt/archives/*.deb
apt update || : # a mirror that fails may be unnecessary
apt install -y --download-only --no-install-recommends "$@" || {
    cat "$directory/apt/log" >&2
    echo "apt-get failed for $architecture; the packages that are needed are: $*" >&2
    exit 1
}
for package in "$directory"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$directory/sysroot"
done
find "$directory/sysroot" -type l -lname '/*' | while read -r link; do
    ln -sf "$directory/sysroot$(readlink "$link")" "$link"
done
echo "$*" >"$directory/sysroot.made"
