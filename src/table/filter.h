/*
 * filter.h - the patterns of filters: POSIX extended regular expressions of bytes, in any locale.
 *
 * regexec() of glibc starts anew at each byte of a text until the pattern matches. That takes quadratic time for a pattern
 * such as conv.*out if conv is repeated, so long texts, which only damaged or hostile files have as names, are read once,
 * with a pattern that is anchored at their beginning. This needs more states, whose number is bounded.
 */
#ifndef ETI_TABLE_FILTER_H
#define ETI_TABLE_FILTER_H

#include "etinspect.h"

#include <regex.h>

#define ETI_PATTERN_REASON 128 /* bytes of a message */

typedef struct eti_pattern {
    eti_text source;
    bool ignores_case;
    uint64_t n_states; /* of the compiled pattern, approximately */
    regex_t search;    /* matches anywhere in a short text */
    regex_t whole;     /* matches a long text from its beginning; valid if `has_whole` */
    bool has_whole;
    uint64_t spent; /* work since `whole` was compiled */
} eti_pattern;

/* Compiles a pattern, which is NUL-terminated and must live as long as `out`; "(?i)" at its beginning is the same as
 * `ignores_case`. ETI_ERROR_USAGE with a reason; ETI_ERROR_MEMORY. Free it only if this returns ETI_OK. */
eti_status eti__pattern_compile(eti_pattern *out, eti_text source, bool ignores_case,
                                char reason[ETI_PATTERN_REASON]) ETI_WARN_UNUSED;
/* Finds whether a part of a text, which ends with a NUL, matches. ETI_ERROR_LIMIT: the text is too long for the pattern;
 * ETI_ERROR_MEMORY. */
eti_status eti__pattern_test(eti_pattern *pattern, eti_text text, bool *out) ETI_WARN_UNUSED;
void eti__pattern_free(eti_pattern *pattern);

#endif
