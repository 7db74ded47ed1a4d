#!/bin/sh
# layout.sh - checks the rooms of src/: what each includes, their sizes, their headers and the functions in them. CONTRIBUTING.md
# describes the rooms. At its end it prints counts.
#
# Without SRC it also makes each fault on purpose, in a copy of src/, and fails where nobody notices.
set -u
export LC_ALL=C

src=$(cd "${1:-$(dirname "$0")/../src}" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
n_passed=0
n_failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# A room has at most as many lines of .c and .h; tables that scripts make (*_table.h, *.inc) do not count.
most_lines=7000

# Libraries of their own in a folder of a room.
own_libraries='capture/nrt include/nrt'

# room: rooms whose faces it may include besides its own headers, base/ and the public headers. A row names rows above it only.
rules='
include:
base:
digest:
flatbuf:
stats:
read:     flatbuf/
tensors:  read/
etrecord: read/ tensors/
pte:      flatbuf/ read/ tensors/
backends: flatbuf/ read/
model:    backends/ digest/ etrecord/ pte/ read/ stats/ tensors/
inside:   backends/ model/
program:  backends/ pte/ tensors/
account:  model/ stats/
places:   account/ backends/ inside/ model/ program/
rollup:   account/ backends/ model/ places/ program/ stats/
timeline: account/ backends/ model/ places/ rollup/
numerics: account/ model/ places/ pte/ stats/ tensors/
table:    digest/ stats/
profile:  account/ model/ places/ program/ read/ rollup/ stats/ table/
compare:  account/ profile/ program/ rollup/ stats/ table/
series:   compare/ stats/ table/
gate:     compare/ profile/ stats/ table/
measure:  compare/ digest/ gate/ profile/ program/ pte/ stats/ table/ tensors/
view_events: account/ model/ numerics/ places/ rollup/ stats/ table/
view_numerics: account/ gate/ numerics/ places/ read/ table/ tensors/ view_events/
view_program: account/ model/ places/ program/ rollup/ table/ view_events/ view_numerics/
view:     view_events/ view_numerics/ view_program/ account/ backends/ model/ places/ program/ rollup/ stats/ table/ timeline/
write:    digest/ gate/ rollup/ table/
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
digest: sha2.h
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

# strip FILE...: prints file:line:code of each line, without comments.
strip() {
    awk '
        FNR == 1 { in_comment = 0 }
        {
            line = $0
            code = ""
            while (line != "") {
                if (in_comment) {
                    if (!(end = index(line, "*/")))
                        break
                    in_comment = 0
                    line = substr(line, end + 2)
                } else if (!match(line, /"([^"\\]|\\.)*"|\/[*]|\/\/|'"'(\\\\.|[^'\\\\])'"'/)) {
                    code = code line
                    break
                } else {
                    token = substr(line, RSTART, RLENGTH)
                    code = code substr(line, 1, RSTART - 1)
                    line = substr(line, RSTART + RLENGTH)
                    if (token == "//")
                        break
                    if (token == "/*")
                        in_comment = 1
                    else
                        code = code token
                }
            }
            print FILENAME ":" FNR ":" code
        }' "$@"
}

# list_includes: of stripped code, prints "file header" for each include; a header of the system keeps its angle brackets.
list_includes() {
    sed -n 's,^\([^:]*\):[0-9]*:[[:space:]]*#[[:space:]]*include[[:space:]]*["]\([^"]*\)".*,\1 \2,p
        s,^\([^:]*\):[0-9]*:[[:space:]]*#[[:space:]]*include[[:space:]]*\(<[^>]*>\).*,\1 \2,p'
}

# Prints "room: message" for each row of rules that names a row which is not above it, so that rooms cannot go in circles.
check_rows() {
    awk '
        /:/ {
            room = $1
            sub(/:$/, "", room)
            for (i = 2; i <= NF; i++) {
                other = $i
                sub(/\/$/, "", other)
                if (!(other in above))
                    print room ": the row of src/" other " is not above it"
            }
            above[room] = 1
        }'
}

