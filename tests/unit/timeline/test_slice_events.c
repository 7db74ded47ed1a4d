/* Texts beside the slices of Events, and how many bytes they may have. */
#include "timeline/slice_events.h"

#include "rollup_fixture.h"

#include "rollup/rollup.h"
#include "timeline/slices.h"

static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;

static const eti_slice_event *event_called(const eti_slice_source *source, const char *name) {
    for (size_t i = 0; i < source->n_events; i++) {
        if (eti__text_is(source->events[i].event->name, name))
            return &source->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

/* NULL: the text is absent. */
static void assert_maybe(eti_text found, const char *expected) {
    if (expected)
        assert_text(found, expected);
    else
        assert_absent(found);
}

static void events_have_their_texts(void **state) {
    (void)state;
    static const struct {
        const char *name, *op_types, *module, *source, *backend;
        uint32_t block;
    } expected[] = {
        {"native_call_permute.out", "aten.permute.default, aten.mm.default", "a.fc", "/m/a.py:7",
         NULL, 1},
        {"native_call_tan.out", "aten.tan.default", "my.Model", "/m/b.py:3", NULL, 1},
        {"conv #1", NULL, "my.Model", ETI_GROUP_SEVERAL_LINES, "Npu", 1},
        {"DELEGATE_CALL", "aten.relu.default, aten.tan.default", "my.Model",
         ETI_GROUP_SEVERAL_LINES, "Npu", 1},
        {"Method::execute", NULL, NULL, NULL, NULL, 1},
        {"Method::init", NULL, NULL, NULL, NULL, 0},
    };
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    open_two_runs(&s);
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const eti_slice_event *event = event_called(&source, expected[i].name);
        assert_maybe(event->op_types, expected[i].op_types);
        assert_maybe(event->module, expected[i].module);
        assert_maybe(event->source, expected[i].source);
        assert_maybe(event->backend, expected[i].backend);
        assert_int_equal(event->block, expected[i].block);
        assert_int_equal(event->n_text, event->event->name.size + event->op_types.size +
                                            event->module.size + event->source.size +
                                            event->backend.size);
        assert_int_equal(event->backend_kind, i == 2 ? 1 : 0);
    }
    eti__slice_source_free(&source);
    close_session(&s);
}

#define PLAIN(name, handle) NODE(name, handle, MODEL)

/* Four operators are named; of five the first two and the last. */
static void many_operators_are_shortened(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", MS_CALL(b, "four", 1, 1, 2), MS_CALL(b, "five", 2, 2, 3),
                    MS_CALL(b, "six", 3, 3, 4), MS_CALL(b, "one", 4, 4, 5),
                    MS_EVENT(b, "Method::execute", 1, 5))),
        &(record_spec){.handles = "{\"1\": [1, 2, 3, 4], \"2\": [1, 2, 3, 4, 5], "
                                  "\"3\": [1, 2, 3, 4, 5, 6], \"4\": 3}",
                       .edge = EDGE_PROGRAM(PLAIN("a", "1") "," PLAIN("b", "2") "," PLAIN(
                           "c", "3") "," PLAIN("d", "4") "," PLAIN("e", "5") "," PLAIN("f", "6"))});
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    assert_text(event_called(&source, "four")->op_types,
                "aten.a.default, aten.b.default, aten.c.default, aten.d.default");
    assert_text(event_called(&source, "five")->op_types,
                "aten.a.default, aten.b.default ... aten.e.default (5 in all)");
    assert_text(event_called(&source, "six")->op_types,
                "aten.a.default, aten.b.default ... aten.f.default (6 in all)");
    assert_text(event_called(&source, "one")->op_types, "aten.c.default");
    eti__slice_source_free(&source);
    close_session(&s);
}

static void texts_are_counted_up_to_a_limit(void **state) {
    (void)state;
    eti_slice_source source = {.n_text = 0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__slice_texts_count(&source, 4, 5, &err));
    assert_ok(eti__slice_texts_count(&source, 1, 5, &err));
    assert_int_equal(source.n_text, 5);
    assert_fails(eti__slice_texts_count(&source, 1, 5, &err), ETI_ERROR_LIMIT, "more than 5 bytes");
    assert_ok(eti__slice_texts_count(&source, 0, 0, &err));
    source.n_text = 7;
    assert_ok(eti__slice_texts_count(&source, UINT64_MAX - 7, 0, &err));
    assert_true(source.n_text == UINT64_MAX);
    assert_ok(eti__slice_texts_count(&source, 2, 0, &err)); /* does not begin at 0 again */
    assert_true(source.n_text == UINT64_MAX);
}

/* Texts that are made may have an eighth of the limit. Here they take 20 and 15 bytes for operators and 7 for the file, because
 * consecutive Events share them. Slices repeat 23 + 37 + 4 + 9 bytes, 13 + 37 + 4 + 9 bytes, and a name of 15 bytes. */
static void texts_that_are_made_may_have_an_eighth(void **state) {
    (void)state;
    enum { MADE = 20 + 15 + 7, REPEATED = 73 + 63 + 15 };
    char metadata[ETI_MOST_SLICE_METADATA + 2];
    memset(metadata, 'm', sizeof metadata);
    metadata[sizeof metadata - 1] = '\0';
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    eti_view_options options = defaults;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = "native_call_permute.out", .instruction_id = SOME(0),
                                   .start_time = 2, .end_time = 3, .metadata = "abc"),
                             TIMED(b, .name = "OPERATOR_CALL", .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 4, .metadata = metadata),
                             MS_EVENT(b, "Method::execute", 0, 5))),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_ok(eti__slice_source_make(&source, s.inspector, &options, 8 * MADE, &err));
    assert_int_equal(source.n_text, REPEATED);
    eti__slice_source_free(&source);
    assert_fails(eti__slice_source_make(&source, s.inspector, &options, 8 * MADE - 1, &err),
                 ETI_ERROR_LIMIT, "more than 41 bytes");
    eti__slice_source_free(&source);
    options.args = ETI_ARGS_FULL;
    assert_ok(eti__slice_source_make(&source, s.inspector, &options, 0, &err));
    assert_int_equal(source.n_text, REPEATED + 3 + ETI_MOST_SLICE_METADATA);
    eti__slice_source_free(&source);
    assert_fails(eti__slice_source_make(&source, s.inspector, &options,
                                        REPEATED + 3 + ETI_MOST_SLICE_METADATA - 1, &err),
                 ETI_ERROR_LIMIT, "bytes");
    eti__slice_source_free(&source);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_their_texts),
        cmocka_unit_test(many_operators_are_shortened),
        cmocka_unit_test(texts_are_counted_up_to_a_limit),
        cmocka_unit_test(texts_that_are_made_may_have_an_eighth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
