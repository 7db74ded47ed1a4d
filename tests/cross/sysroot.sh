#!/bin/sh
# sysroot.sh ARCHITECTURE DIRECTORY PACKAGE... - unpacks Debian packages of another architecture, and those that they depend on,
# into DIRECTORY/sysroot, as a compiler takes it with --sysroot and QEMU with -L.
#
# Nothing is installed, and dpkg gets to know no other architecture: -dev packages of several ones cannot always stand beside each
# other. apt has lists and a cache of its own in DIRECTORY/apt; the sources and the keys are those of this machine. Needs no root.
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

# apt ARGUMENT... - runs apt-get as a machine of the other architecture would on which nothing is installed.
apt() {
    apt-get -q -o Dir::State="$directory/apt" -o Dir::State::status="$directory/apt/status" -o Dir::Cache="$directory/apt" \
        -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o APT::Sandbox::User="$(id -un)" \
        -o Debug::NoLocking=1 "$@" >>"$directory/apt/log" 2>&1
}

rm -f "$directory"/apt/archives/*.deb
apt update || : # a mirror that fails may not be needed
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
