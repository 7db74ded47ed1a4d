#!/bin/sh
# run.sh [--update] BUILD [CASE...] - runs the cases of this directory (all, or those named: output/tsv_path).
# README.md describes a case.
set -u
export LC_ALL=C

update=
if [ "${1-}" = --update ]; then
    update=1
    shift
fi
if [ $# = 0 ] || [ ! -d "$1" ]; then
    echo "usage: $0 [--update] BUILD [CASE...]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
shift
cli=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$cli/../.." && pwd)
samples=${SAMPLES:-$top/../shared/data}

work=$(mktemp -d)
# Some cases remove permissions.
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset POSIXLY_CORRECT NO_COLOR SEED # SEED: of make mutants; history reads one
export CI=true # prevents progress lines on a terminal, however slow the machine is
umask 022

# Cases call the built programs as etinspect and make-journal, behind RUNNER.
mkdir "$work/bin"
add_program() {
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${RUNNER-}" "$build/$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
add_program etinspect etinspect
add_program make-journal make_journal
export PATH="$work/bin:$cli/bin:$PATH" SCHEMA="$top/schema"

n_passed=0
n_failed=0
n_skipped=0

# Makes the files that a case may name, under paths that are the same everywhere.
make_room() {
    room=$work/$1
    mkdir -p "$room"
    ln -sn "$top/testdata" "$room/testdata"
    ln -sn "$cli/data" "$room/data"
    [ -d "$samples" ] && ln -sn "$samples" "$room/samples"
}

# matches TEXT_FILE PATTERN_FILE: compares as fnmatch does
matches() {
    text=$(cat "$1")
    pattern=$(cat "$2")
    # shellcheck disable=SC2254 # the pattern is one
    case $text in
    $pattern) return 0 ;;
    esac
    return 1
}

# check_stream CASE stdout|stderr: a stream without expected bytes must be empty.
check_stream() {
    found=$work/found.$2
    exact=$cli/$1.$2.exact
    glob=$cli/$1.$2.glob
    if [ -f "$glob" ]; then
        matches "$found" "$glob" && return
        printf '    %s does not match %s:\n' "$2" "${glob##*/}"
        sed 's/^/    /' "$found"
        return 1
    fi
    [ -f "$exact" ] || exact=/dev/null
    cmp -s "$exact" "$found" && return
    printf '    %s differs:\n' "$2"
    diff -u "$exact" "$found" | sed '1,2d' | cut -c 1-300 | head -n 40 | sed 's/^/    /'
    return 1
}

check_case() {
    expected_exit=0
    [ -f "$cli/$1.exit" ] && read -r expected_exit <"$cli/$1.exit"
    ok=0
    if [ "$exit" != "$expected_exit" ]; then
        echo "    exit status $exit, expected $expected_exit"
        ok=1
    fi
    check_stream "$1" stdout || ok=1
    check_stream "$1" stderr || ok=1
    return $ok
}

# Stores the actual output; a .glob is written by hand and kept. Skipped cases keep their files.
update_case() {
    for stream in stdout stderr; do
        exact=$cli/$1.$stream.exact
        [ -f "$cli/$1.$stream.glob" ] && continue
        rm -f "$exact"
        [ -s "$work/found.$stream" ] && cp "$work/found.$stream" "$exact"
    done
    rm -f "$cli/$1.exit"
    [ "$exit" = 0 ] || echo "$exit" >"$cli/$1.exit"
}

run_case() {
    make_room "$1"
    (cd "$work/$1" && timeout 1200 sh -u "$cli/$1.sh") >"$work/found.stdout" 2>"$work/found.stderr" </dev/null
    exit=$?
    if [ $exit = 77 ]; then
        n_skipped=$((n_skipped + 1))
        echo "skipped: cli/$1: $(cat "$work/found.stdout")"
        return
    fi
    [ -n "$update" ] && update_case "$1"
    if check_case "$1" >"$work/report"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED cli/$1"
        cat "$work/report"
    fi
}

[ $# = 0 ] && set -- "$cli"/*/*.sh
for case in "$@"; do
    case=${case#"$cli/"}
    run_case "${case%.sh}"
done

echo "cli: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
