/*
 * status.h - reports failures: a function returns a status code and leaves one sentence in the
 * caller's eti_error.
 *
 * The function that finds a fault describes it; a caller may put one prefix before it ("run.etdp:
 * run 3"); only cli/main.c prints. The codes and their meaning are ETI_STATUS_LIST in etinspect.h.
 */
#ifndef ETI_BASE_STATUS_H
#define ETI_BASE_STATUS_H

#include "base/text.h"
#include "etinspect.h"

/* Returns from the calling function unless `expression` is ETI_OK. */
#define ETI_TRY(expression)                                                                        \
    do {                                                                                           \
        eti_status try_status_ = (expression);                                                     \
        if (try_status_ != ETI_OK)                                                                 \
            return try_status_;                                                                    \
    } while (0)

/* Fills `err`; NULL is allowed. Control characters in the formatted message become '?', so that it remains one line. */
void eti__error_set(eti_error *err, eti_status status, const char *format, ...) ETI_PRINTF(3, 4);

/* Fills `err` and evaluates to `status`, for `return eti_fail(err, ETI_ERROR_DATA, "…", …);`. It is a macro so that
 * compilers and analysers see that the returned status is a failure. `status` is evaluated twice. */
#define eti_fail(err, status, ...)                                                                 \
    (eti__error_set((err), (status), __VA_ARGS__), (eti_status)(status))

/* Fills `err` with the out-of-memory message, which is always the same. */
#define eti_fail_memory(err) eti_fail((err), ETI_ERROR_MEMORY, "out of memory")

/* Copies an error; either one may come from a program compiled with another version of the header. `err` may be NULL. */
void eti__error_copy(eti_error *err, const eti_error *from);

/* Returns the prefix of option names in messages: "--" in the program, otherwise "" unless the request of the current
 * call sets one. Each thread has its own prefix. */
const char *eti__option_prefix(void);
/* Sets the prefix and returns the previous one, which the caller restores when the call ends. `prefix` must live until
 * then. */
const char *eti__set_option_prefix(const char *prefix);

/* Puts `prefix: ` before the message that is already in `err`; the message of ETI_ERROR_MEMORY is unchanged, because
 * running out of memory has no particular place. */
void eti__error_prefix(eti_error *err, const char *format, ...) ETI_PRINTF(2, 3);

#endif
