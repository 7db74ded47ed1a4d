#!/bin/sh
# layout.sh - fails when a source of src/ includes what its room may not: nothing points backwards or sideways.
set -u
export LC_ALL=C

src=$(cd "$(dirname "$0")/../src" && pwd)
n_passed=0
n_failed=0

# room: rooms or single headers it may include besides its own and etinspect.h
rules='
base:
format:  base/
stats:   base/
output:  base/ stats/timescale.h
model:   base/ format/ stats/
view:    base/ model/ stats/ format/input.h format/kind.h output/report.h output/table.h output/python_number.h
capture: base/
cli:
'

# Public means: of the C library, POSIX or the dependencies. Which room may include which dependency:
libraries='
base:   csv.h
output: csv.h openssl/sha.h sqlite3.h
format: zlib.h
'

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1: $2"
}

# The line of $2 in table $1.
allowed_in() {
    printf '%s\n' "$1" | sed -n "s/^$2: *//p"
}

# "room/file.h" is written with quotes, everything else with angle brackets.
includes_of() {
    sed -n "s/^[[:space:]]*#[[:space:]]*include[[:space:]]*\\(${2}.*\\)/\\1/p" "$1" | tr -d '"<> \t' | sed 's,/[*/].*,,'
}

is_allowed() {
    header=$1
    shift
    for allowed in "$@"; do
        case $header in
        "$allowed") return 0 ;;
        "${allowed%/}"/*) [ "$allowed" != "${allowed%/}" ] && return 0 ;;
        esac
    done
    return 1
}

check_file() {
    room=$1
    file=$2
    name=${file#"$src"/}
    ok=1
    # shellcheck disable=SC2046 # the lists are meant to be split
    for header in $(includes_of "$file" '"'); do
        is_allowed "$header" etinspect.h "$room/" $(allowed_in "$rules" "$room") ||
            { ok=0; fail "$name" "src/$room may not include \"$header\""; }
        [ -f "$src/$header" ] || { ok=0; fail "$name" "there is no src/$header"; }
    done
    # shellcheck disable=SC2046
    for header in $(includes_of "$file" '<'); do
        case $header in csv.h | openssl/sha.h | zlib.h | zip*.h | jansson.h | sqlite3.h) ;; *) continue ;; esac
        is_allowed "$header" $(allowed_in "$libraries" "$room") ||
            { ok=0; fail "$name" "src/$room may not include <$header>"; }
    done
    [ $ok = 1 ] && pass
}

for room_path in "$src"/*/; do
    room=$(basename "$room_path")
    if ! printf '%s\n' "$rules" | grep -q "^$room:"; then
        fail "src/$room" "a room that design.md does not have"
        continue
    fi
    for file in "$room_path"*; do
        case $file in
        *.c | *.h) check_file "$room" "$file" ;;
        *) fail "${file#"$src"/}" 'only sources and headers belong here' ;;
        esac
    done
done

# Only etinspect.c joins the rooms, and the public header needs nothing of theirs.
for file in "$src"/*.[ch]; do
    case $file in
    */etinspect.c) pass ;;
    */etinspect.h)
        if [ -z "$(includes_of "$file" '"')" ]; then pass; else fail etinspect.h 'it includes headers of the project'; fi
        ;;
    *) fail "${file##*/}" 'it belongs into a room' ;;
    esac
done

echo "layout: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
