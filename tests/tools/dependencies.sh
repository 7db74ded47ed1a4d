#!/bin/sh
# dependencies.sh check|install PACKAGE... - tells which Debian packages are missing, or installs them.
set -eu

action=$1
shift
command -v dpkg-query >/dev/null || exit 0 # not Debian: the compiler will tell what is missing
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$action" = check ]; then
    echo "missing Debian packages:$missing" >&2
    echo "install them with: make packages   (or: apt-get install$missing)" >&2
    exit 1
fi

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # the list is meant to be split
$as_root apt-get install -y -qq --no-install-recommends $missing >&2
