# squeeze.awk - leaves comments, indentation, and spaces and line breaks that mean nothing out of the scripts of the page,
# or with style=1 out of its style. Texts in quotes and regular expressions stay as they are. It counts on statements that
# end in a semicolon or a brace, and on comments that have lines of their own or stand behind two blanks.

# Where the text or expression that begins at `at` ends.
function end_of(line, at, quote,    i, c, is_class) {
    for (i = at + 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\\")
            i++
        else if (quote == "/" && c == "[")
            is_class = 1
        else if (quote == "/" && c == "]")
            is_class = 0
        else if (c == quote && !is_class)
            return i
    }
    return length(line)
}
# Whether two characters must stay apart: of words, + + and - -, in a style also what separates values and selectors.
function are_apart(before, after) {
    if (style)
        return before !~ /[{}:;,>]/ && after !~ /[{};,>]/
    return before ~ /[A-Za-z0-9_$]/ && after ~ /[A-Za-z0-9_$]/ || before == after && before ~ /[+-]/
}
function last_of(text) { return substr(text, length(text), 1) }
{
    out = ""
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == " ") {
            while (substr($0, i + 1, 1) == " ")
                i++
            if (out != "" && i < length($0) && are_apart(last_of(out), substr($0, i + 1, 1)))
                out = out c
            continue
        }
        if (!style && substr($0, i, 2) == "//")
            break
        if (c == "\"" || c == "'" || !style && c == "/" && (out == "" || last_of(out) ~ /[(,=:[!&|?{};>]/)) {
            end = end_of($0, i, c)
            out = out substr($0, i, end - i + 1)
            i = end
        } else
            out = out c
    }
    if (out == "")
        next
    if (last != "" && are_apart(last, substr(out, 1, 1)))
        printf " "
    printf "%s", out
    last = last_of(out)
    if ($0 ~ /^}/) { # ends a function: messages of browsers name lines
        printf "\n"
        last = ""
    }
}
END { print "" }