# Of the lists of a tree (see examine), prints "file: message" for each include that goes past a face or to a room below.
check_doors() {
    { printf '%s\n' "$rules" | sed 's/^/rule /'; printf '%s\n' "$libraries" | sed 's/^/library /'; sed 's/^/file /' "$work/files"
        sed 's/^/face /' "$work/faces"; cat "$work/includes"; } |
        awk '
        function room_of(path) { return substr(path, 1, index(path, "/") - 1) }
        function is_allowed(room, other,    i, n, words) {
            if (room in free && other == "base")
                return 1
            n = split(may[room], words, " ")
            for (i = 1; i <= n; i++)
                if (words[i] == other "/")
                    return 1
            return 0
        }
        $1 == "rule" || $1 == "library" {
            kind = $1
            room = $2
            sub(/:$/, "", room)
            sub(/^[a-z]+ +[a-z_]*:? */, "")
            if (kind == "library")
                libraries[room] = " " $0 " "
            else {
                may[room] = $0
                if (room !~ /^(include|capture)$/)
                    free[room] = 1
            }
            next
        }
        $1 == "file" || $1 == "face" {
            exists[$2] = 1
            if ($1 == "face")
                is_face[$2] = 1
            next
        }
        {
            room = room_of($1)
            header = $2
            other = room_of(header)
            if (header ~ /^</) {
                gsub(/[<>]/, "", header)
                if (header ~ /^(csv|sha2|sqlite3|zlib|zip.*|jansson)\.h$/ && !index(libraries[room], " " header " "))
                    print $1 ": src/" room " may not include <" header ">"
            } else if (("include/" header) in exists)
                next
            else if (!(header in exists))
                print $1 ": there is no src/" header
            else if (other == room) {
                if (room != "base" && ($1 in is_face) && !(header in is_face))
                    print $1 ": the face of a room shows a private header to all: \"" header "\""
            } else if (!is_allowed(room, other))
                print $1 ": src/" room " may not include \"" header "\""
            else if (!(header in is_face))
                print $1 ": \"" header "\" is private: include the face of src/" other
        }'
}

# Prints "room: message" or "file: message" for each room that is unknown or too large, each folder in one, and each file that
# does not belong to src/. $1 is the tree.
check_rooms() {
    printf '%s\n' "$rules" | sed -n 's/^\([a-z_]*\):.*/\1/p' >"$work/known"
    (cd "$1" && find . -mindepth 1 -type d | sed 's,^\./,,') | sort | while read -r folder; do
        case " $own_libraries " in
        *" $folder "*) ;;
        *)
            case $folder in
            */*) echo "$folder: a room has no folders" ;;
            *) grep -qxF "$folder" "$work/known" || echo "$folder: there is no such room: see the rules in tests/layout.sh" ;;
            esac
            ;;
        esac
    done
    awk -v most=$most_lines '$2 + 0 > most { print $1 ": " $2 " lines, more than " most ": is it two rooms?" }' "$work/rooms"
    grep -v / "$work/files" | sed 's/$/: sources and headers belong into a room/'
    grep -vE '\.([ch]|hpp|inc)$|^report/.*\.(html|css|js|awk)$|^measure/(runner\.cc|(runner|find)\.py)$' "$work/files" | sed 's/$/: only sources and headers belong here/'
}

# Prints "file: message" if headers include each other in a circle.
check_circles() {
    # An include of "etcapture.h" is one of include/etcapture.h.
    awk 'FNR == NR { exists[$1] = 1; next }
        $1 ~ /\.h(pp)?$/ && $2 !~ /^</ { print $1, ("include/" $2) in exists ? "include/" $2 : $2 }' "$work/files" "$work/includes" >"$work/edges"
    tsort "$work/edges" >/dev/null 2>"$work/circle" && return
    sed 's/.*: //; s/input contains a loop://' "$work/circle" | tr '\n' ' ' | sed 's/^ */headers include each other in a circle: /'
    echo
}

# Prints "header: message" for each private header that fewer than two sources need: sources of src/ and unit tests, which include
# it themselves or through other headers.
check_headers() {
    grep '\.h$' "$work/files" | grep -vE '_table\.h$|^(base|include)/' | grep -vxF -f "$work/faces" >"$work/private"
    { sed 's/^/private /' "$work/private"; grep -v '<' "$work/includes"; cat "$work/test_includes"; } |
        awk '
        function visit(file, source,    i, n, headers) {
            if (visited[file] == source)
                return
            visited[file] = source
            if (file in is_private) {
                users[file]++
                last[file] = source
            }
            n = split(includes[file], headers, " ")
            for (i = 1; i <= n; i++)
                visit(headers[i], source)
        }
        $1 == "private" {
            is_private[$2] = 1
            next
        }
        { includes[$1] = includes[$1] " " $2 }
        END {
            for (file in includes)
                if (file ~ /\.c$/)
                    visit(file, file)
            for (header in is_private)
                if (users[header] < 2)
                    print header ": " (users[header] ? "only " last[header] " needs it: move what it declares there" : "nobody includes it")
        }' | sort
}

