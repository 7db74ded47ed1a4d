#!/bin/sh
# environment.sh [SCRIPT...] - checks what the environment may set in scripts that others run: those of examples/, tests/ci
# and .ci. Each variable that a script reads is assigned first, or is an upper-case setting that its first comment names.
#
# An assignment counts if nothing can skip it before the first reading: it begins a line, and is no deeper indented than the
# reading. `[ ... ] || found=yes` does not count: if it is skipped, the environment says what `found` is.
set -u
export LC_ALL=C

top=$(cd "$(dirname "$0")/../.." && pwd)
n_passed=0
n_failed=0

# Prints the variables of a script that the environment may set although nothing says so.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$work/check.awk" <<'AWK'
function indent(line) {
    match(line, /^ */)
    return RLENGTH
}
# Notes that a line assigns a name.
function assign(name, depth) {
    if (!(name in first_read) || depth == 0 || depth <= 0 + least[name])
        if (!(name in assigned) || depth < assigned[name])
            assigned[name] = depth
}
/^#/ && NR == 1 { is_head = 1 }
!/^#/ { is_head = 0 }
is_head {
    head = head " " $0
}
/^ *#/ { next }
{
    line = $0
    depth = indent(line)
    gsub(/\\\$/, "", line)
    # what is read
    rest = line
    quoted = 0
    gsub(/'[^']*'/, "", rest) # single quotes on one line
    while (match(rest, /\$\{?[A-Za-z_][A-Za-z0-9_]*(:?[-+=?][^}]*)?/)) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + (name ~ /^\$\{/ ? 2 : 1))
        sub(/^\$\{?/, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        if (!(name in assigned) && !(name in first_read)) {
            first_read[name] = FNR
            least[name] = depth
        }
        if (name in assigned && depth < assigned[name] && !(name in shallow))
            shallow[name] = FNR
    }
    # what is assigned
    rest = line
    sub(/^ *(export )?/, "", rest)
    sub(/^[^ ()]*('[^']*')?[^()]*\) /, "", rest) # the pattern of a case
    while (match(rest, /^[A-Za-z_][A-Za-z0-9_]*=/)) {
        assign(substr(rest, 1, RLENGTH - 1), depth)
        if (!match(rest, /^[A-Za-z_][A-Za-z0-9_]*=('')?[^ ;"'$(]*[ ;]+/))
            break
        rest = substr(rest, RLENGTH + 1)
    }
    if (match(line, /(^| )for [a-z_]+( in |;)/)) {
        name = substr(line, RSTART, RLENGTH)
        gsub(/^ *for | in $|;$/, "", name)
        assign(name, depth)
    }
    if (match(line, /read (-r )?[a-z0-9_ ]+/)) {
        n = split(substr(line, RSTART, RLENGTH), words, " ")
        for (i = 2; i <= n; i++)
            assign(words[i], depth)
    }
}
END {
    known = " PATH HOME PWD IFS TMPDIR MAKEFLAGS "
    for (name in first_read) {
        is_setting = name ~ /^[A-Z]/ && (index(head, name) || index(known, " " name " "))
        if (!is_setting && !(name in assigned))
            print "line " first_read[name] ": $" name " is read, but not assigned first"
    }
    for (name in shallow)
        if (!(name ~ /^[A-Z]/ && index(head, name)))
            print "line " shallow[name] ": $" name " is read where the assignment may have been skipped"
}
AWK

check() {
    found=$(awk -f "$work/check.awk" "$1")
    if [ -z "$found" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "$found" | sed "s|^|FAILED ${1#"$top"/}: |"
    fi
}

cd "$top" || exit 1
if [ $# -gt 0 ]; then
    for script in "$@"; do check "$script"; done
else
    find examples tests/ci .ci -type f -exec grep -lE '^#!/bin/(ba|da)?sh' {} + >"$work/scripts"
    while read -r script; do check "$script"; done <"$work/scripts"
    [ "$(wc -l <"$work/scripts")" -ge 7 ] || { n_failed=$((n_failed + 1)) && echo 'FAILED: there are fewer scripts than expected'; }
fi

# The check itself: `spared` may be yes without any of the sums, and `sum` is what the environment says.
cat >"$work/sample" <<'SAMPLE'
#!/bin/sh
# sample - SUMS are documented.
check() {
    for given in $SUMS; do
        [ "$given" != "$sum" ] || spared=yes
    done
    [ "${spared-}" = yes ] || exit 1
}
check
SAMPLE
found=$(awk -f "$work/check.awk" "$work/sample" | sed 's/.*\$\([a-z]*\) .*/\1/' | sort | tr '\n' ' ')
if [ "$found" = 'spared sum ' ]; then
    n_passed=$((n_passed + 1))
else
    n_failed=$((n_failed + 1))
    echo "FAILED the check finds: $found"
fi
echo "environment: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
