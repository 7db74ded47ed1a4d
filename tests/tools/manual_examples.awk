# manual_examples.awk - extracts the examples from a page of the manual, compares their output, and writes it into the page.
#
#   awk -v mode=take -v out=DIR -f manual_examples.awk PAGE      writes DIR/script, DIR/N.want and DIR/list
#   awk -v mode=compare -f manual_examples.awk WANT FOUND        exits with 1 if they differ
#   awk -v mode=update -v out=DIR -f manual_examples.awk PAGE    prints the page with the contents of DIR/N.found
#
# An example is a line "$ COMMAND" in a block ".Bd -literal"; it continues after a line that ends with \ or |. Its output
# follows, up to the next "$ ". A line "..." in the output stands for any lines, and a line that ends with " ..." for one
# with this beginning. The comment
#     .\" not run: WHY
# before a block prevents it from being run. "...N" asks mode=update for the first N lines; a final "..." of output that no
# longer matches stays in place.

function plain(line) {
    sub(/^\\&/, "", line)
    gsub(/\\e/, "\\", line)
    gsub(/\\\(dq/, "\"", line)
    gsub(/\\-/, "-", line)
    gsub(/\\&/, "", line)
    return line
}

function marked_up(line) {
    gsub(/\\/, "\\e", line)
    if (line ~ /^[.']/)
        line = "\\&" line
    return line
}

function complain(text) {
    print FILENAME ":" FNR ": " text
    n_complaints++
}

# ---- mode=take ---------------------------------------------------------------------------------

function begin_example(line) {
    n++
    command = substr(line, 3)
    print n, FNR, command >(out "/list")
    where = "command"
    end_command()
}

function end_command() {
    if (command ~ /[\\|]$/)
        return
    printf "{ %s\n} >%s/%d.found 2>&1\n", command, out, n >script
    printf "" >(out "/" n ".want")
    where = "output"
}

mode == "take" && FNR == 1 {
    script = out "/script"
    printf "" >script
    printf "" >(out "/list")
    printf "" >(out "/not_run")
    n = 0
}
mode == "take" && /^\.\\" not run: / {
    reason = substr($0, 14)
    next
}
mode == "take" && /^\.Bd -literal/ {
    is_block = 1
    where = ""
    n_in_block = 0
    next
}
mode == "take" && is_block && /^\.Ed/ {
    if (where == "command")
        complain("the command does not end")
    if (reason != "" && n_in_block == 0)
        complain("\"not run\" stands before a block without an example")
    is_block = 0
    reason = ""
    next
}
mode == "take" && is_block {
    line = plain($0)
    if (where != "command" && line ~ /^\$ /)
        n_in_block++
    if (reason != "") {
        if (line ~ /^\$ /)
            print FNR ": " reason ": " substr(line, 3) >(out "/not_run")
    } else if (where == "command") {
        command = command "\n" line
        end_command()
    } else if (line ~ /^\$ /)
        begin_example(line)
    else if (where == "output")
        print line >(out "/" n ".want")
    else if (line ~ /^ *etinspect /)
        complain("a command without \"$ \" is no example that is run")
    next
}
mode == "take" && (/^\.Dl (\$ )?etinspect / || /^\.D1 .*etinspect /) {
    complain("an example in one line: make it a block with \"$ \"")
}

# ---- mode=compare ------------------------------------------------------------------------------

function is_cut(line) {
    return line == "..." || line == "\342\213\256"
}

function fits(want, found,    size) {
    size = length(want)
    if (want ~ / \.\.\.$/)
        return substr(found, 1, size - 4) == substr(want, 1, size - 4)
    if (want ~ / \342\200\246$/)
        return substr(found, 1, size - 4) == substr(want, 1, size - 4)
    return want == found
}

# Returns whether the wanted lines from `i` on match the found lines from `j` on.
function fit(i, j,    k) {
    for (; i <= n_want; i++) {
        if (is_cut(want[i])) {
            for (k = j; k <= n_found + 1; k++) {
                if (fit(i + 1, k))
                    return 1
            }
            return 0
        }
        if (j > n_found || !fits(want[i], found[j]))
            return 0
        j++
    }
    return j > n_found
}

mode == "compare" && NR == FNR { want[++n_want] = $0 }
mode == "compare" && NR != FNR { found[++n_found] = $0 }

# ---- mode=update -------------------------------------------------------------------------------

# Prints the output of example n, up to `limit` lines.
function print_found(    line, file, printed) {
    file = out "/" n ".found"
    while ((getline line <file) > 0) {
        if (printed == limit && limit != "") {
            print "\\&..."
            break
        }
        sub(/[ \r]+$/, "", line)
        print marked_up(line)
        printed++
    }
    close(file)
}

# Prints the output in the page if it still matches, otherwise the new output.
function end_output(    i, file) {
    if (where != "output")
        return
    file = out "/" n ".fits"
    if (limit == "" && (getline line_of <file) > 0) {
        for (i = 1; i <= n_held; i++)
            print held[i]
    } else {
        if (limit == "" && n_held > 0 && is_cut(plain(held[n_held])))
            limit = n_held - 1
        print_found()
    }
    close(file)
    where = ""
}

mode == "update" && FNR == 1 { n = 0 }
mode == "update" && /^\.\\" not run: / { reason = $0 }
mode == "update" && /^\.Bd -literal/ { is_block = 1; where = "" }
mode == "update" && is_block && /^\.Ed/ {
    end_output()
    is_block = 0
    reason = ""
}
mode == "update" {
    if (!is_block || reason != "" || (where == "" && $0 !~ /^\$ /)) {
        print
        next
    }
    line = plain($0)
    if (where == "command" || line ~ /^\$ /) {
        if (where != "command") {
            end_output()
            n++
            n_held = 0
            limit = ""
        }
        print
        where = line ~ /[\\|]$/ ? "command" : "output"
        next
    }
    if (line ~ /^\.\.\.[0-9]+$/)
        limit = substr(line, 4) + 0
    held[++n_held] = $0
}

END {
    if (mode == "compare")
        exit !fit(1, 1)
    exit n_complaints > 0
}
