/*
 * Marks become character references: unlike backslashes, these work in cells and inside HTML. They do not hide a name from
 * programs that look for mentions, references and addresses after the Markdown was parsed (cmark-gfm for mail, GitHub,
 * GitLab): for these the sign is put into an element of its own, which splits the text. Names should stay readable in the
 * source, too: aten::add_x.out [a, b] (2 total) needs neither.
 */
#include "write/markdown_text.h"

#include <string.h>
#include <strings.h>

#define LONGEST_EMOJI 64

static bool is_one_of(const char *characters, eti_text text, size_t at) {
    return at < text.size && text.data[at] && strchr(characters, text.data[at]);
}

static bool has_digit_at(eti_text text, size_t at) {
    return at < text.size && eti__is_digit(text.data[at]);
}

static bool is_letter_or_digit(eti_text text, size_t at) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return is_one_of(letters, text, at);
}

/* Returns whether `word` precedes `at`. */
static bool follows(eti_text text, size_t at, const char *word) {
    size_t size = strlen(word);
    return at >= size && strncasecmp(text.data + at - size, word, size) == 0;
}

/* Returns whether the colon at `at` is followed by a name and another colon. */
static bool begins_emoji(eti_text text, size_t at) {
    size_t end = at + 1;
    while (end - at <= LONGEST_EMOJI &&
           (is_letter_or_digit(text, end) || is_one_of("_+-", text, end)))
        end++;
    return end > at + 1 && is_one_of(":", text, end);
}

/* Returns whether the ASCII character at `at` turns the text around it into a link, a reference or a
 * picture. */
static bool is_reference(eti_text text, size_t at) {
    switch (text.data[at]) {
    case '@': /* of a user, or in an address */
        return true;
    case '#': /* of an issue */
        return has_digit_at(text, at + 1);
    case '-':
        return has_digit_at(text, at + 1) && follows(text, at, "GH");
    case '!': /* of GitLab: a merge request, a snippet, an epic */
    case '$':
    case '&':
        return has_digit_at(text, at + 1);
    case '%': /* a milestone, a label */
    case '~':
        return is_letter_or_digit(text, at + 1) || is_one_of("\"", text, at + 1);
    case '[': /* of a wiki's page */
        return is_one_of("[", text, at + 1);
    case ':': /* of an address, or of an emoji */
        return is_one_of("/", text, at + 1) || begins_emoji(text, at);
    case '.': /* of www.example.org */
        return follows(text, at, "www");
    default:
        return false;
    }
}

/* Returns whether a line begins with a number such as "12." or "12)" that ends at `at`. */
static bool ends_list_number(eti_text text, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (!has_digit_at(text, i))
            return false;
    }
    return at > 0 && (at + 1 == text.size || (unsigned char)text.data[at + 1] <= ' ');
}

/* Returns whether the ASCII character at `at` would be markup there: in a table, a list or a line. */
static bool is_mark(eti_text text, size_t at) {
    switch (text.data[at]) {
    case '_':
        return at == 0 || !is_letter_or_digit(text, at - 1) || !is_letter_or_digit(text, at + 1);
    case ']':
        return is_one_of("([:", text, at + 1);
    case '.':
    case ')':
        return ends_list_number(text, at);
    case '+':
    case '-':
    case '=':
    case '/': /* of a command to GitLab */
    case ' ': /* of code */
        return at == 0;
    case '[': /* of a task */
        return at == 0 && is_one_of("]", text, 2);
    default:
        return is_one_of("\\`*<>|&~$@#{}", text, at);
    }
}

/* ---- names of commits ------------------------------------------------------------------------ */

#define COMMIT_DIGITS 40        /* of a whole name; that of SHA-256 is longer */
#define SHORTEST_COMMIT_NAME 7U /* shortest name that is linked */

/* A word of the text that may be the name of a commit; `end` 0: none was found yet. */
typedef struct commit_name {
    size_t begin, end;
} commit_name;

static bool is_hex_digit(eti_text text, size_t at) {
    return is_one_of("0123456789abcdefABCDEF", text, at);
}

/* Looks for a name at the beginning of each word, so that each byte is examined once. */
static void find_commit(commit_name *name, eti_text text, size_t at) {
    if (at < name->end || (at > 0 && is_letter_or_digit(text, at - 1)))
        return;
    size_t end = at;
    while (is_hex_digit(text, end))
        end++;
    if (end - at >= COMMIT_DIGITS && !is_letter_or_digit(text, end))
        *name = (commit_name){at, end};
}

/* Returns whether to split the name at the digit at `at`, so that no piece is long enough to be linked. */
static bool parts_commit(const commit_name *name, size_t at) {
    return at < name->end && (at - name->begin) % SHORTEST_COMMIT_NAME == SHORTEST_COMMIT_NAME - 1;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_ascii(eti_buffer *out, eti_text text, size_t at, const commit_name *commit) {
    bool is_parted = is_reference(text, at) || parts_commit(commit, at);
    if (is_parted)
        eti__buffer_add_string(out, "<span>");
    if (is_mark(text, at))
        eti__buffer_printf(out, "&#%u;", (unsigned)text.data[at]);
    else
        eti__buffer_add_char(out, text.data[at]);
    if (is_parted)
        eti__buffer_add_string(out, "</span>");
}

void eti__markdown_add_text(eti_buffer *out, eti_text text) {
    commit_name commit = {0, 0};
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        find_commit(&commit, text, at);
        if (eti__is_control(character))
            eti__buffer_add_string(out, at == 0 ? "&#32;" : " ");
        else if (character == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else if (character < 0x80)
            add_ascii(out, text, at, &commit);
        else
            eti__buffer_add(out, text.data + at, size);
        at += size;
    }
}
