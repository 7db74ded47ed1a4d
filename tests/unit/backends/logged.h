/* logged.h - reads events as a backend would log them. */
#ifndef ETI_TESTS_LOGGED_H
#define ETI_TESTS_LOGGED_H

#include "support.h"

#include "backends/backends.h"
#include "base/text.h"

/* Reads an event with a string identifier. The arena owns its texts. */
static inline eti_delegate_event read_logged(eti_backend backend, const char *name,
                                             const char *metadata, eti_arena *arena) {
    const eti_logged_event logged = {
        .name = eti__text_of(name), .metadata = eti__text_of(metadata), .has_id = true};
    eti_delegate_event event;
    assert_true(eti__delegate_event_read(&event, backend, &logged, arena));
    return event;
}

#endif
