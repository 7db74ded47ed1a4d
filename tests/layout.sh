#!/bin/sh
# layout.sh [SRC] - fails when a source of src/ includes a header that its room may not include, when includes go round
# in a circle, or when a room has grown so large that it is two. Nothing points backwards or sideways.
#
# Without SRC it also opens doors on purpose, in copies of src/, and fails where nobody notices.
set -u
export LC_ALL=C

src=$(cd "${1:-$(dirname "$0")/../src}" && pwd)
n_passed=0
n_failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# A room has at most as many lines, and so has a folder in one; descriptions made of schemas do not count.
most_lines=7000

# room: rooms or single headers it may include besides its own, base/ and the public headers.
rules='
include:
base:
flatbuf:
stats:
read:     flatbuf/
tensors:  read/
etrecord: read/ tensors/
pte:      flatbuf/ read/ tensors/
backends: flatbuf/ read/
model:    backends/ etrecord/ pte/ read/ stats/ tensors/
program:  backends/ pte/ tensors/
account:  model/ stats/
places:   account/ backends/ model/ program/
rollup:   account/ backends/ model/ places/ program/ stats/
timeline: account/ backends/ model/ places/ rollup/
numerics: account/ model/ places/ pte/ stats/ tensors/
table:    stats/
profile:  account/ model/ places/ program/ read/ rollup/ stats/ table/
compare:  account/ profile/ program/ rollup/ stats/ table/
series:   compare/ stats/ table/
gate:     compare/ profile/ stats/ table/
measure:  compare/ gate/ profile/ program/ pte/ stats/ table/ tensors/
view_events: account/ model/ numerics/ places/ rollup/ stats/ table/
view_numerics: account/ gate/ numerics/ places/ read/ table/ tensors/ view_events/
view_program: account/ model/ places/ program/ rollup/ table/ view_events/ view_numerics/
view:     view_events/ view_numerics/ view_program/ account/ model/ places/ program/ rollup/ stats/ table/ timeline/
write:    gate/ rollup/ table/
sqlite:   table/ timeline/ tensors/ write/
trace:    table/ timeline/ tensors/ write/
report:   account/ model/ places/ rollup/ table/ timeline/ view/ write/
api:      read/ tensors/ etrecord/ pte/ backends/ model/ program/ account/ places/ rollup/ timeline/ numerics/ table/ profile/ compare/ series/ gate/ measure/ view_events/ view_numerics/ view_program/ view/ write/ sqlite/ trace/ report/ stats/
cli:      api/
capture:
'

# room: headers of the libraries it may include
libraries='
base:  csv.h
table: openssl/sha.h sha2.h
write: csv.h zlib.h
sqlite: sqlite3.h
read:  zlib.h
tensors: zlib.h
'

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1: $2"
}

# Every include of src/ as "file header"; a header of the system keeps its angle brackets.
list_includes() {
    (cd "$src" && find . -type f \( -name '*.[ch]' -o -name '*.hpp' \) -exec grep -H '^[[:space:]]*#[[:space:]]*include' {} +) |
        sed -n 's,^\./\([^:]*\):[^"<]*\(["<][^">]*[">]\).*,\1 \2,p' | tr -d '"'
}

