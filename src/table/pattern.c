#include "table/pattern.h"

#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>

/* Largest number of states of a compiled pattern, which has a state for each character and each repetition by {} and +. */
#define MOST_STATES 65536

/* Texts up to this size, in bytes, are searched. */
#define SHORT_TEXT 256

/* Most work for a text, in states times bytes. glibc keeps a set of states for each byte in the worst case, until the
 * pattern is freed. */
#define MOST_WORK ((uint64_t)64 << 20)

/* ---- compiling ------------------------------------------------------------------------------- */

/* Returns the product of the repetitions of all {}, with 2 for each +, because glibc compiles x+ as xx*. Signs in brackets
 * are counted as well. */
static size_t count_repetitions(eti_text text) {
    size_t product = 1;
    for (size_t i = 0; i < text.size && product <= MOST_STATES; i++) {
        if (text.data[i] == '+')
            product *= 2;
        if (text.data[i] != '{')
            continue;
        size_t number = 0, most = 1;
        for (i++; i < text.size && text.data[i] != '}'; i++) {
            bool is_digit = eti__is_digit(text.data[i]);
            if (is_digit && number <= MOST_STATES)
                number = number * 10 + (size_t)(text.data[i] - '0');
            else if (!is_digit)
                number = 0;
            most = number > most ? number : most;
        }
        product *= most;
    }
    return product;
}

/* Returns whether a pattern has a back reference, which may take exponential time. POSIX extended expressions have none. */
static bool has_back_reference(eti_text text) {
    for (size_t i = 0; i + 1 < text.size; i++) {
        if (text.data[i] != '\\')
            continue;
        i++;
        if (text.data[i] >= '1' && text.data[i] <= '9')
            return true;
    }
    return false;
}

/* Removes "(?i)", which means the same as "=~*", from the beginning of a pattern. */
static bool take_any_case(eti_text *text) {
    static const char mark[] = {'(', '?', 'i', ')'};
    if (text->size < sizeof mark || memcmp(text->data, mark, sizeof mark) != 0)
        return false;
    *text = (eti_text){text->data + sizeof mark, text->size - sizeof mark};
    return true;
}

static void add_reason(char reason[ETI_PATTERN_REASON], const char *text) {
    eti__snprintf(reason, ETI_PATTERN_REASON, "%s", text);
}

static int flags_of(const eti_pattern *pattern) {
    return REG_EXTENDED | REG_NOSUB | (pattern->ignores_case ? REG_ICASE : 0);
}

eti_status eti__pattern_compile(eti_pattern *out, eti_text source, bool ignores_case,
                                char reason[ETI_PATTERN_REASON]) {
    static const char prefix[] = "this is not an extended regular expression: ";
    *out = (eti_pattern){.source = source};
    out->ignores_case = take_any_case(&out->source) || ignores_case;
    out->n_states = out->source.size * count_repetitions(out->source);
    if (out->n_states > MOST_STATES) {
        add_reason(reason, "this pattern repeats too much with {} and +");
        return ETI_ERROR_USAGE;
    }
    if (has_back_reference(out->source)) {
        add_reason(reason,
                   "this pattern has a \\ before a digit: back-references are not supported");
        return ETI_ERROR_USAGE;
    }
    int code = eti__regcomp(&out->search, out->source.data, flags_of(out));
    if (code == 0 || code == REG_ESPACE)
        return code == 0 ? ETI_OK : ETI_ERROR_MEMORY;
    add_reason(reason, prefix);
    regerror(code, &out->search, reason + sizeof prefix - 1,
             ETI_PATTERN_REASON - sizeof prefix + 1);
    return ETI_ERROR_USAGE;
}

void eti__pattern_free(eti_pattern *pattern) {
    regfree(&pattern->search);
    if (pattern->has_whole)
        regfree(&pattern->whole);
    pattern->has_whole = false;
}

/* ---- matching -------------------------------------------------------------------------------- */

static eti_status run(const regex_t *compiled, const char *text, bool *out) {
    errno = 0; /* glibc returns REG_NOMATCH when out of memory */
    int code = regexec(compiled, text, 0, NULL, 0);
    *out = code == 0;
    return code == REG_ESPACE || (code != 0 && errno == ENOMEM) ? ETI_ERROR_MEMORY : ETI_OK;
}

/* Compiles the pattern for long texts. */
static eti_status compile_whole(eti_pattern *pattern) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "^.*("); /* in the "C" locale, `.` is any byte */
    eti__buffer_add_text(&text, pattern->source);
    eti__buffer_add(&text, ")", 2);
    int code =
        text.failed ? REG_ESPACE : eti__regcomp(&pattern->whole, text.data, flags_of(pattern));
    eti__buffer_free(&text);
    pattern->has_whole = code == 0;
    return code == 0 ? ETI_OK : ETI_ERROR_MEMORY; /* as it compiles without the prefix, too */
}

/* Spends the work for a text. Compiles the pattern again where more would be spent: that frees its sets of states. */
static eti_status spend(eti_pattern *pattern, uint64_t work) {
    if (pattern->has_whole && work > MOST_WORK - pattern->spent) {
        regfree(&pattern->whole);
        pattern->has_whole = false;
    }
    if (!pattern->has_whole)
        pattern->spent = 0;
    pattern->spent += work;
    return pattern->has_whole ? ETI_OK : compile_whole(pattern);
}

/* Returns whether a text has to be searched: in the middle of a match, glibc takes the byte after a newline for a beginning
 * of the text. */
static bool needs_search(const eti_pattern *pattern, eti_text text) {
    return text.size <= SHORT_TEXT || (memchr(pattern->source.data, '^', pattern->source.size) &&
                                       memchr(text.data, '\n', text.size));
}

eti_status eti__pattern_test(eti_pattern *pattern, eti_text text, bool *out) {
    *out = false;
    bool is_searched = needs_search(pattern, text);
    if (text.size > SHORT_TEXT &&
        (is_searched ? text.size : pattern->n_states) > MOST_WORK / text.size)
        return ETI_ERROR_LIMIT;
    if (is_searched)
        return run(&pattern->search, text.data, out);
    ETI_TRY(spend(pattern, pattern->n_states * text.size));
    return run(&pattern->whole, text.data, out);
}
