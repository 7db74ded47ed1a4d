/* Tests the files of one profile: values, which events are judged, and their logarithms relative to the level. */
#include "compare/compare.h"
#include "files_fixture.h"
#include "series/parts.h"

#include <math.h>

static eti_side side_of(const eti_profile *profile, const eti_diff_options *options) {
    eti_side side;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__side_make(&side, profile, options, "file", 2, &err));
    return side;
}

static void assert_close(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-12))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

static const eti_side_row *row_of(const eti_side *side, const char *name) {
    for (size_t i = 0; i < side->events.n; i++) {
        if (eti__text_is(side->events.rows[i]->entry->name, name))
            return side->events.rows[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

#define N_FILES 3

/* Five events whose files are at 1, 2 and 3 times; one event is at twice that in the last file; two further events are not
 * judged. */
static const uint64_t levels[] = {
    1000, 2000, 3000, 2000, 4000, 6000, 300, 600, 900,
    500,  1000, 3000, 701,  1402, 2103, 1,   1,   1, /* small */
    900,  0,    900                                  /* no time */
};

static void files_are_relative_to_their_level(void **state) {
    (void)state;
    eti_profile *profile = profile_of_files(levels, 7, N_FILES, 0);
    eti_side side = side_of(profile, NULL);
    assert_int_equal(side.n_files, N_FILES);
    assert_int_equal(side.totals.n_judged, 1);
    assert_int_equal(side.events.n, 7);
    assert_int_equal(side.events.n_judged, 5);
    const eti_side_block *block = &side.blocks[0];
    /* logarithms, relative to the usual value, which is that of the second file */
    assert_close(block->family.levels[0], log(0.5));
    assert_close(block->family.levels[1], 0);
    assert_close(block->family.levels[2], log(1.5));
    const eti_side_row *plain = row_of(&side, "e0"), *other = row_of(&side, "e3");
    for (size_t file = 0; file < N_FILES; file++)
        assert_close(plain->logs[file], log(2000));
    assert_close(other->logs[1], log(1000));
    assert_close(other->logs[2], log(2000));
    assert_close(block->family.logs[other->place * N_FILES + 2], log(3000));
    assert_close(plain->location, 2000);
    assert_close(other->values[2], 3000);
    eti__side_free(&side);
    eti_profile_free(profile);
}

static void rows_come_by_their_time(void **state) {
    (void)state;
    static const char *const order[] = {"e1", "e0", "e4", "e3", "e2", "e5", "e6"};
    eti_profile *profile = profile_of_files(levels, 7, N_FILES, 0);
    eti_side side = side_of(profile, NULL);
    for (size_t i = 0; i < 7; i++)
        assert_true(eti__text_is(side.events.rows[i]->entry->name, order[i]));
    assert_int_equal(row_of(&side, "e5")->unjudged, ETI_UNJUDGED_SMALL);
    assert_int_equal(row_of(&side, "e6")->unjudged, ETI_UNJUDGED_NO_TIME);
    assert_int_equal(side.coverage.n_judged, 5);
    assert_int_equal(side.coverage.n_small, 1);
    assert_int_equal(side.coverage.n_no_time, 1);
    /* medians: 2000 + 4000 + 600 + 1000 + 1402 of 9003 + 900 */
    assert_close(side.coverage.share, 9002.0 / 9003.0);
    assert_close(row_of(&side, "e0")->share, 2000.0 / 9003.0);
    eti__side_free(&side);
    eti_profile_free(profile);
}

/* With four events there is no level. */
static void few_events_are_as_measured(void **state) {
    (void)state;
    eti_profile *profile = profile_of_files(levels, 4, N_FILES, 1);
    eti_side side = side_of(profile, NULL);
    assert_null(side.blocks[0].family.levels);
    assert_close(row_of(&side, "e3")->logs[2], log(3050)); /* half a step of 100 is added */
    eti__side_free(&side);
    eti_profile_free(profile);
    profile = profile_of_files(levels, 5, N_FILES, 1);
    side = side_of(profile, NULL);
    assert_non_null(side.blocks[0].family.levels);
    eti__side_free(&side);
    eti_profile_free(profile);
}

/* Half a step is added, since the clock rounds down. */
static void a_coarse_clock_counts(void **state) {
    (void)state;
    static const uint64_t ticks[] = {2000, 3000, 5000, 7000};
    eti_profile *profile = profile_of_files(ticks, 2, 2, 0);
    eti_side side = side_of(profile, NULL);
    assert_close(row_of(&side, "e0")->step, 1000);
    assert_close(row_of(&side, "e0")->logs[1], log(3500));
    assert_close(side.totals.rows[0]->step, 0);
    assert_close(side.totals.rows[0]->logs[0], log(7000));
    eti__side_free(&side);
    eti_profile_free(profile);
}

static void too_few_files_are_not_judged(void **state) {
    (void)state;
    eti_profile *profile = profile_of_files(levels, 5, N_FILES, 0);
    eti_side side;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__side_make(&side, profile, NULL, "file", 4, &err));
    assert_int_equal(side.events.n_judged, 0);
    assert_int_equal(side.totals.n_judged, 0);
    assert_int_equal(side.coverage.n_few_files, 5);
    eti__side_free(&side);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.alpha = 2;
    assert_fails(eti__side_make(&side, profile, &options, "file", 2, &err), ETI_ERROR_USAGE,
                 "alpha: 2 is out of range");
    eti__side_free(&side);
    eti_profile_free(profile);
}

/* The first two files are one job, the last one is another. */
static void files_of_a_push_are_one_unit(void **state) {
    (void)state;
    static const eti_label jobs[N_FILES] = {{"job", "1"}, {"job", "1"}, {"job", "2"}};
    eti_profile *profile = profile_of_files(levels, 7, N_FILES, 0);
    for (size_t i = 0; i < N_FILES; i++) {
        profile->files[i].labels = &jobs[i];
        profile->files[i].n_labels = 1;
    }
    eti_side side;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__side_make(&side, profile, NULL, NULL, 2, &err));
    assert_int_equal(side.n_files, 3);
    assert_int_equal(side.n_units, 2);
    assert_string_equal(side.units, "pushes");
    assert_int_equal(side.blocks[0].ends[0], 2);
    assert_int_equal(side.blocks[0].ends[1], 3);
    const eti_side_row *plain = row_of(&side, "e0"), *other = row_of(&side, "e3");
    assert_close(plain->values[0], 1500);
    assert_close(plain->values[1], 3000);
    assert_close(plain->logs[0], log(2000));
    assert_close(other->logs[0], log(1000));
    assert_close(other->logs[1], log(2000));
    assert_close(side.totals.rows[0]->logs[1], log(15904));
    eti__side_free(&side);
    assert_ok(eti__side_make(&side, profile, NULL, NULL, 3, &err));
    assert_int_equal(side.events.n_judged, 0); /* two pushes are too few */
    eti__side_free(&side);
    static const char *const by_file[] = {"file", "commit"};
    for (size_t i = 0; i < COUNT_OF(by_file); i++) {
        assert_ok(eti__side_make(&side, profile, NULL, by_file[i], 2, &err));
        assert_int_equal(side.n_units, 3);
        assert_string_equal(side.units, "files");
        eti__side_free(&side);
    }
    eti_profile_free(profile);
}

/* Five events take three times as long in the second file; five others, which count cycles, take half of the time. Both have
 * a level of their own. */
static void cycles_have_a_level_of_their_own(void **state) {
    (void)state;
    uint64_t ticks[10 * 3];
    for (size_t i = 0; i < 10; i++) {
        for (size_t file = 0; file < 3; file++)
            ticks[i * 3 + file] = (1001 + 2 * i) * (i % 2 == 0  ? file != 1 ? 1 : 3
                                                    : file != 1 ? 2
                                                                : 1);
    }
    eti_profile *profile = profile_of_files(ticks, 10, 3, 0);
    eti_profile_block *block = &profile->blocks[0];
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        if ((i - block->n_totals) % 2 == 1)
            block->entries[i].unit = eti__text_of("cycles");
    }
    eti_side side = side_of(profile, NULL);
    const eti_side_block *of = &side.blocks[0];
    assert_int_equal(side.events.n_judged, 10);
    assert_int_equal(of->family.file_values.n, 5);
    assert_int_equal(of->cycles.file_values.n, 5);
    assert_close(of->family.levels[1], log(3));
    assert_close(of->cycles.levels[1], log(0.5));
    assert_ptr_equal(row_of(&side, "e0")->family, &of->family);
    assert_ptr_equal(row_of(&side, "e3")->family, &of->cycles);
    assert_close(row_of(&side, "e3")->logs[1], log(2014));
    eti__side_free(&side);
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_relative_to_their_level),
        cmocka_unit_test(rows_come_by_their_time),
        cmocka_unit_test(few_events_are_as_measured),
        cmocka_unit_test(a_coarse_clock_counts),
        cmocka_unit_test(too_few_files_are_not_judged),
        cmocka_unit_test(files_of_a_push_are_one_unit),
        cmocka_unit_test(cycles_have_a_level_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
