#!/bin/sh
# screens.sh [--update] BUILD [SCREEN...] - compares the output of every command with screens/, as last reviewed.
#
# A row of screens.tsv is a screen: its name, and a command line. Each is drawn 60, 80 and 120 columns wide, and 80 wide in
# colour and in ASCII, and on a terminal if that differs, for example by bars: screens/NAME has them one below the other.
# For all screens it also checks that no line is wider than the screen or ends in a blank, that the rule under the headings
# has a gap wherever columns have one, that the branches of a tree are below their origin, that only ASCII is used where it
# was requested, and that each line resets its colours.
set -u
export LC_ALL=C

update=
[ "${1-}" = --update ] && update=1 && shift
[ $# -ge 1 ] || { echo "usage: $0 [--update] BUILD [SCREEN...]" >&2; exit 2; }
# shellcheck source=tests/golden/common.sh
. "$(dirname "$0")/common.sh"
unset NO_COLOR CLICOLOR_FORCE COLUMNS
export CI=true TERM=xterm

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED screen $1: $2"
}

# Command lines are words of a shell.
draw() {
    (cd "$work/room" && LC_ALL=C.UTF-8 eval "${RUNNER-} \"\$build/etinspect\" $command \"\$@\"") 2>&1 </dev/null
}

# The same on a terminal of 80 columns.
draw_on_terminal() {
    cat >"$work/command" <<EOF
cd "$work/room" || exit
export LC_ALL=C.UTF-8 NO_COLOR=1 COLUMNS=80
${RUNNER-} "$build/etinspect" $command --no_pager
EOF
    script -qec "stty -onlcr; exec sh '$work/command'" /dev/null </dev/null 2>&1
}

# Computes the width in characters, each of which takes one column here: the bytes except those that continue a character.
# Messages and the lines of check are sentences of any length.
check_lines() {
    sed 's/\x1b\[[0-9;]*m//g' "$1" | tr -d '\200-\277' | awk -v width="$2" '
        length($0) > width && !/^(ok|note|etinspect|Usage|       etinspect)/ { print "wider than " width ": " $0 }
        / $/ { print "ends in a blank: " $0 }'
}