# Reads the two tables and the includes; prints "file: what is wrong".
check_doors() {
    { printf '%s\n' "$rules" | sed 's/^/rule /'; printf '%s\n' "$libraries" | sed 's/^/library /'; cat "$work/includes"; } |
        awk -v src="$src" '
        function exists(path,    line) { result = (getline line < (src "/" path)) >= 0; close(src "/" path); return result }
        function room_of(path) { return substr(path, 1, index(path, "/") - 1) }
        function is_allowed(room, header,    i, n, words) {
            if (room_of(header) == room || (room in free && room_of(header) == "base"))
                return 1
            n = split(may[room], words, " ")
            for (i = 1; i <= n; i++)
                if (words[i] == header || (words[i] ~ /\/$/ && index(header, words[i]) == 1))
                    return 1
            return 0
        }
        $1 == "rule" || $1 == "library" {
            kind = $1
            room = $2
            sub(/:$/, "", room)
            sub(/^[a-z]+ +[a-z]*:? */, "")
            if (kind == "library")
                libraries[room] = " " $0 " "
            else {
                may[room] = $0
                if (room !~ /^(include|capture)$/)
                    free[room] = 1
            }
            next
        }
        {
            room = room_of($1)
            header = $2
            if (header ~ /^</) {
                gsub(/[<>]/, "", header)
                if (header ~ /^(csv|sha2|sqlite3|zlib|zip.*|jansson)\.h$|^openssl\// && !index(libraries[room], " " header " "))
                    print $1 ": src/" room " may not include <" header ">"
            } else if (exists("include/" header))
                next
            else if (!exists(header))
                print $1 ": there is no src/" header
            else if (!is_allowed(room, header))
                print $1 ": src/" room " may not include \"" header "\""
        }'
}

# A source and its header are one noun; a noun may not reach itself through what it includes.
list_edges() {
    sed 's/ / /' "$work/includes" | grep -v '<' | sed 's,\.[a-z]* , ,; s,\.[a-z]*$,,; s, \([a-z_]*\)$, include/\1,' | awk '$1 != $2' | sort -u
}

check_rooms() {
    for room_path in "$src"/*/; do
        room=$(basename "$room_path")
        if ! printf '%s\n' "$rules" | grep -q "^$room:"; then
            fail "src/$room" 'there is no such room: see the rules in tests/layout.sh'
            continue
        fi
        find "$room_path" -type d | while read -r folder; do
            lines=$(find "$folder" -maxdepth 1 -type f -name '*.[ch]*' ! -name '*_table.h' -exec cat {} + | wc -l)
            [ "$lines" -le $most_lines ] || echo "src/${folder#"$src/"}: $lines"
        done >"$work/large"
        if [ ! -s "$work/large" ]; then
            pass
        else
            fail "$(cat "$work/large")" "more than $most_lines lines: is it two?"
        fi
    done
    for file in $(cd "$src" && find . -maxdepth 1 -type f; cd "$src" && find . -type f ! -name '*.[ch]' ! -name '*.hpp' ! -name '*.inc' ! -path './report/*.html' ! -path './report/*.css' ! -path './report/*.js' ! -path './report/*.awk'); do
        fail "$file" 'only sources and headers belong here, and into a room'
    done
}

list_includes >"$work/includes"
check_doors >"$work/wrong"
n_files=$(cut -d ' ' -f 1 "$work/includes" | sort -u | wc -l)
n_wrong=$(cut -d : -f 1 "$work/wrong" | sort -u | wc -l)
sed 's/^/FAILED /' "$work/wrong"
n_passed=$((n_passed + n_files - n_wrong))
n_failed=$((n_failed + n_wrong))
check_rooms
list_edges >"$work/edges"
if tsort "$work/edges" >/dev/null 2>"$work/circle"; then
    pass
else
    fail 'includes go round in a circle' "$(sed 's/.*: //; s/input contains a loop://' "$work/circle" | tr '\n' ' ')"
fi

# check_paths DOCUMENT: a file that it names must be there, unless it is one that make writes. A name without a folder is in that
# of the name before it.
check_paths() {
    # shellcheck disable=SC2016 # these are the document's
    grep -o '`[^` ]*[./][^` ]*`' "$1" | tr -d '`' | grep -v '[<*{]' | while read -r path; do
        case $path in
        build/*) continue ;;
        */*) folder=${path%/*}/ ;;
        *.[ch]) path=$folder$path ;;
        *) continue ;;
        esac
        [ -e "$src/$path" ] || [ -e "$src/../$path" ] || echo "$path"
    done >"$work/lost"
    if [ -s "$work/lost" ]; then fail "${1##*/}" "it names files that are not there: $(tr '\n' ' ' <"$work/lost")"; else pass; fi
}

