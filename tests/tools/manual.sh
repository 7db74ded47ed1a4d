#!/bin/sh
# manual.sh BUILD - help, manual and completions name the same options, and the manual is well-formed.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

n_passed=0
n_failed=0
n_skipped=0

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1"
}

# The options that a command's help has, without "--".
options_of() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" ${1:-} --help | sed -n 's/^  \(-., \)\{0,1\}--\([a-z0-9_]*\).*/\2/p'
}

# The manual as text without overstrikes.
if command -v mandoc >/dev/null; then
    mandoc -T ascii -O width=200 "$top/man/etinspect.1" 2>/dev/null | sed 's/.\x08//g' >"$work/manual"
else
    sed 's/\\-/-/g; s/Fl -/--/g' "$top/man/etinspect.1" >"$work/manual"
fi

# has FILE OPTION: spelled with underscores or hyphens
has() {
    grep -q -w -e "$2" -e "$(echo "$2" | tr _ -)" "$1" 2>/dev/null
}

# The commands, with "" for what runs without one.
commands() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" help | sed -n 's/^  \([a-z]*\) .*/\1/p'
    echo help
}

for command in '' $(commands); do
    options_of "$command" >>"$work/options"
    for option in $(options_of "$command"); do
        if has "$work/manual" "$option"; then pass; else fail "man/etinspect.1: no --$option (etinspect help $command)"; fi
    done
    if grep -q -w "etinspect $command" "$work/manual"; then pass; else fail "man/etinspect.1: no command $command"; fi
done

# ... and nothing else: what the manual calls an option is one.
for option in $(grep -o -e '--[a-z][a-z0-9_-]*[a-z0-9]' "$work/manual" | tr - _ | sed 's/^__//' | sort -u); do
    if grep -q "^$option" "$work/options"; then pass; else fail "man/etinspect.1: --$option is no option"; fi
done

# Every function of a library is in its manual, and every status of the capture.
# check_words MANUAL WORD...
check_words() {
    manual=$1
    shift
    for word in "$@"; do
        if grep -q -w "$word" "$top/man/$manual"; then pass; else fail "man/$manual: no $word"; fi
    done
}

# shellcheck disable=SC2046
check_words libetinspect.3 $(grep -o 'eti_[a-z_]*(' "$top/src/include/etinspect.h" | tr -d '(' | sort -u)
# shellcheck disable=SC2046
check_words libetcapture.3 $(sed '/#else .* ETC_DISABLED/q; /^#/d' "$top/src/include/etcapture.h" | tr '\n' ' ' | grep -o 'ETC_API [^;]*;' |
    grep -o 'etc_[a-z0-9_]*(' | tr -d '(' | sort -u) $(sed -n 's/^    X(\([A-Z_]*\),.*/ETC_\1/p' "$top/src/include/etcapture.h")
# shellcheck disable=SC2046
check_words libnrt_profile_etcapture.3 $(cat "$top"/src/include/nrt/*.h "$top/src/include/etcapture_nrt.h" | sed '/^#/d' | tr '\n' ' ' |
    grep -o 'NRT_API [^;]*;' | grep -o '[a-z]*_[a-z0-9_]*(' | tr -d '(' | sort -u) \
    $(grep -o '"[A-Z_]*[A-Z]"' "$top/src/capture/nrt/environment.c" | tr -d '"' | sed 's/^/NEURON_RT_INSPECT_/' | sort -u)

for page in "$top"/man/*.[1-9]; do
    if ! command -v mandoc >/dev/null; then
        echo "skipped: mandoc -T lint ${page##*/}: mandoc is not installed"
        n_skipped=$((n_skipped + 1))
    elif mandoc -T lint -W warning "$page" >"$work/lint" 2>&1 && [ ! -s "$work/lint" ]; then
        pass
    else
        fail "mandoc -T lint ${page##*/}"
        sed 's/^/    /' "$work/lint"
    fi
done

# Completions are read by their shells without complaint.
for shell in bash zsh fish; do
    file=$top/completions/etinspect.$shell
    [ $shell = zsh ] && file=$top/completions/_etinspect
    if ! command -v $shell >/dev/null; then
        echo "skipped: $shell -n ${file##*/}: $shell is not installed"
        n_skipped=$((n_skipped + 1))
    elif $shell -n "$file" 2>"$work/errors"; then
        pass
    else
        fail "$shell -n ${file##*/}"
        sed 's/^/    /' "$work/errors"
    fi
done

echo "manual: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
