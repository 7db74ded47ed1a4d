/*
 * fuzz_baseline.c - the input is a baseline, or two with a NUL between them; their last records may be missing. A profile is written and read again with the
 * same result, and does not differ from itself. Two profiles are merged. Noise and trend are computed for each.
 */
#include "compare/compare.h"
#include "series/series.h"
#include "stats/stats.h"
#include "table/table.h"

#include "baseline_end.h"
#include "fuzz.h"

static void expect_failure(eti_status status, const eti_error *err) {
    FUZZ_EXPECT(status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT ||
                status == ETI_ERROR_USAGE);
    FUZZ_EXPECT(err->status == status && *err->message != '\0' && !strchr(err->message, '\n'));
}

static eti_profile *read_profile(const char *name, const void *data, size_t size) {
    const eti_source source = {name, data ? data : "", size};
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profile_read(&profile, &source, NULL, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(!profile);
        expect_failure(status, &err);
    }
    return profile;
}

static void look_at(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        FUZZ_EXPECT(block->n_runs > 0 && block->n_entries > 0 &&
                    block->n_totals <= block->n_entries);
        for (size_t k = 0; k < block->n_entries; k++) {
            const eti_entry *entry = &block->entries[k];
            FUZZ_EXPECT((entry->kind < ETI_N_TOTALS) == (k < block->n_totals));
            FUZZ_EXPECT(!entry->ticks == !profile->has_ticks);
            fuzz_touch(entry->name);
            fuzz_touch(entry->op);
            fuzz_touch(entry->code);
            if (entry->ticks)
                fuzz_touch_bytes(entry->ticks, block->n_runs * sizeof *entry->ticks);
            fuzz_touch_bytes(entry->times, block->n_files * sizeof *entry->times);
        }
    }
}

static eti_buffer save(const eti_profile *profile, bool samples) {
    eti_buffer out = {0};
    eti_output *output;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__output_open_function(&output, fuzz_keep, &out, &err) == ETI_OK);
    FUZZ_EXPECT(eti__baseline_write(profile, profile->figures, samples, output));
    FUZZ_EXPECT(eti__output_commit(output, &err) == ETI_OK);
    return out;
}

/* A written baseline is the same after reading and writing it again. */
static void save_twice(const eti_profile *profile, bool samples) {
    eti_buffer first = save(profile, samples);
    eti_profile *again = read_profile("again", first.data, first.size);
    FUZZ_EXPECT(again && again->n_blocks == profile->n_blocks);
    FUZZ_EXPECT(again->n_files == profile->n_files && again->has_ticks == samples);
    eti_buffer second = save(again, samples);
    FUZZ_EXPECT(fuzz_same_bytes(&first, &second));
    eti_profile_free(again);
    eti__buffer_free(&first);
    eti__buffer_free(&second);
}

static void save_all(const eti_profile *profile) {
    look_at(profile);
    save_twice(profile, false);
    if (profile->has_ticks)
        save_twice(profile, true);
}

#define MOST_FILES 64 /* most files for a trend: time grows with their square */

/* Treats its files as those of one program. A large alpha needs few permutations. */
static void look_at_files(const eti_profile *profile) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_trend_options of_trend = ETI_TREND_OPTIONS_DEFAULT;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    options.alpha = of_trend.diff.alpha = 0.5;
    options.allow_unlike = of_trend.diff.allow_unlike = true;
    of_trend.n_threads = 1;
    eti_status status = eti__noise_report(&report, profile, &options, &err);
    FUZZ_EXPECT(status == ETI_OK || status == ETI_ERROR_TOO_FEW);
    eti_report_free(report);
    if (profile->n_files > MOST_FILES)
        return;
    status = eti__trend_report(&report, profile, &of_trend, &err);
    FUZZ_EXPECT(status == ETI_OK || status == ETI_ERROR_TOO_FEW);
    eti_report_free(report);
}

/* Makes a history of both, and then of the last file alone. */
static void merge(const eti_profile *base, const eti_profile *new_side) {
    const eti_profile *const both[] = {base, new_side};
    eti_profile *merged, *last;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profile_merge(&merged, both, 2, true, &err);
    if (status != ETI_OK) {
        expect_failure(status, &err);
        return;
    }
    FUZZ_EXPECT(merged->n_files == base->n_files + new_side->n_files);
    save_all(merged);
    look_at_files(merged);
    FUZZ_EXPECT(eti__profile_last_files(&last, merged, 1, &err) == ETI_OK);
    FUZZ_EXPECT(last->n_files == 1);
    if (last->n_blocks > 0) /* the last file may have none */
        save_all(last);
    eti_profile_free(last);
    eti_profile_free(merged);
}

static void expect_no_difference(const eti_diff_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        FUZZ_EXPECT(row->verdict == ETI_VERDICT_NOISE || row->verdict == ETI_VERDICT_UNDECIDED ||
                    row->verdict == ETI_VERDICT_UNTESTED);
        FUZZ_EXPECT(row->ratio == 1 && (row->delta == 0 || isnan(row->base.location)));
    }
}

static void compare(const eti_profile *base, const eti_profile *new_side, bool is_same) {
    static const char *const groups[] = {"op", "module", "backend", "source"};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = groups[base->n_blocks % 4];
    options.allow_unlike = !is_same;
    eti_diff diff;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__diff_make(&diff, base, new_side, &options, &err);
    FUZZ_EXPECT(status == ETI_OK || (!is_same && status == ETI_ERROR_DATA));
    if (status == ETI_OK && is_same) {
        expect_no_difference(&diff.totals);
        expect_no_difference(&diff.events);
        expect_no_difference(&diff.groups);
    }
    eti__diff_free(&diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    size_t first = end ? (size_t)(end - data) : size;
    eti_buffer texts[2] = {{0}};
    add_with_end(&texts[0], (eti_text){(const char *)data, first});
    if (end)
        add_with_end(&texts[1], (eti_text){(const char *)end + 1, size - first - 1});
    eti_profile *base = read_profile("base", texts[0].data, texts[0].size);
    eti_profile *new_side = end ? read_profile("new", texts[1].data, texts[1].size) : NULL;
    if (base) {
        save_all(base);
        look_at_files(base);
        compare(base, base, true);
    }
    if (base && new_side) {
        compare(base, new_side, false);
        merge(base, new_side);
    }
    eti_profile_free(new_side);
    eti_profile_free(base);
    eti__buffer_free(&texts[0]);
    eti__buffer_free(&texts[1]);
    return 0;
}
