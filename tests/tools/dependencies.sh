#!/bin/sh
# dependencies.sh check|install PACKAGE... - names the missing Debian packages, or installs them; shows the output of apt if
# it fails.
set -eu

action=$1
shift
command -v dpkg-query >/dev/null || exit 0 # not Debian: the compiler will report missing libraries
exec 9<"$0" && flock 9 # waits for another step of .ci/run that is installing
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
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM
export DEBIAN_FRONTEND=noninteractive

# apt ARGUMENT... - runs apt-get, quietly unless it fails.
apt() {
    # shellcheck disable=SC2086 # no root is no argument
    $as_root apt-get -q "$@" >"$log" 2>&1 9<&- && return
    cat "$log" >&2
    echo "apt-get $* failed; the packages that are needed are:$missing" >&2
    exit 1
}

# shellcheck disable=SC2086 # the list is meant to be split
printf 'installing %s\n' $missing >&2
apt update
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing
