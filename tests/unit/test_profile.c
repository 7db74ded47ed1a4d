/* Sides of a comparison that are made from ETDumps. */
#include "etdump_builder.h"
#include "support.h"

#include "view/profile.h"

#define MOST_DUMPS 3

/* Dumps of processes that ran the same, so often as they are told to. */
typedef struct side {
    builder builders[MOST_DUMPS];
    size_t n;
    eti_inspector *inspector;
    eti_profile *profile;
} side;

/* Each file is 100 ticks slower than the one before, each run one tick. */
static void open_side(side *s, const size_t *n_runs, size_t n, const eti_profile_options *options) {
    eti_source sources[MOST_DUMPS];
    eti_error err;
    *s = (side){.n = n};
    for (size_t i = 0; i < n; i++) {
        builder *b = &s->builders[i];
        place runs[8];
        for (size_t run = 0; run < n_runs[i]; run++)
            runs[run] = RUN(b, "Execute",
                            TIMED(b, .name = "Method::execute", .end_time = 1000 + 100 * i + run));
        finish_dump(b, put_dump(b, (optional){0}, put_tables(b, runs, n_runs[i])), true);
        sources[i] = (eti_source){b->file.name, b->file.data, b->file.size};
    }
    const eti_inputs inputs = {sources, n, NULL, NULL};
    assert_ok(eti_inspector_open(&s->inspector, &inputs, NULL, &err));
    assert_ok(eti_profile_from_inspector(&s->profile, s->inspector, options, &err));
}

static void close_side(side *s) {
    eti_profile_free(s->profile);
    eti_inspector_close(s->inspector);
    for (size_t i = 0; i < s->n; i++)
        builder_free(&s->builders[i]);
}

/* Of the one block: which runs are left of which file. */
static void assert_runs(const side *s, const size_t *files, size_t n_files, const uint64_t *ticks,
                        size_t n_runs, size_t n_skipped) {
    assert_int_equal(s->profile->n_blocks, 1);
    const eti_profile_block *block = &s->profile->blocks[0];
    assert_int_equal(block->n_files, n_files);
    for (size_t i = 0; i < n_files; i++)
        assert_int_equal(block->files[i], files[i]);
    assert_int_equal(block->n_runs, n_runs);
    assert_int_equal(block->n_skipped, n_skipped);
    for (size_t i = 0; i < n_runs; i++)
        assert_true(block->entries[0].ticks[i] == ticks[i]);
}

static void the_first_runs_of_each_file_are_skipped(void **state) {
    (void)state;
    static const size_t n_runs[] = {3, 2, 3}, files[] = {0, 2, 3};
    static const uint64_t ticks[] = {1001, 1002, 1101, 1201, 1202};
    const eti_profile_options options = {.skip_first = 1};
    side s;
    open_side(&s, n_runs, 3, &options);
    assert_runs(&s, files, 3, ticks, 5, 3);
    close_side(&s);
}

/* It has no median to compare. */
static void a_file_whose_runs_are_all_skipped_is_none(void **state) {
    (void)state;
    static const size_t files[] = {0, 2};
    static const uint64_t ticks[3][4] = {
        {1101, 1102, 1201, 1202}, {1001, 1002, 1201, 1202}, {1001, 1002, 1101, 1102}};
    const eti_profile_options options = {.skip_first = 1};
    for (size_t i = 0; i < 3; i++) {
        size_t n_runs[] = {3, 3, 3};
        n_runs[i] = 1;
        side s;
        open_side(&s, n_runs, 3, &options);
        assert_runs(&s, files, 2, ticks[i], 4, 3);
        close_side(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_runs_of_each_file_are_skipped),
        cmocka_unit_test(a_file_whose_runs_are_all_skipped_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
