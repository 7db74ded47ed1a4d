# squeeze.awk - removes comments, indentation, and spaces and line breaks without meaning from the scripts of the page, or,
# with style=1, from its style. Texts in quotes and regular expressions are unchanged. It requires that statements end in a
# semicolon or a brace, and that comments have lines of their own or follow two blanks.

# Returns the end of the text or expression that begins at `at`.
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
# Returns whether two characters must stay separate: in words, + + and - -, and in a style between values and selectors.
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
