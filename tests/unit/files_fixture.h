/* files_fixture.h - a profile of several files, made from a table of ticks: one run, one event per row, one file per
 * column. */
#ifndef ETI_TESTS_UNIT_FILES_FIXTURE_H
#define ETI_TESTS_UNIT_FILES_FIXTURE_H

#include "base/text.h"
#include "baseline_text.h"
#include "model/model.h"
#include "profile/profile.h"
#include "support.h"

#include <inttypes.h>

static inline void add_row(eti_buffer *out, const char *start, const uint64_t *ticks, size_t n) {
    eti__buffer_printf(out, "%s,,,,,,,,,", start);
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(out, "%s%" PRIu64, i > 0 ? ";" : "", ticks[i]);
    eti__buffer_add_char(out, '\n');
}

static inline void add_block(eti_buffer *out, const char *name, size_t n_files) {
    eti__buffer_printf(out, "block,%s,,%zu,0", name, n_files);
    for (size_t i = 1; i < n_files; i++)
        eti__buffer_printf(out, "%s%zu", i > 1 ? ";" : ",", i);
    eti__buffer_add_char(out, '\n');
}

/* Returns a buffer that is kept: profiles borrow from what they are read from, and reports keep profiles. */
static inline eti_buffer *lasting_buffer(void) {
    static eti_buffer buffers[256];
    static size_t n;
    assert_true(n < sizeof buffers / sizeof *buffers);
    return &buffers[n++];
}

/* Makes the profile. Events are called e0, e1 ...; the total is their sum and `rest`. Times are in ns. */
static inline eti_profile *profile_of_files(const uint64_t *ticks, size_t n_events, size_t n_files,
                                            uint64_t rest) {
    eti_buffer *text = lasting_buffer();
    eti_error err = ETI_ERROR_INIT;
    eti_options options = ETI_OPTIONS_DEFAULT;
    eti_profile *profile;
    uint64_t *total = calloc(n_files + 1, sizeof *total);
    assert_non_null(total);
    for (size_t file = 0; file < n_files; file++) {
        total[file] = rest;
        for (size_t i = 0; i < n_events; i++)
            total[file] += ticks[i * n_files + file];
    }
    eti__buffer_add_string(text, "time_scale,ns\n");
    add_block(text, "Execute", n_files);
    add_row(text, "execute,Method::execute", total, n_files);
    for (size_t i = 0; i < n_events; i++) {
        char start[32];
        snprintf(start, sizeof start, "kernel,e%zu", i);
        add_row(text, start, ticks + i * n_files, n_files);
    }
    free(total);
    eti__buffer_add_char(text, '\0');
    eti_text whole = baseline_text(text->data, "history.csv");
    const eti_source source = {"history.csv", whole.data, whole.size};
    options.target_time_scale = ETI_SCALE_NS;
    assert_ok(eti__profile_read(&profile, &source, &options, &err));
    return profile;
}

#endif