# list_formats SRC: prints file:line of each statement that formats or reads numbers with a fraction as the locale of the process
# does. base/ has functions that do not; the program, which is cli/, does not call setlocale(), and capture/ has no such numbers.
list_formats() {
    (cd "$1" && find . -type f -name '*.[ch]' ! -path './base/*' ! -path './cli/*' ! -path './capture/*' ! -path './include/*' -exec awk '
        FNR == 1 { statement = "" }
        /(^|[^_[:alnum:]])(vsnprintf|vsprintf|strtod|strtof|strtold|atof|sscanf) *\(/ { print FILENAME ":" FNR }
        /(^|[^_[:alnum:]])(snprintf|sprintf) *\(/ { statement = " "; from = FNR }
        statement != "" { statement = statement $0 }
        statement != "" && /;/ {
            gsub(/%%/, "", statement)
            if (statement ~ /%[-+ #0]*([0-9]+|[*])?([.]([0-9]+|[*])?)?L?[aAeEfFgG]/ || statement !~ /"/)
                print FILENAME ":" from
            statement = ""
        }' {} +) | sed 's,^[.]/,,' | sort
}

# add_format LINE: a source of the library with the line must be refused.
add_format() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/api"
    printf '%s\n' "$1" >"$work/copy/api/formats.c"
    if [ "$(list_formats "$work/copy")" = api/formats.c:1 ]; then pass; else fail layout.sh "nobody notices: $1"; fi
}

# list_commas SRC: prints file:line of each text that is a comma, with or without brackets and blanks, or that has a comma before
# a quotation mark, in a source that writes JSON with base/json_writer.h, whose functions write the commas.
list_commas() {
    (cd "$1" && grep -rlE --include='*.c' 'eti_json_writer|eti__json_add_|base/json_writer[.]h' . | grep -v '/base/json_writer[.]c$' |
        xargs -r awk '
        FNR == 1 { in_comment = 0 }
        {
            line = $0
            while (line != "") {
                if (in_comment) {
                    if (!(end = index(line, "*/")))
                        break
                    in_comment = 0
                    line = substr(line, end + 2)
                } else if (!match(line, /"([^"\\]|\\.)*"|\/[*]|\/\/|'"'(\\\\.|[^'])'"'/))
                    break
                else {
                    token = substr(line, RSTART, RLENGTH)
                    line = substr(line, RSTART + RLENGTH)
                    in_comment = token == "/*"
                    if (token == "//")
                        break
                    if (token ~ /^"([][{} ]|\\n|\\")*,([][{} ]|\\n)*"$/ || token ~ /,([][{} ]|\\n)*\\"/)
                        print FILENAME ":" FNR
                }
            }
        }') | sed 's,^[.]/,,' | sort
}

# add_comma LINE: a source that writes JSON with the line must be refused.
add_comma() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/write"
    printf 'static void add(eti_json_writer *json) {\n%s\n} /* a, ", " */\n' "$1" >"$work/copy/write/commas.c"
    if [ "$(list_commas "$work/copy")" = write/commas.c:2 ]; then pass; else fail layout.sh "nobody notices: $1"; fi
}

# open_door NAME FILE HEADER: a copy of src/ in which FILE includes HEADER must be refused.
open_door() {
    rm -rf "$work/copy"
    cp -R "$src" "$work/copy"
    echo "#include \"$3\"" >>"$work/copy/$2"
    if sh "$0" "$work/copy" >"$work/found"; then fail layout.sh "nobody notices $1"; else pass; fi
    grep -qF "$4" "$work/found" || fail layout.sh "$1 is refused for another reason"
}

# Turns of phrase that readers stumbled over. CONTRIBUTING.md says how to write instead: begin with a verb or "Number of", and
# name the subject. A clause does not begin with "what", and a comment not with "What".
turns='(tells|telling|told) (of|what|how|whether|which)|tell (of|what|how|which)|(is|are|was|were|be|been) told|(tells?|telling|told) ([a-z0-9]+ ){0,4}apart|but for|at hand|mend(s|ed|ing)?|found out|what becomes|what is (no|none|longer)|of which none|which are none|so that nobody|so many (first|of them)|(files?|runs) a side'
openings='^[[:space:]]*(/[*]+|[*]|//|#|[.]\\")[[:space:]]+What [a-z]'

# list_turns FOLDER: prints file:line:text of each line with such a turn. Expected output of tests follows from what is printed.
list_turns() {
    (cd "$1" && find src man README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md python completions tests examples bench Makefile mk .ci debian \
        -type f ! -name '*.exact' ! -name '*.tar' ! -name '*_table.h' ! -path tests/layout.sh ! -path 'tests/fuzz/corpus/*' \
        -exec grep -InHiE "(^|[^[:alnum:]_-])($turns)([^[:alnum:]_]|\$)" {} + 2>/dev/null
    cd "$1" && find src python tests examples bench Makefile mk .ci debian -type f ! -name '*.exact' ! -path tests/layout.sh \
        -exec grep -InHE "$openings" {} + 2>/dev/null) | sort -u -t : -k 1,1 -k 2,2n
}

