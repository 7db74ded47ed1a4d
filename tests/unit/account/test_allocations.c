#include "account/account.h"
#include "inspector_fixture.h"

#define ALLOCATION(b, id, size) put_event(b, 0, put_allocation(b, id, size), 0)

/* A run with two allocators, "pool" and "temp". */
#define TRACKED(b, ...)                                                                            \
    put_run(b, &(run_spec){.name = "Execute",                                                      \
                           .allocators = put_tables(                                               \
                               b, PLACES(PUT_TABLE(b, target_slot(put_string(b, "pool"))),         \
                                         PUT_TABLE(b, target_slot(put_string(b, "temp"))))),       \
                           .events = EVENTS(b, __VA_ARGS__)})

typedef struct allocating {
    session s;
    eti_view_options options;
    eti_allocations all;
} allocating;

static void open_allocations(allocating *a, place dump) {
    eti_error err = ETI_ERROR_INIT;
    if (!a->s.inspector)
        open_session(&a->s, dump, NULL);
    assert_ok(eti__allocations_make(&a->all, a->s.inspector, &a->options, &err));
}

static void close_allocations(allocating *a) {
    eti__allocations_free(&a->all);
    close_session(&a->s);
}

static const eti_allocator *allocator_of(const allocating *a, const char *name) {
    for (size_t i = 0; i < a->all.allocators.count; i++) {
        if (eti__text_is(a->all.allocators.items[i].name, name))
            return &a->all.allocators.items[i];
    }
    fail_msg("there is no allocator %s", name);
    return NULL;
}

static void assert_allocated(const eti_allocated *found, uint64_t n, uint64_t bytes,
                             uint64_t largest) {
    assert_int_equal(found->n, n);
    assert_int_equal(found->bytes, bytes);
    assert_int_equal(found->largest, largest);
}

static void peaks_are_those_of_runs(void **state) {
    (void)state;
    allocating a = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &a.s.b;
    open_allocations(
        &a, DUMP(b, TRACKED(b, ALLOCATION(b, 1, 100), ALLOCATION(b, 2, 7), ALLOCATION(b, 1, 50)),
                 TRACKED(b, ALLOCATION(b, 1, 140)), RUN(b, "Other", ALLOCATION(b, 9, 1))));
    assert_int_equal(a.all.allocators.count, 3);
    const eti_allocator *pool = allocator_of(&a, "pool");
    assert_allocated(&pool->all, 3, 290, 140);
    assert_int_equal(pool->peak, 150);
    assert_int_equal(pool->n_runs, 2);
    assert_int_equal(allocator_of(&a, "temp")->peak, 7);
    assert_allocated(&allocator_of(&a, "(allocator 9)")->all, 1, 1, 1);
    assert_int_equal(a.all.n_runs, 4);
    assert_allocated(&a.all.runs[0].in_run, 2, 150, 100);
    assert_allocated(&a.all.runs[1].in_run, 1, 7, 7);
    assert_allocated(&a.all.runs[2].in_run, 1, 140, 140);
    assert_int_equal(a.all.runs[2].run, 1);
    /* pool, temp, pool and (allocator 9), each with the name of its run */
    assert_int_equal(a.all.n_bytes, 4 + 4 + 4 + 13 + 3 * strlen("Execute") + strlen("Other"));
    eti__allocations_free(&a.all);
    a.options.block = "Other";
    open_allocations(&a, 0);
    assert_int_equal(a.all.n_runs, 1);
    assert_int_equal(a.all.runs[0].run, 2);
    close_allocations(&a);
}

static void ids_count_from_0_where_one_is_0(void **state) {
    (void)state;
    allocating a = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &a.s.b;
    open_allocations(&a, DUMP(b, TRACKED(b, ALLOCATION(b, 1, 5)), TRACKED(b, ALLOCATION(b, 0, 3))));
    assert_int_equal(allocator_of(&a, "temp")->all.bytes, 5);
    assert_int_equal(allocator_of(&a, "pool")->all.bytes, 3);
    close_allocations(&a);
}

static void hostile_sizes_and_ids_do_no_harm(void **state) {
    (void)state;
    allocating a = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &a.s.b;
    open_allocations(&a, DUMP(b, TRACKED(b, ALLOCATION(b, INT32_MIN, UINT64_MAX - 1),
                                         ALLOCATION(b, INT32_MIN, 9), ALLOCATION(b, INT32_MAX, 0),
                                         ALLOCATION(b, -1, 2))));
    assert_allocated(&allocator_of(&a, "(allocator -2147483648)")->all, 2, UINT64_MAX,
                     UINT64_MAX - 1);
    assert_allocated(&allocator_of(&a, "(allocator 2147483647)")->all, 1, 0, 0);
    assert_allocated(&allocator_of(&a, "(allocator -1)")->all, 1, 2, 2);
    close_allocations(&a);
}

static void runs_that_are_skipped_are_left_out(void **state) {
    (void)state;
    eti_options skipping = ETI_OPTIONS_DEFAULT;
    allocating a = {.s = {.options = &skipping}, .options = ETI_VIEW_OPTIONS_DEFAULT};
    builder *b = &a.s.b;
    skipping.skip_first = 1;
    open_allocations(
        &a,
        DUMP(b, TRACKED(b, ALLOCATION(b, 1, 5), TIMED(b, .name = "Method::execute", .end_time = 1)),
             TRACKED(b, ALLOCATION(b, 1, 6), TIMED(b, .name = "Method::execute", .end_time = 1))));
    assert_int_equal(a.all.n_runs, 1);
    assert_int_equal(a.all.runs[0].run, 1);
    assert_allocated(&allocator_of(&a, "pool")->all, 1, 6, 6);
    close_allocations(&a);
}

/* Both files have a run 0. */
static void runs_of_two_files_stay_apart(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    builder builders[2] = {{0}, {0}};
    eti_source sources[2];
    eti_inspector *inspector;
    eti_allocations all;
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < 2; i++) {
        builder *b = &builders[i];
        finish_dump(b, DUMP(b, TRACKED(b, ALLOCATION(b, 1, 5 + i))), true);
        sources[i] = (eti_source){b->file.name, b->file.data, b->file.size};
    }
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = 2};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__allocations_make(&all, inspector, &options, &err));
    assert_int_equal(all.n_runs, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(all.runs[i].dump, i);
        assert_allocated(&all.runs[i].in_run, 1, 5 + i, 5 + i);
    }
    assert_int_equal(all.allocators.items[0].n_runs, 2);
    eti__allocations_free(&all);
    eti_inspector_close(inspector);
    builder_free(&builders[0]);
    builder_free(&builders[1]);
}

static void runs_are_added_up_over_allocators(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b,
                      TRACKED(b, ALLOCATION(b, 1, 5), ALLOCATION(b, 2, 6),
                              TIMED(b, .name = "a", .end_time = 1)),
                      RUN(b, "None", TIMED(b, .name = "a", .end_time = 1))),
                 NULL);
    assert_int_equal(eti__run_allocated(&eti_inspector_block(s.inspector, 0)->runs[0]), 11);
    assert_int_equal(eti__run_allocated(&eti_inspector_block(s.inspector, 1)->runs[0]), 0);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_those_of_runs),
        cmocka_unit_test(ids_count_from_0_where_one_is_0),
        cmocka_unit_test(hostile_sizes_and_ids_do_no_harm),
        cmocka_unit_test(runs_that_are_skipped_are_left_out),
        cmocka_unit_test(runs_of_two_files_stay_apart),
        cmocka_unit_test(runs_are_added_up_over_allocators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
