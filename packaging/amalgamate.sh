#!/bin/sh
# amalgamate.sh SRC OUT - writes libetcapture as one pair of files, OUT/etcapture.c and OUT/etcapture.h, from the tree SRC.
#
# Names that a source defines for itself get the name of the source before them if other sources have the same word. Macros of a
# source end with it.
set -eu
export LC_ALL=C

src=$1
out=$2
headers='capture.h writer.h shapes.h layout.h ring.h sink.h journal.h stream.h'
mkdir -p "$out"
cp "$src/include/etcapture.h" "$out/etcapture.h"

# Prints the names that a source defines at the level of the file, one a line.
list_names() {
    awk '
        { sub(/\/\*.*\*\//, "") }
        /^(static|ETC_FAST|ETC_APART|ETC_COLD|__attribute__)/ && match($0, /[a-z_][a-z0-9_]*\(/) {
            line = $0
            gsub(/__attribute__\(\([^)]*(\([^)]*\))?[^)]*\)\)/, "", line)
            if (match(line, /[a-z_][a-z0-9_]*\(/))
                print substr(line, RSTART, RLENGTH - 1)
            next
        }
        /^static/ && match($0, /[a-z_][a-z0-9_]*( = |;|\[)/) { name = substr($0, RSTART, RLENGTH); sub(/( = |;|\[)$/, "", name); print name }
        /^typedef struct [a-z_]+ \{/ { print $3 }
        /^enum \{/ { in_enum = 1 }
        in_enum {
            line = $0
            while (match(line, /[A-Z][A-Z0-9_]+/)) { print substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH) }
        }
        /\}/ { in_enum = 0 }' "$1" | sort -u
}

# Prints a source without the includes of this library, with its own names renamed and its macros undefined at the end.
print_source() {
    stem=$(basename "$1" .c)
    echo
    echo "/* ==== $(basename "$1") ==== */"
    awk -v stem="$stem" -v names="$2" '
        BEGIN {
            n = split(names, all, " ")
            for (i = 1; i <= n; i++)
                own[all[i]] = 1
        }
        /^#include "/ { next }
        /^#define [A-Z]/ {
            macro = $2
            sub(/\(.*/, "", macro)
            defined[macro] = 1
        }
        # Replaces words that are not members and not in texts.
        {
            line = $0
            done = ""
            while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
                before = substr(line, 1, RSTART - 1)
                word = substr(line, RSTART, RLENGTH)
                done = done before
                last = substr(done, length(done))
                quotes = gsub(/"/, "\"", done) - gsub(/\\"/, "\\\"", done)
                is_member = last == "." || substr(done, length(done) - 1) == "->"
                done = done (word in own && !is_member && quotes % 2 == 0 ? stem "_" word : word)
                line = substr(line, RSTART + RLENGTH)
            }
            print done line
        }
        END {
            for (macro in defined)
                print "#undef " macro | "sort"
        }' "$1"
}

names=$(mktemp -d)
trap 'rm -rf "$names"' EXIT
for source in "$src"/capture/*.c; do
    list_names "$source" >"$names/$(basename "$source")"
    tr -c 'A-Za-z0-9_' '\n' <"$source" | sort -u >"$names/$(basename "$source").words"
done
sort "$names"/*.words | uniq -d >"$names/shared"

{
    echo '/*'
    echo ' * etcapture.c - libetcapture in one source, made by "make amalgamation"; compile it with etcapture.h beside it. The sources'
    echo ' * that it is made from are in the repository of etinspect.'
    echo ' */'
    echo '#if !defined(_GNU_SOURCE)'
    echo '#define _GNU_SOURCE /* of the C library: declarations of POSIX and BSD */'
    echo '#endif'
    echo '#define ETC_NO_INLINE'
    echo '#include "etcapture.h"'
    echo
    echo '#if defined(ETC_DISABLED)'
    echo 'typedef int etc_nothing;'
    echo '#else'
    for header in $headers; do
        echo
        echo "/* ==== $header ==== */"
        grep -v -e '^#include "' -e '^#define ETC_NO_INLINE' "$src/capture/$header"
    done
    for source in "$src"/capture/*.c; do
        print_source "$source" "$(comm -12 "$names/$(basename "$source")" "$names/shared" | tr '\n' ' ')"
    done
    echo
    echo '#endif'
} >"$out/etcapture.c.new"
mv "$out/etcapture.c.new" "$out/etcapture.c"
