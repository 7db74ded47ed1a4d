#include "rollup_fixture.h"

#include "rollup/rollup.h"

/* A layer with two operators, an operator of the model itself, and a delegate call. */
#define LAYERS_EDGE                                                                                \
    EDGE_PROGRAM(OP("a", "a.default", "1", MODEL ";k,fc,my.Linear", "",                            \
                    "x") "," OP("b", "b.default", "2", MODEL ";k,fc,my.Linear", "",                \
                                "x") "," OP("c", "c.default", "3", MODEL, "", "x"))
#define LAYERS_HANDLES "{\"1\": 1, \"2\": 2, \"3\": 3}"

static eti_layers layers_of(const session *s) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_layers layers;
    assert_ok(eti__layers_make(&layers, s->inspector, &options, &err));
    return layers;
}

/* Checks the layer at this position: its name, the name of its largest event, and its weight in half ms. */
static void assert_layer(const eti_layers *layers, size_t at, const char *name, const char *kernel,
                         uint64_t half_ms) {
    assert_true(at < layers->n);
    uint32_t number = layers->order[at];
    const eti_layer *layer = &layers->items.items[number];
    assert_text(eti__layer_name(layers, layer), name);
    assert_text(layer->event->name, kernel);
    assert_int_equal(layers->rollup.groups[number].time.weight.low, half_ms * 1000000);
}

static void each_part_of_a_run_is_a_layer(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", MS_CALL(b, "native_call_a.out", 1, 0, 3),
                 MS_CALL(b, "native_call_b.out", 2, 3, 7),
                 MS_CALL(b, "native_call_c.out", 3, 7, 12),
                 MS_CALL(b, "native_call_d.out", 4, 12, 14), MS_DELEGATED(b, "Conv #1", 5, 0, 1),
                 MS_CALL(b, "DELEGATE_CALL", 5, 14, 30), MS_CALL(b, "Method::execute", 0, 0, 40))),
        &(record_spec){.handles = LAYERS_HANDLES, .edge = LAYERS_EDGE});
    eti_layers layers = layers_of(&s);
    assert_false(layers.are_kernels);
    assert_int_equal(layers.n, 5);
    assert_layer(&layers, 0, ETI_GROUP_DELEGATE_OVERHEAD, "DELEGATE_CALL", 2 * 15);
    assert_layer(&layers, 1, ETI_GROUP_FRAMEWORK, "Method::execute", 2 * 10);
    assert_layer(&layers, 2, "fc", "native_call_b.out", 2 * 7);
    assert_layer(&layers, 3, ETI_GROUP_MODEL, "native_call_c.out", 2 * 5);
    assert_layer(&layers, 4, ETI_GROUP_UNKNOWN, "native_call_d.out", 2 * (2 + 1));
    assert_text(layers.items.items[layers.order[2]].backend, "CPU");
    assert_int_equal(layers.n_methods, 1);
    assert_bits(layers.methods[0].median, 40);
    assert_int_equal(layers.methods[0].n_runs, 1);
    eti__layers_free(&layers);
    close_session(&s);
}

static void without_a_record_kernels_are_layers(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_a.out", 1, 0, 3),
                             MS_CALL(b, "native_call_a.out", 2, 3, 7),
                             MS_CALL(b, "native_call_b.out", 3, 7, 12))),
                 NULL);
    eti_layers layers = layers_of(&s);
    assert_true(layers.are_kernels);
    assert_int_equal(layers.n, 2);
    assert_layer(&layers, 0, "native_call_a.out", "native_call_a.out", 2 * 7);
    assert_layer(&layers, 1, "native_call_b.out", "native_call_b.out", 2 * 5);
    eti__layers_free(&layers);
    close_session(&s);
}

/* Returns whether "a" is clear of "b" in runs with these times in ms. */
static bool is_clear(const uint64_t (*times)[2], size_t n) {
    session s = {0};
    builder *b = &s.b;
    place runs[16];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", MS_CALL(b, "native_call_a.out", 1, 0, times[i][0]),
                      MS_CALL(b, "native_call_b.out", 2, 100, 100 + times[i][1]));
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
    eti_layers layers = layers_of(&s);
    uint32_t of[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++)
        of[eti__text_is(eti__layer_name(&layers, &layers.items.items[i]), "native_call_b.out")] = i;
    bool clear = false;
    assert_true(eti__layers_find_clear(&layers, of[0], of[1], &clear));
    eti__layers_free(&layers);
    close_session(&s);
    return clear;
}

static void the_runs_show_which_layer_is_slower(void **state) {
    (void)state;
    static const uint64_t one[][2] = {{9, 1}};
    static const uint64_t apart[][2] = {{5, 3}, {6, 4}, {5, 4}};
    static const uint64_t touching[][2] = {{5, 3}, {6, 5}, {5, 4}};
    /* of seven runs, one of two is the slower in seven, in six, and in six of six that differ */
    static const uint64_t all[][2] = {{5, 4}, {9, 8}, {5, 4}, {7, 6}, {5, 4}, {5, 4}, {5, 4}};
    static const uint64_t most[][2] = {{5, 4}, {9, 8}, {5, 4}, {7, 6}, {5, 4}, {5, 4}, {4, 5}};
    static const uint64_t equal[][2] = {{5, 4}, {9, 8}, {5, 4}, {7, 6}, {5, 4}, {5, 4}, {4, 4}};
    static const uint64_t below[][2] = {{4, 5}, {8, 9}, {4, 5}, {6, 7}, {4, 5}, {4, 5}, {4, 5}};
    assert_false(is_clear(one, COUNT_OF(one)));
    assert_true(is_clear(apart, COUNT_OF(apart)));
    assert_false(is_clear(touching, COUNT_OF(touching)));
    assert_true(is_clear(all, COUNT_OF(all)));
    assert_false(is_clear(most, COUNT_OF(most)));
    assert_true(is_clear(equal, COUNT_OF(equal)));
    assert_false(is_clear(below, COUNT_OF(below)));
}

static void interruptions_make_the_median_run_longer(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[6];
    for (size_t i = 0; i < 6; i++) {
        uint64_t length[3] = {10, 10, 10};
        length[i % 3] += 30; /* in each run, another event */
        runs[i] = RUN(b, "Execute", MS_CALL(b, "native_call_a.out", 1, 0, length[0]),
                      MS_CALL(b, "native_call_b.out", 2, 100, 100 + length[1]),
                      MS_CALL(b, "native_call_c.out", 3, 200, 200 + length[2]));
    }
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, 6)), NULL);
    eti_layers layers = layers_of(&s);
    assert_bits(layers.methods[0].median, 60);
    assert_bits(eti__rollup_typical(&layers.rollup, &layers.methods[0].whole), 30);
    assert_true(eti__layers_were_interrupted(&layers, &layers.methods[0]));
    eti__layers_free(&layers);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_of_a_run_is_a_layer),
        cmocka_unit_test(without_a_record_kernels_are_layers),
        cmocka_unit_test(the_runs_show_which_layer_is_slower),
        cmocka_unit_test(interruptions_make_the_median_run_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
