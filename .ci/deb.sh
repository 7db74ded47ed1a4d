#!/bin/sh
# deb.sh [OUT] - builds the Debian packages of this checkout in OUT (build/deb): the tarball, the source package, and the
# packages in debian/control.
set -eu
cd "$(dirname "$0")/.."

out=${1:-build/deb}
version=$(sed -n 's/^VERSION := //p' Makefile)
packaged=$(dpkg-parsechangelog -S Version)
if [ "${packaged%-*}" != "$version" ]; then
    echo "debian/changelog begins with version $packaged, and the Makefile has $version: add an entry with dch" >&2
    exit 1
fi
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH
tree=$out/etinspect-$version
rm -rf "$out"
mkdir -p "$tree"

# The files of the checkout in their current state; for an unpacked tarball, all files.
# shellcheck disable=SC2016 # the inner shell's
{ git ls-files -z 2>/dev/null || find . -name build -prune -o -type f -print0; } |
    xargs -0 sh -c 'for file; do [ ! -f "$file" ] || printf "%s\0" "$file"; done' sh |
    tar -c --null --files-from=- | tar -x -C "$tree"
chmod -R u=rwX,go=rX "$tree"
tar -c -C "$out" --exclude="etinspect-$version/debian" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
    --numeric-owner "etinspect-$version" | xz -T1 >"$out/etinspect_$version.orig.tar.xz"

cd "$tree"
dpkg-buildpackage -us -uc
cd ..
rm -rf "etinspect-$version"
sha256sum ./*.deb
