# cells.awk - prints the cells of a TSV (-v format=tsv) or a CSV (format=csv), one per line, and a line "--" after each row.
# The index column of a TSV is left out. It reads the bytes independently of etinspect's writers.
#
# CSV is RFC 4180: every line ends with CR LF, quoted fields may contain anything. TSV lines end with LF.

BEGIN {
    RS = "\001\002\003" # never occurs: the whole file is one record
    separator = format == "tsv" ? "\t" : ","
    line_end = format == "tsv" ? "\n" : "\r\n"
}

function end_cell() {
    if (format != "tsv" || column > 0) {
        gsub(/\\/, "\\\\", cell)
        gsub(/\n/, "\\n", cell)
        gsub(/\r/, "\\r", cell)
        print cell
    }
    column++
    cell = ""
}

function end_row() {
    end_cell()
    print "--"
    column = 0
}

# Appends the text from `at` up to the next special character to the cell; returns the place of that character.
function take_plain(at, special,    length_) {
    length_ = match(substr(text, at), special) ? RSTART - 1 : size - at + 1
    cell = cell substr(text, at, length_)
    return at + length_
}

{
    text = $0
    size = length(text)
    if (substr(text, size - length(line_end) + 1) != line_end) {
        print "the file does not end with a line end"
        exit 1
    }
    quoted = 0
    for (at = 1; at <= size;) {
        if (quoted) {
            at = take_plain(at, "\"")
            if (substr(text, at, 2) == "\"\"") {
                cell = cell "\""
                at += 2
            } else {
                quoted = 0
                at++
            }
        } else if (substr(text, at, 1) == "\"" && cell == "") {
            quoted = 1
            at++
        } else if (substr(text, at, 1) == separator) {
            end_cell()
            at++
        } else if (substr(text, at, length(line_end)) == line_end) {
            end_row()
            at += length(line_end)
        } else {
            cell = cell substr(text, at, 1)
            at = take_plain(at + 1, "[\"\t\r\n,]")
        }
    }
}
