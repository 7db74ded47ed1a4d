#!/bin/sh
# release.sh names|sums DIST|notes - names, digests and notes of a release.
#
#     names        checks that the tag, the sources and CHANGELOG.md have the same version. The variable TAG names the tag;
#                  without TAG, changes may still be under Unreleased
#     sums DIST    writes DIST/SHA256SUMS with the digests of all other files in the folder. GitHub allows no ~ in the names of
#                  a release's files, so the names of Debian packages get a dot instead
#     notes        prints the section of CHANGELOG.md about this version
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."

fail() {
    printf 'release: %s\n' "$1" >&2
    exit 1
}

version=$(sed -n 's/^VERSION := //p' Makefile)

check_names() {
    header=$(sed -n 's/^#define ETI_VERSION "\(.*\)"/\1/p' src/include/etinspect.h)
    packaged=$(sed -n '1s/^etinspect (\(.*\)-[^-]*) .*/\1/p' debian/changelog)
    [ "$header" = "$version" ] || fail "the Makefile has version $version, and etinspect.h has $header: set both to the same version"
    [ "$packaged" = "$version" ] || fail "debian/changelog begins with version $packaged instead of $version: add an entry with dch"
    headings=$(sed -n 's/^## \[\([^]]*\)\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]$/\1/p' CHANGELOG.md)
    [ "$(printf '%s\n' "$headings" | head -n 1)" = "$version" ] ||
        fail "the first heading of CHANGELOG.md that has a date is not '## [$version] - DATE': add this heading"
    [ -n "${TAG:-}" ] || return 0
    [ "$TAG" = "v$version" ] || fail "the tag is $TAG, and the sources have version $version: tag a commit with v$version"
    unreleased=$(sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | grep -v '^## ' | grep . || true)
    [ -z "$unreleased" ] || fail "CHANGELOG.md has changes under Unreleased: move them under version $version"
}

write_sums() {
    cd "$1"
    rm -f SHA256SUMS
    for file in *~*; do
        [ ! -e "$file" ] || mv -- "$file" "$(printf %s "$file" | tr '~' .)"
    done
    sums=$(sha256sum -- *)
    printf '%s\n' "$sums" >SHA256SUMS
}

print_notes() {
    awk -v heading="## [$version]" 'index($0, "## [") == 1 { is_shown = index($0, heading) == 1; next } is_shown' CHANGELOG.md
}

case ${1-} in
names) check_names ;;
sums) write_sums "${2:?is missing: name the folder}" ;;
notes) print_notes ;;
*) fail 'usage: release.sh names | release.sh sums DIST | release.sh notes' ;;
esac