check_turns() {
    list_turns "$src/.." >"$work/turns"
    sed 's/^/FAILED /' "$work/turns"
    if [ -s "$work/turns" ]; then fail 'turns of phrase' 'write these sentences plainly: see the list in tests/layout.sh'; else pass; fi
}

# add_turn FILE LINE: a tree with the line in FILE must be refused.
add_turn() {
    rm -rf "$work/prose"
    mkdir -p "$work/prose/${1%/*}"
    printf '%s\n' "$2" >"$work/prose/$1"
    if [ "$(list_turns "$work/prose")" = "$1:1:$2" ]; then pass; else fail layout.sh "nobody notices in $1: $2"; fi
}

# keep_turn FILE LINE: plain words are not refused.
keep_turn() {
    rm -rf "$work/prose"
    mkdir -p "$work/prose/${1%/*}"
    printf '%s\n' "$2" >"$work/prose/$1"
    if [ -z "$(list_turns "$work/prose")" ]; then pass; else fail layout.sh "refuses in $1: $2"; fi
}

if [ $# = 0 ]; then
    check_turns
    add_turn src/base/text.h '/* Sorted, but for the last. */'
    add_turn man/etinspect.1 'which is told on one line'
    add_turn tests/cli/run.sh '# What is longer goes to a pager.'
    add_turn python/hook.py '# What the package needs.'
    add_turn src/cli/main.c '    fail("one file a side");'
    add_turn mk/bench.mk '# What a bench needs.'
    add_turn bench/README.md 'tells the two of them apart'
    keep_turn src/base/text.h '/* Appends the text. NULL: there is none. It cannot tell whether recommended tools amend it. */'
    keep_turn man/etinspect.1 'What to do is shown below: --tell_of apart'
    check_paths "$src/../CONTRIBUTING.md"
    list_formats "$src" >"$work/formats"
    sed 's,^,FAILED src/,' "$work/formats"
    if [ -s "$work/formats" ]; then
        fail 'numbers of the locale' 'use the functions of base/c_locale.h, or those built on them'
    else
        pass
    fi
    add_format '    double share = strtod(text, &end);'
    add_format '    snprintf(text, sizeof text, "%.*f", decimals, magnitude);'
    add_format '    snprintf(text, sizeof text, format, value);'
    add_format "$(printf '    snprintf(text, sizeof text,\n             "%%5g %%%%", percent);')"
    add_format '    vsnprintf(line, sizeof line, format, arguments);'
    list_commas "$src" >"$work/commas"
    sed 's,^,FAILED src/,' "$work/commas"
    if [ -s "$work/commas" ]; then fail "JSON's commas" 'leave them to base/json_writer.h'; else pass; fi
    add_comma '    eti__buffer_add_string(out, ", ");'
    add_comma "    out->data[0] = '\"'; eti__buffer_add(out, \",\", 1);"
    add_comma '    eti__buffer_add_string(out, i > 0 ? ",\n{" : "\n{");'
    add_comma '    eti__buffer_add_string(out, ",\"args\":{");'
    open_door 'a reader that includes a table' read/etdump.c table/table.h 'src/read may not include "table/table.h"'
    open_door 'a source of a subfolder that includes a view' table/sort.c view_events/view.h 'src/table may not include "view_events/view.h"'
    open_door 'a writer that includes a comparison' write/junit.c compare/diff.h 'src/write may not include "compare/diff.h"'
    open_door 'a public header that includes one of ours' include/etinspect.h base/text.h 'src/include may not include "base/text.h"'
    open_door 'a command that includes a model' cli/main.c model/event.h 'src/cli may not include "model/event.h"'
    open_door 'a header that is not there' base/text.c base/nothing.h 'there is no src/base/nothing.h'
    open_door 'a circle' base/text.h base/csv.h 'base/csv'
fi

echo "layout: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