# Checks a table against its rule, "----  ---": a column of a heading or a row does not reach into the gap between two parts of the
# rule, and is not wider than its part. Takes a form with one byte a character: rules are "-", boxes "+" (a branch), "\\" (the last
# one) and "|", other characters "?".
check_rules() {
    sed 's/\x1b\[[0-9;]*m//g; s/─/-/g; s/├/+/g; s/└/\\/g; s/│/|/g' "$1" | tr -d '\200-\277' | tr '\300-\377' '?' | awk '
        # Returns the text of a line in the gaps; blanks before the first column count as one.
        function check_row(line, what,   i) {
            if (length(line) > length(rule))
                print what " is wider than its rule: " line
            for (i = 1; i <= n_gaps; i++) {
                if (substr(line, gaps[i], 1) !~ /^ ?$/ && !is_mark(line, gaps[i]))
                    print what " reaches into a gap of its rule: " line
            }
        }
        # Marks follow a number without a gap.
        function is_mark(line, at) { return substr(line, at, 1) ~ /[?*^]/ && substr(line, at - 1, 1) ~ /[0-9]/ }
        # A branch is below a branch or a blank one; the first is below its origin.
        function check_branches(line,   i, c, above) {
            for (i = 1; i <= length(line) && (c = substr(line, i, 1)) ~ /[-+|\\` ]/; i++) {
                above = substr(last, i, 1)
                if (c ~ /[+\\|`]/ && above !~ /[+|]/ && !(above ~ /[^ ]/ && substr(last, 1, i - 1) ~ /^[-+|\\` ]*$/))
                    print "a branch hangs on nothing: " line
            }
        }
        /^-+(  ?-+)*$/ {
            rule = $0
            n_gaps = 0
            for (i = 1; i <= length(rule); i++)
                if (substr(rule, i, 1) == " ")
                    gaps[++n_gaps] = i
            check_row(last, "a heading")
            last = ""
            in_table = 1
            next
        }
        /^$/ || /^[(][0-9]+ (more|columns?|inputs)/ { in_table = 0 }
        in_table && !is_row($0) { in_table = 0 }
        in_table { check_row($0, "a row"); check_branches($0) }
        { last = $0 }
        function is_row(line) { return n_gaps == 0 || line ~ /  / || length(line) < gaps[1] }'
}

# Each line sets only one colour at a time and resets it before it ends.
check_colors() {
    awk '{
        is_open = 0
        for (line = $0; match(line, /\033\[[0-9;]*m/); line = substr(line, RSTART + RLENGTH)) {
            closes = substr(line, RSTART, RLENGTH) == "\033[0m"
            if (closes != is_open)
                print (closes ? "closes a colour twice: " : "sets a colour in another: ") $0
            is_open = !closes
        }
        if (is_open)
            print "leaves a colour open: " $0
    }' "$1"
}

check_form() {
    name=$1
    width=$2
    shift 2
    echo "== $*"
    draw "$@" >"$work/form"
    cat "$work/form"
    check_drawn "$@"
}

# Adds the lines of the screen that differ on a terminal; those that were reviewed, if there is no terminal.
check_terminal() {
    name=$1
    width=80
    if [ -n "$no_terminal" ]; then
        sed -n '/^== on a terminal$/,$p' "$here/screens/$name" 2>/dev/null
        return
    fi
    draw --width 80 >"$work/piped"
    draw_on_terminal >"$work/form"
    cmp -s "$work/piped" "$work/form" && return
    echo "== on a terminal"
    cat "$work/form"
    check_drawn
}

check_drawn() {
    [ "$name" = help ] && width=80 # the output is the same at any width
    check_lines "$work/form" "$width" >"$work/wrong"
    check_rules "$work/form" >>"$work/wrong"
    check_colors "$work/form" >>"$work/wrong"
    case $* in
    *--ascii*) tr -d '\n -~' <"$work/form" | grep -q . && echo "is not ASCII" >>"$work/wrong" ;;
    *--color*) ;;
    *) grep -q "$(printf '\033')" "$work/form" && echo "has colour" >>"$work/wrong" ;;
    esac
    [ -s "$work/wrong" ] && cat "$work/wrong" >>"$work/all_wrong"
}

check_screen() {
    : >"$work/all_wrong"
    {
        echo "etinspect $command"
        for width in 60 80 120; do
            check_form "$name" $width --width $width
        done
        check_form "$name" 80 --width 80 --color always
        check_form "$name" 80 --width 80 --ascii
        check_terminal "$name"
    } >"$work/found"
    [ -n "$update" ] && cp "$work/found" "$here/screens/$name"
    if [ -s "$work/all_wrong" ]; then
        fail "$name" "$(head -n 3 "$work/all_wrong")"
    elif ! cmp -s "$here/screens/$name" "$work/found"; then
        fail "$name" "differs"
        diff "$here/screens/$name" "$work/found" | head -n 12 | cut -c 1-150 | sed 's/^/    /'
    else
        n_passed=$((n_passed + 1))
    fi
}

# Saves one process with four runs: FILE NUMBER FACTOR_OF_EVENT2
save_process() {
    awk -v f="$2" -v slow="$3" 'BEGIN {
        print "time_scale,ns\nblock,Execute,,4,1"
        for (e = 0; e < 9; e++) {
            t = e == 8 ? 101000 : 5000 * (e + 1) * (100 + (7 * e + 3 * f * f + e * f) % 11 - 5) * (50 + f % 3)
            t = int(t * (e == 2 ? slow : 1) / 1000)
            total += t
            rows[e] = sprintf("kernel,native_call_event%d.out,aten.op%d.default,layers.%d,,,,model.py,%d,,%d;%d;%d;%d", e, e % 3, e / 4,
                10 + e, t, t * 1.01, t * 1.02, t * 1.04)
        }
        printf "execute,Method::execute,,,,,,,,,%d;%d;%d;%d\n", total * 1.1, total * 1.111, total * 1.122, total * 1.144
        for (e = 0; e < 9; e++)
            print rows[e]
    }' | "$top/tests/cli/bin/baseline" "$1"
}

# Makes the files that command lines name: testdata, base*.csv and new*.csv, in which one event takes longer.
mkdir "$work/room"
ln -s "$top/testdata" "$work/room/testdata"
for f in 0 1 2 3 4; do
    save_process "$work/room/base$f.csv" $f 1
    save_process "$work/room/new$f.csv" $((f + 5)) 1.2
done

no_terminal=
script -qec true /dev/null </dev/null >/dev/null 2>&1 || no_terminal=yes
n_skipped=0
[ -z "$no_terminal" ] || { echo 'skipped: screens on a terminal: there is no script(1), or no terminal for it' && n_skipped=1; }

while IFS=$tab read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    is_wanted "$name" "$@" && check_screen
done <"$here/screens.tsv"

echo "screens: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
