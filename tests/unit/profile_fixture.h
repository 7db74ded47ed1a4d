/* profile_fixture.h - profiles that tests read from the text of a baseline, and write to one. */
#ifndef ETI_TESTS_PROFILE_FIXTURE_H
#define ETI_TESTS_PROFILE_FIXTURE_H

#include "baseline_text.h"
#include "inspector_fixture.h"

#include "base/output.h"
#include "base/text.h"
#include "profile/profile.h"

static inline eti_status try_read(eti_profile **out, const char *text, eti_error *err) {
    eti_text whole = baseline_text(text, "a.csv");
    const eti_source source = {"a.csv", whole.data, whole.size};
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

/* Compares the saved baseline with `text`, which lacks the last record. */
static inline void assert_saved(const eti_profile *profile, bool samples, const char *text) {
    eti_buffer found = {0};
    eti_output *output;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__output_open_function(&output, take_text, &found, &err));
    assert_true(eti__baseline_write(profile, profile->figures, samples, output));
    assert_ok(eti__output_commit(output, &err));
    eti_text expected = baseline_text(text, "");
    assert_true(eti__text_equal(eti__buffer_text(&found), expected));
    eti__buffer_free(&found);
}

#endif
