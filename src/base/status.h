/*
 * status.h - how anything fails: a status code returned, and one sentence left in the caller's
 * eti_error.
 *
 * The function that finds a fault describes it; a caller may put one prefix before it ("run.etdp:
 * run 3"); only cli/main.c prints. The codes and their meaning are ETI_STATUS_LIST in etinspect.h.
 */
#ifndef ETI_BASE_STATUS_H
#define ETI_BASE_STATUS_H

#include "etinspect.h"

#if defined(__GNUC__)
#define ETI_PRINTF(format_index, first_argument)                                                   \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define ETI_PRINTF(format_index, first_argument)
#endif

/* Returns from the calling function unless `expression` is ETI_OK. */
#define ETI_TRY(expression)                                                                        \
    do {                                                                                           \
        eti_status try_status_ = (expression);                                                     \
        if (try_status_ != ETI_OK)                                                                 \
            return try_status_;                                                                    \
    } while (0)

/* Fills `err` (NULL is allowed) and returns `status`, so that callers can write `return
 * eti_fail(…)`. Control characters in the formatted message become '?': it stays one line. */
eti_status eti_fail(eti_error *err, eti_status status, const char *format, ...) ETI_PRINTF(3, 4);

/* The one out-of-memory message. */
eti_status eti_fail_memory(eti_error *err);

/* Puts `prefix: ` before the message that is already in `err`. */
void eti_error_prefix(eti_error *err, const char *format, ...) ETI_PRINTF(2, 3);

#endif
