# common.sh - the beginning of all scripts of this folder. They source it when BUILD is their first argument, which it
# takes; names of cases, if any, are left.
# shellcheck shell=sh disable=SC2034 # the scripts use the variables

build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tab=$(printf '\t')
n_passed=0
n_failed=0

# is_wanted NAME [WANTED...]: without WANTED names, all are wanted.
is_wanted() {
    [ $# = 1 ] && return
    wanted=$1
    shift
    for one in "$@"; do
        [ "$one" = "$wanted" ] && return
    done
    return 1
}
