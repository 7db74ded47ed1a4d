#include "account/summed_methods.h"
#include "inspector_fixture.h"

#include "account/blocks.h"
#include "rollup/rollup.h"

#define N_BLOCKS 20
#define KERNEL(b, id, length)                                                                      \
    TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(id), .end_time = (length))

static eti_method two_methods[2];

/* Opens blocks of one run each, the first of 1 tick, the second of 2, ...; each with its own instruction. */
static void open_blocks(session *s, size_t n) {
    builder *b = &s->b;
    place runs[N_BLOCKS];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", KERNEL(b, (int32_t)i, i + 1));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
    assert_int_equal(s->inspector->blocks.n_blocks, n);
    s->inspector->methods = two_methods;
    s->inspector->n_methods = COUNT_OF(two_methods);
}

static void close_blocks(session *s) {
    s->inspector->methods = NULL;
    s->inspector->n_methods = 0;
    close_session(s);
}

static void name_block(session *s, size_t block, const char *method) {
    s->inspector->blocks.blocks[block].method_name = eti__text_of(method);
}

static void find(eti_summed_methods *out, const session *s, const eti_view_options *options) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__summed_methods_find(out, s->inspector, options, &err));
}

static void assert_one(const session *s, const eti_view_options *options) {
    eti_summed_methods methods;
    find(&methods, s, options);
    assert_int_equal(methods.n, 1);
    assert_null(methods.items[0].name.data);
    assert_null(methods.items[0].options.like);
    assert_null(methods.items[0].options.whole);
    assert_true(methods.items[0].options.block == options->block);
    eti__summed_methods_free(&methods);
}

static void blocks_of_a_method_are_together_in_the_order_of_the_first(void **state) {
    (void)state;
    session s = {0};
    open_blocks(&s, 5);
    name_block(&s, 1, "decode");
    name_block(&s, 2, "prefill");
    name_block(&s, 4, "decode");
    const eti_event_block *blocks = s.inspector->blocks.blocks;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.top = 7;
    eti_summed_methods methods;
    find(&methods, &s, &options);
    /* blocks 0 and 3 have no method, and are not merged into one */
    static const size_t first[] = {0, 1, 2, 3};
    static const uint32_t chosen[] = {0x01, 0x12, 0x04, 0x08};
    assert_int_equal(methods.n, 4);
    assert_text(methods.items[1].name, "decode");
    assert_text(methods.items[2].name, "prefill");
    for (size_t i = 0; i < methods.n; i++) {
        const eti_summed_method *method = &methods.items[i];
        assert_int_equal(method->options.top, 7);
        assert_true(method->options.like == &blocks[first[i]]);
        for (size_t b = 0; b < 5; b++)
            assert_int_equal(eti__block_is_chosen(&method->options, &blocks[b]),
                             chosen[i] >> b & 1);
    }
    for (size_t i = 0; i < 4; i += 3)
        assert_true(eti__text_equal(methods.items[i].name, blocks[first[i]].label));
    eti__summed_methods_free(&methods);
    close_blocks(&s);
}

static bool group_all(void *context, const eti_account *account, uint32_t *groups) {
    (void)context;
    for (size_t i = 0; i < account->block->n_events; i++)
        groups[i] = 0;
    return true;
}

static void shares_are_of_the_time_of_all(void **state) {
    (void)state;
    session s = {0};
    open_blocks(&s, 3);
    name_block(&s, 0, "prefill");
    name_block(&s, 1, "decode");
    name_block(&s, 2, "prefill");
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_summed_methods methods;
    find(&methods, &s, &options);
    static const double ticks[] = {4, 2};
    eti_rollup counts = {0};
    assert_int_equal(methods.n, 2);
    assert_int_equal(methods.whole.low, 6);
    for (size_t i = 0; i < 2; i++) {
        eti_rollup rollup;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__rollup_make(&rollup, s.inspector, &methods.items[i].options, NULL, group_all,
                                   NULL, &err));
        assert_int_equal(rollup.groups[0].total.low, ticks[i]);
        assert_true(eti__rollup_share(&rollup, rollup.groups[0].total) == ticks[i] / 6);
        eti__rollup_join_counts(&counts, &rollup);
        eti__rollup_free(&rollup);
    }
    assert_int_equal(counts.runs.n, 3);
    assert_int_equal(counts.runs.n_blocks, 3);
    eti__summed_methods_free(&methods);
    close_blocks(&s);
}

static void single_items_are_not_distinguished(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_blocks(&s, 3);
    for (size_t i = 0; i < 3; i++)
        name_block(&s, i, i == 2 ? "decode" : "prefill");
    options.block = "prefill";
    assert_one(&s, &options);
    options.block = NULL;
    options.per_block = true;
    assert_one(&s, &options);
    options.per_block = false;
    s.inspector->n_methods = 1; /* only an ETDump, or a record of one method */
    assert_one(&s, &options);
    close_blocks(&s);
}

static void the_number_of_methods_is_bounded(void **state) {
    (void)state;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    for (size_t n = ETI_MOST_METHODS; n <= N_BLOCKS; n++) {
        session s = {0};
        open_blocks(&s, n);
        if (n > ETI_MOST_METHODS) {
            assert_one(&s, &options);
        } else {
            eti_summed_methods methods;
            find(&methods, &s, &options);
            assert_int_equal(methods.n, n);
            eti__summed_methods_free(&methods);
        }
        close_blocks(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_a_method_are_together_in_the_order_of_the_first),
        cmocka_unit_test(shares_are_of_the_time_of_all),
        cmocka_unit_test(single_items_are_not_distinguished),
        cmocka_unit_test(the_number_of_methods_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
