#!/bin/sh
# manual.sh BUILD - checks that help, manual and completions name the same options, and that the manual is well-formed.
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

# Prints the options in a command's help, without "--".
options_of() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" ${1:-} --help all | sed -n 's/^  \(-., \)\{0,1\}--\([a-z0-9_]*\).*/\2/p'
}

# text_of PAGE: prints it as text without overstrikes.
text_of() {
    if command -v mandoc >/dev/null; then
        mandoc -T ascii -O width=200 "$top/man/$1" 2>/dev/null | sed 's/.\x08//g'
    else
        sed 's/\\-/-/g; s/Fl -/--/g' "$top/man/$1"
    fi
}

# section PAGE NAME: prints its source.
section() {
    sed -n "/^\.Sh $2\$/,/^\.Sh /p" "$top/man/$1"
}

# Prints the commands.
commands() {
    # shellcheck disable=SC2086
    ${RUNNER-} "$build/etinspect" help | sed -n 's/^  \([a-z]*\) .*/\1/p'
    echo help
}

# Prints the pages to which a command's page refers for options.
pages_with_options() {
    section "$1" OPTIONS | sed -n 's/^\.Xr \([a-z-]*\) \([1-9]\).*/\1.\2/p' | sort -u
}

# Prints the options that a page describes, as items of its lists.
described_in() {
    grep '^\.It .*Fl -' "$top/man/$1" | grep -o 'Fl -[a-z_0-9]*' | sed 's/^Fl -//'
}

# Every option of a command is described on its page or on a page to which its section OPTIONS refers, which may name the
# option; an option described in that section belongs to the command.
check_options() {
    page=$1
    command=$2
    {
        described_in "$page"
        section "$page" OPTIONS | grep -o 'Fl -[a-z_0-9]*' | sed 's/^Fl -//'
        for other in $3; do
            described_in "$other"
        done
    } >"$work/described"
    options_of "$command" >"$work/options"
    cat "$work/options" >>"$work/all_options"
    while read -r option; do
        if grep -q -x "$option" "$work/described"; then pass; else fail "man/$page: no --$option, nor a reference to the page that has it"; fi
    done <"$work/options"
    for option in $(section "$page" OPTIONS | grep '^\.It .*Fl ' | grep -o 'Fl -[a-z_0-9]*' | sed 's/^Fl -//'); do
        if grep -q -x "$option" "$work/options"; then pass; else fail "man/$page: --$option is not an option of etinspect $command"; fi
    done
}

# Prints the pages of this manual to which a page refers.
references_of() {
    sed -n 's/^\.\(It \)*Xr \(etinspect[a-z-]*\|lib[a-z]*\) \([1-9]\).*/\2.\3/p' "$1" | sort -u
}

check_options etinspect.1 '' etinspect-options.7
for command in $(commands); do
    page=etinspect-$command.1
    if [ ! -f "$top/man/$page" ]; then
        fail "man/$page: etinspect $command has no page"
        continue
    fi
    check_options "$page" "$command" "$(pages_with_options "$page")"
    for name in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        if grep -q -x ".Sh $name" "$top/man/$page"; then pass; else fail "man/$page: no section $name"; fi
    done
    if [ "$(section "$page" EXAMPLES | grep -c '^\$ etinspect')" -ge 3 ]; then pass; else fail "man/$page: fewer than three examples"; fi
done

# Every table of a view is on its page, and every table in the list of a page exists.
# check_tables COMMAND FILE...
check_tables() {
    page=etinspect-$1.1
    # shellcheck disable=SC2086
    for table in $(${RUNNER-} "$build/etinspect" "$@" --table no_such_table 2>&1 | sed -n 's/.*: there \(are\|is only\) //p' | tr -d ,); do
        if grep -q "^\.\(It \)*Li .*\<$table\>" "$top/man/$page"; then pass; else fail "man/$page: no table $table"; fi
    done
    sed -n '/^The tables are/,/^\.El/s/^\.It Li //p' "$top/man/$page" | sed 's/ , Li /\n/g' >"$work/tables"
    while read -r table; do
        if grep -q -r "\"$table\"" "$top"/src/view* "$top/src/compare" "$top/src/series"; then pass; else fail "man/$page: there is no table $table"; fi
    done <"$work/tables"
}

check_tables summary "$top/testdata/mlp-many-runs/run.etdp"
check_tables summary "$top/testdata/prefill-decode/run.etdp" "$top/testdata/prefill-decode/model.pte"
check_tables delegates "$top/testdata/xnnpack-conv/run.etdp"
check_tables diff "$top/testdata/mlp/run.etdp" "$top/testdata/mlp/run.etdp" --group op
check_tables trend
check_tables program "$top/testdata/bundled-inputs/bundle.bpte"
check_tables program "$top/testdata/mlp/model.pte" "$top/testdata/mlp/run.etdp"
check_tables memory "$top/testdata/mlp/model.pte"
check_tables size "$top/testdata/mlp/model.pte"

# Conversely, each word that looks like an option is one. Pages refer only to existing pages, and etinspect(1) refers to
# all.
for path in "$top"/man/etinspect*.[1-9]; do
    page=${path##*/}
    for option in $(text_of "$page" | grep -o -e '--[a-z][a-z0-9_-]*[a-z0-9]' | tr - _ | sed 's/^__//' | sort -u); do
        if grep -q "^$option" "$work/all_options"; then pass; else fail "man/$page: --$option is no option"; fi
    done
    for other in $(references_of "$path"); do
        if [ -f "$top/man/$other" ]; then pass; else fail "man/$page: refers to man/$other, which does not exist"; fi
    done
    [ "$page" = etinspect.1 ] && continue
    if grep -q "Xr ${page%.*} ${page##*.}" "$top/man/etinspect.1"; then pass; else fail "man/etinspect.1: no reference to $page"; fi
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

# Functions are described, not only listed in the synopsis.
check_described() {
    sed -n '/^\.Sh DESCRIPTION/,$p' "$top/man/$1" >"$work/description"
    sed -n 's/^\.Fo //p' "$top/man/$1" >"$work/functions"
    while read -r function; do
        if grep -q -w "$function" "$work/description"; then pass; else fail "man/$1: $function is not described"; fi
    done <"$work/functions"
}

check_described libetinspect.3
check_described libetcapture.3

# shellcheck disable=SC2046
check_words libetinspect.3 $(grep -o 'eti_[a-z_]*(' "$top/src/include/etinspect.h" | tr -d '(' | sort -u) \
    $(sed -n 's/^    X(\([A-Z_]*\),.*/ETI_\1/p' "$top/src/include/etinspect.h")
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

# Shells must read their completions without errors.
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
