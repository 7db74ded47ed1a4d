/* profile_fixture.h - profiles that tests read from the text of a baseline, and write to one. */
#ifndef ETI_TESTS_PROFILE_FIXTURE_H
#define ETI_TESTS_PROFILE_FIXTURE_H

#include "inspector_fixture.h"

#include "base/text.h"
#include "profile/baseline.h"
#include "profile/profile.h"

static inline eti_status try_read(eti_profile **out, const char *text, eti_error *err) {
    const eti_source source = {"a.csv", text, strlen(text)};
    return eti__profile_read(out, &source, NULL, err);
}

static inline eti_profile *read_profile(const char *text) {
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(try_read(&profile, text, &err));
    return profile;
}

static inline bool take_text(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Appends the text of version 2 as one of version 3, which ends with the number of its records. */
static inline void add_with_end(eti_buffer *out, const char *text) {
    static const char head[] = "etinspect-baseline,2";
    size_t n = 0;
    assert_memory_equal(text, head, sizeof head - 1);
    for (const char *at = text; *at; at++)
        n += *at == '\n';
    eti__buffer_printf(out, "etinspect-baseline,3%send,%zu\n", text + sizeof head - 1, n);
}

/* Saved text; the expected one is of version 2. */
static inline void assert_saved(const eti_profile *profile, bool samples, const char *text) {
    eti_buffer found = {0}, expected = {0};
    eti_output *output;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__output_open_function(&output, take_text, &found, &err));
    assert_true(eti__baseline_write(profile, profile->figures, samples, output));
    assert_ok(eti__output_commit(output, &err));
    add_with_end(&expected, text);
    eti__buffer_add_char(&expected, '\0');
    assert_text(eti__buffer_text(&found), expected.data);
    eti__buffer_free(&expected);
    eti__buffer_free(&found);
}

#endif
