/* baseline_end.h - ends a baseline with the number of its records, so that other changes to an input are not all rejected
 * because of it. */
#ifndef ETI_TESTS_FUZZ_BASELINE_END_H
#define ETI_TESTS_FUZZ_BASELINE_END_H

#include "base/csv.h"
#include "base/text.h"
#include "profile/profile.h"

#include "fuzz.h"

/* Adds the text to `out`, and the last record if the text has none. */
static inline void add_with_end(eti_buffer *out, eti_text text) {
    eti_csv_file csv = {.n_records = 0};
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__csv_read(&csv, "end", text.data, text.size, &err);
    size_t n = csv.n_records;
    bool has_end = n > 0 && eti__text_is(eti__csv_field(&csv.records[n - 1], 0), ETI_BASELINE_END);
    if (text.size > 0)
        eti__buffer_add(out, text.data, text.size);
    if (status == ETI_OK && n > 0 && !has_end)
        eti__buffer_printf(out, "\n" ETI_BASELINE_END ",%zu\n", n);
    eti__csv_free(&csv);
}

#endif
