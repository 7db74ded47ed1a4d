#!/bin/sh
# install.sh - makes etinspect available to the steps that follow.
#
# Settings are environment variables:
#   VERSION       the release whose static program is downloaded; without it etinspect is built from the source tree of this
#                 folder, unless it is installed
#   SHA256        digest of this program; for runners with several processors one digest each, in any order
#   RELEASES      where releases are, if not at GitHub; the program is RELEASES/vVERSION/etinspect-VERSION-PROCESSOR-linux-musl
#   ACTION_REPOSITORY    OWNER/NAME of the repository at GitHub that has the releases
#   RUNNER_TEMP   folder of the job, in which the program is installed; GitHub's runner sets it
#   GITHUB_PATH   file that names the folders of PATH for later steps; GitHub's runner sets it
set -eu

fail() {
    echo "::error::$1"
    exit 2
}

download() {
    case $(uname -sm) in
    'Linux x86_64') processor=x86_64 ;;
    'Linux aarch64' | 'Linux arm64') processor=aarch64 ;;
    *) fail "there is no static program for $(uname -sm): leave out version, and etinspect is built" ;;
    esac
    name=etinspect-$VERSION-$processor-linux-musl
    url=${RELEASES:-https://github.com/${ACTION_REPOSITORY:-}/releases/download}/v$VERSION/$name
    [ -n "${SHA256:-}" ] || fail "sha256 is missing: give that of $name, which stands in $url.sha256"
    mkdir -p "$bin"
    curl -fsSL --retry 3 -o "$bin/$name" "$url" || fail "cannot download $url: is there a release $VERSION?"
    found=$(sha256sum "$bin/$name" | cut -d ' ' -f 1)
    expected=no
    for sum in $SHA256; do
        [ "$sum" != "$found" ] || expected=yes
    done
    if [ "$expected" != yes ]; then
        rm -f "$bin/$name"
        fail "$url has the SHA-256 $found, which is none of those in sha256: the file or the setting is not what you think"
    fi
    chmod +x "$bin/$name"
    mv "$bin/$name" "$bin/etinspect"
}

build() {
    source=$(cd "$(dirname "$0")/../.." && pwd)
    [ -f "$source/src/include/etinspect.h" ] ||
        fail "etinspect is not installed, and $source is not its source tree: use the action where it is, give it a version, or install etinspect"
    make -C "$source" build-packages
    make -C "$source" -j "$(nproc)" install WERROR= PREFIX="$RUNNER_TEMP/etinspect"
}

bin=${RUNNER_TEMP:?is not set: name a folder to install into}/etinspect/bin
if [ -n "${VERSION:-}" ]; then
    download
    "$bin/etinspect" --version
elif command -v etinspect >/dev/null; then
    etinspect --version
    exit 0
else
    build
fi
echo "$bin" >>"$GITHUB_PATH"