# Prints "header: message" for each function that a private or public part of a room declares and that no second source uses, and
# for each one that two headers declare. Writes the functions that only tests use into $work/for_tests as "function header".
check_functions() {
    sed 's/^/# /' "$work/test_words" | awk -v for_tests="$work/for_tests" '
        # Adds to `statement` the code that is in no braces, and declares the function in it when it ends.
        function add_code(file, code,    i, piece, c) {
            while (match(code, /[{};]/)) {
                if (depth == 0)
                    statement = statement " " substr(code, 1, RSTART - 1)
                c = substr(code, RSTART, 1)
                code = substr(code, RSTART + 1)
                if (c == "{")
                    depth++
                else if (c == "}")
                    depth--
                if (depth == 0 && c == ";")
                    declare(file, statement)
                if (depth == 0 && (c == ";" || (c == "}" && statement ~ /\(/)))
                    statement = ""
            }
            if (depth == 0)
                statement = statement " " code
        }
        function declare(file, text,    name) {
            if (text ~ /(^| )(typedef|static|extern|_Static_assert)( |\(|$)/ || !match(text, /[A-Za-z_][A-Za-z0-9_]* *\(/))
                return
            name = substr(text, RSTART, RLENGTH)
            sub(/ *\($/, "", name)
            if (name in header)
                print file ": " name "() is also declared in " header[name]
            else
                header[name] = file
        }
        $1 == "#" {
            in_tests[$2] = 1
            next
        }
        {
            at = index($0, ":")
            file = substr($0, 1, at - 1)
            code = substr($0, at + 1)
            code = substr(code, index(code, ":") + 1)
            if (file != last_file) {
                depth = 0
                statement = ""
                continues = 0
            }
            last_file = file
            is_header = file ~ /\.h$/
            if (is_header && file !~ /^include\/|_table\.h$/) {
                if (continues || code ~ /^[ \t]*#/)
                    continues = code ~ /\\$/
                else
                    add_code(file, code)
            }
            while (match(code, /[A-Za-z_][A-Za-z0-9_]*##/)) {
                pasted[substr(code, RSTART, RLENGTH - 2)] = 1
                code = substr(code, 1, RSTART - 1) " " substr(code, RSTART + RLENGTH)
            }
            gsub(/[^A-Za-z0-9_]+/, " ", code)
            n = split(code, words, " ")
            for (i = 1; i <= n; i++) {
                word = words[i]
                if (is_header)
                    in_headers[word]++
                else if (user[word] != file) {
                    n_users[word]++
                    user[word] = file
                }
            }
        }
        END {
            for (prefix in pasted)
                if (length(prefix) < 6)
                    delete pasted[prefix]
            for (name in header) {
                is_pasted = 0
                for (prefix in pasted)
                    if (index(name, prefix) == 1)
                        is_pasted = 1
                if (is_pasted || n_users[name] > 1 || in_headers[name] > 1)
                    continue
                if (n_users[name] == 0)
                    print header[name] ": " name "() is defined nowhere"
                else if (name in in_tests)
                    print name, header[name] >for_tests
                else
                    print header[name] ": only " user[name] " uses " name "(): make it static"
            }
        }' - "$work/code" | sort
}

# Prints "file: message" for each name of a backend in a source outside of backends/.
check_backends() {
    grep -E '"[A-Z][A-Za-z0-9]*Backend"' "$work/code" | grep -v '^backends/' |
        sed 's/^\([^:]*\):\([0-9]*\):.*/\1: line \2 has the name of a backend: only backends\/ may/'
}

# examine SRC [CHECK]: writes $work/faults, "file: message" a line, and these lists on which the checks are based: $work/files;
# $work/faces; $work/code, file:line:code without comments; $work/includes; $work/rooms, "room lines".
examine() {
    (cd "$1" && find . -type f | sed 's,^\./,,' | sort) >"$work/files"
    # shellcheck disable=SC2086 # a list of files
    (cd "$1" && find . -type f \( -name '*.[ch]' -o -name '*.hpp' \) | sed 's,^\./,,' | sort | { files=$(cat); strip $files; }) >"$work/code"
    grep '^\([a-z_]*\)/\1\.h$' "$work/files" | grep -vxE '(base|capture)/.*' >"$work/faces"
    grep '^base/.*\.h$' "$work/files" | grep -v '_table\.h$' >>"$work/faces"
    list_includes <"$work/code" >"$work/includes"
    awk -F: '$1 !~ /_table\.h$|\.hpp$/ {
            room = $1
            sub(/\/[^\/]*$/, "", room)
            lines[room]++
        }
        END { for (room in lines) print room, lines[room] }' "$work/code" | sort >"$work/rooms"
    : >"$work/for_tests"
    for check in ${2:-doors rooms circles headers functions backends}; do
        "check_$check" "$1"
    done >"$work/faults"
}

# Prints the counts of the tree that was examined last.
print_counts() {
    awk -F: '$1 ~ /\.c$/ { lines[$1]++ } END { for (file in lines) print lines[file] }' "$work/code" | sort -n |
        awk -v n_rooms="$(grep -c . "$work/known")" -v n_faces="$(wc -l <"$work/faces")" -v n_base="$(grep -c ^base/ "$work/faces")" -v n_private="$(wc -l <"$work/private")" \
            -v n_for_tests="$(wc -l <"$work/for_tests")" -v largest="$(sort -k 2,2nr "$work/rooms" | head -n 1)" '
            { lines[NR] = $1 }
            END {
                split(largest, room, " ")
                print "layout: " n_rooms " rooms, " NR " sources of " lines[int((NR + 1) / 2)] " lines in the median, " n_faces " faces (" n_base " of base), " \
                    n_private " private headers, " n_for_tests " functions that only tests use beside their source"
                print "layout: the largest room is " room[1] " with " room[2] " lines of " '$most_lines'
            }'
}

# Words of the tests and of the other programs that are linked with the sources, and the includes of unit
# tests and of the comparisons in tests/oracle/ that they call.
# shellcheck disable=SC2086 # a list of files
(cd "$top" && files=$(find tests bench python examples -type f \( -name '*.[ch]' -o -name '*.cc' \)) && strip $files) >"$work/test_code"
sed 's/^[^:]*:[0-9]*://; s/__\(wrap\|real\)_/ /g; s/[^A-Za-z0-9_][^A-Za-z0-9_]*/ /g' "$work/test_code" | tr ' ' '\n' | sort -u >"$work/test_words"
grep -E '^tests/(unit|oracle)/' "$work/test_code" | list_includes | grep -v '<' | sed 's, \(unit\|oracle\)/, tests/\1/,' >"$work/test_includes"

examine "$src"
cp "$work/faults" "$work/faults_of_src"
print_counts >"$work/counts"
sed 's/^/FAILED /' "$work/faults"
n_files=$(wc -l <"$work/files")
n_wrong=$(cut -d : -f 1 "$work/faults" | sort -u | wc -l)
n_passed=$((n_passed + n_files - n_wrong))
n_failed=$((n_failed + n_wrong))
printf '%s\n' "$rules" | check_rows >"$work/rows"
sed 's/^/FAILED /' "$work/rows"
if [ -s "$work/rows" ]; then fail 'rules' 'a row names rows above it only'; else pass; fi

# check_paths DOCUMENT: a file that it names must be there, unless it is one that make writes or has a placeholder in its name. A
# name without a folder is in that of the name before it.
check_paths() {
    # shellcheck disable=SC2016 # these are the document's
    grep -o '`[^` ]*[./][^` ]*`' "$1" | tr -d '`' | grep -vE '[<*{]|ROOM|NOUN|NAME' | while read -r path; do
        case $path in
        build/* | /*) continue ;;
        */*) folder=${path%/*}/ ;;
        *.[ch]) path=$folder$path ;;
        *) continue ;;
        esac
        [ -e "$src/$path" ] || [ -e "$src/../$path" ] || [ -e "$src/../tests/$path" ] || echo "$path"
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
    # shellcheck disable=SC2016 # awk has fields of its own
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

# list_names SRC: prints each file whose opening comment names another file.
list_names() {
    (cd "$1" && find . -type f \( -name '*.[ch]' -o -name '*.hpp' \) -exec awk '
        FNR > 2 { nextfile }
        match($0, /^(\/[*]| [*]) [a-z0-9_\/]+[.](c|h|hpp) - /) {
            n = split(FILENAME, parts, "/")
            split($0, words, " ")
            if (words[2] != parts[n])
                print FILENAME ": its first comment names " words[2]
        }' {} +) | sed 's,^[.]/,,' | sort
}

# add_name LINE: a source that begins with the line must be refused.
add_name() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/stats"
    printf '/*\n%s\n */\n' "$1" >"$work/copy/stats/names.c"
    if [ -n "$(list_names "$work/copy")" ]; then pass; else fail layout.sh "nobody notices: $1"; fi
}

# spoil CHECK MESSAGE FILE LINE [FILE LINE]...: check_CHECK must refuse a copy of src/ with each line at the end of its file, with
# the message.
spoil() {
    check=$1
    message=$2
    shift 2
    : >"$work/spoiled"
    while [ $# -gt 0 ]; do
        mkdir -p "$(dirname "$work/rooms_copy/$1")"
        printf '%s\n' "$2" >>"$work/rooms_copy/$1"
        echo "$1" >>"$work/spoiled"
        shift 2
    done
    examine "$work/rooms_copy" "$check"
    if grep -qF "$message" "$work/faults_of_src"; then
        fail layout.sh "src/ itself has the fault: $message"
    elif grep -qF "$message" "$work/faults"; then
        pass
    else
        fail layout.sh "nobody notices: $message"
    fi
    while read -r file; do
        if [ -f "$src/$file" ]; then
            cp "$src/$file" "$work/rooms_copy/$file"
        else
            rm "$work/rooms_copy/$file"
            [ -d "$(dirname "$src/$file")" ] || rmdir "$(dirname "$work/rooms_copy/$file")"
        fi
    done <"$work/spoiled"
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
    check_paths "$src/../SECURITY.md"
    list_formats "$src" >"$work/formats"
    sed 's,^,FAILED src/,' "$work/formats"
    if [ -s "$work/formats" ]; then
        fail 'numbers of the locale' 'use the functions of base/text.h, or those built on them'
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
    list_names "$src" >"$work/names"
    sed 's,^,FAILED src/,' "$work/names"
    if [ -s "$work/names" ]; then fail 'names of files' 'a first comment begins with the name of its file'; else pass; fi
    add_name ' * other.c - counts.'
    add_name ' * stats/names.c - counts.'
    cp -R "$src" "$work/rooms_copy"
    spoil doors 'src/read may not include "table/table.h"' read/etdump.c '#include "table/table.h"'
    spoil doors 'src/table may not include "view_events/view_events.h"' table/sort.c '# include "view_events/view_events.h"'
    spoil doors 'src/write may not include "compare/compare.h"' write/ci.c '#include "compare/compare.h"'
    spoil doors 'src/include may not include "base/text.h"' include/etinspect.h '#include "base/text.h"'
    spoil doors 'src/cli may not include "model/model.h"' cli/main.c '#include "model/model.h"'
    spoil doors 'src/view may not include <zlib.h>' view/tree.c '#include <zlib.h>'
    spoil doors 'there is no src/base/nothing.h' base/text.c '#include "base/nothing.h"'
    spoil doors 'view/tree.c: "rollup/graph.h" is private' view/tree.c '#include "rollup/graph.h"'
    spoil doors 'read/json.c: "base/double_table.h" is private' read/json.c '#include "base/double_table.h"'
    spoil doors 'rollup/rollup.h: the face of a room shows a private header to all: "rollup/graph.h"' rollup/rollup.h '#include "rollup/graph.h"'
    spoil circles 'headers include each other in a circle' base/text.h '#include "base/csv.h"'
    spoil rooms 'lines, more than' stats/long.c "$(yes 'int x;' | head -n $most_lines)"
    spoil rooms 'stats/tests: a room has no folders' stats/tests/change.c 'int x;'
    spoil rooms 'viewer: there is no such room' viewer/tree.c 'int x;'
    spoil rooms 'stats/notes.txt: only sources and headers belong here' stats/notes.txt 'lines'
    spoil rooms 'lonely.h: sources and headers belong into a room' lonely.h 'int x;'
    spoil headers 'stats/alone.h: only stats/change.c needs it' stats/alone.h 'struct x;' stats/change.c '#include "stats/alone.h"'
    spoil headers 'stats/alone.h: nobody includes it' stats/alone.h 'struct x;'
    spoil functions 'stats/stats.h: only stats/change.c uses eti__alone()' stats/stats.h 'void eti__alone(void);' \
        stats/change.c 'void eti__alone(void) {}'
    spoil functions 'stats/stats.h: eti__nowhere() is defined nowhere' stats/stats.h "$(printf 'double /* a */\neti__nowhere(double (*f)(void));')" \
        view/tree.c '/* eti__nowhere() */'
    spoil functions 'eti__alone() is also declared in' stats/stats.h 'void eti__alone(void);' table/table.h 'void eti__alone(void);'
    spoil backends 'view/tree.c: line' view/tree.c 'static const char name[] = "CoreMLBackend"; /* "XnnpackBackend" */'
    spoil backends 'view/tree.c: line' view/tree.c 'static const char name[] = "XnnpackBackend";'
    if [ "$(printf 'read: table/\ntable:\n' | check_rows)" = 'read: the row of src/table is not above it' ]; then
        pass
    else
        fail layout.sh 'nobody notices a row that is not above'
    fi
fi

cat "$work/counts"
echo "layout: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
