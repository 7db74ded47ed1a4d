/*
 * filter.c - the filter that comes with the library: names by patterns, operators by ids.
 */
#include "capture/capture.h"

/* Matches a pattern. If the rest after a star does not match, the star takes one more character. */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *after = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            after = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++after;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool matches_any(const char *const *patterns, size_t n, const char *name) {
    for (size_t i = 0; name && i < n; i++) {
        if (patterns[i] && matches(patterns[i], name))
            return true;
    }
    return false;
}

static bool is_in_any(const etc_id_range *ranges, size_t n, int32_t id) {
    for (size_t i = 0; id != -1 && i < n; i++) {
        if (id >= ranges[i].begin && id < ranges[i].end)
            return true;
    }
    return false;
}

bool etc_filter_globs(void *context, const etc_filter_event *event) {
    const etc_globs *globs = context;
    if (!globs || !event)
        return true;
    if (matches_any(globs->exclude, globs->n_exclude, event->name))
        return false;
    return (globs->n_include == 0 && globs->n_ranges == 0) ||
           matches_any(globs->include, globs->n_include, event->name) ||
           is_in_any(globs->ranges, globs->n_ranges, event->id);
}
