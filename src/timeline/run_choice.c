#include "timeline/run_choice.h"

#include "base/numbers.h"
#include "base/status.h"

#include <string.h>

/* Parses "5" or "5-7". */
static bool take_range(const char **at, uint64_t *first, uint64_t *last) {
    const char *end = *at + strlen(*at);
    if (!eti__take_u64(at, end, UINT32_MAX - 1, first))
        return false;
    *last = *first;
    if (**at != '-')
        return true;
    ++*at;
    return eti__take_u64(at, end, UINT32_MAX - 1, last) && *last >= *first;
}

eti_status eti__run_choice_check(const char *list, eti_error *err) {
    uint64_t first, last;
    for (const char *at = list; at; at++) {
        if (!take_range(&at, &first, &last) || (*at != ',' && *at != '\0'))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%sruns: expected run numbers such as 3 or 0,5-7, found '%s'",
                            eti__option_prefix(), list);
        if (*at == '\0')
            break;
    }
    return ETI_OK;
}

bool eti__run_choice_holds(const char *list, uint32_t number) {
    uint64_t first, last;
    if (!list)
        return true;
    for (const char *at = list; take_range(&at, &first, &last); at++) {
        if (first <= number && number <= last)
            return true;
        if (*at != ',')
            break;
    }
    return false;
}
