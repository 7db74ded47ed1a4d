#include "inspector_fixture.h"

#include "report/page_slices.h"

static place put_inference(builder *b, uint64_t start, uint64_t length) {
    return RUN(
        b, "Execute",
        TIMED(b, .name = "native_call_a.out", .start_time = start + 1,
              .end_time = start + length - 1),
        TIMED(b, .name = "Method::execute", .start_time = start, .end_time = start + length));
}

static void open_runs(session *s) {
    builder *b = &s->b;
    open_session(s,
                 DUMP(b, put_inference(b, 1000, 10), put_inference(b, 2000, 20),
                      put_inference(b, 3000, 30), put_inference(b, 4000, 500),
                      put_inference(b, 5000, 12), put_inference(b, 6000, 13)),
                 NULL);
}

static eti_buffer slices_of(const session *s, size_t most, unsigned omissions, const char *block) {
    eti_page page = {.inspector = s->inspector,
                     .options = ETI_PAGE_OPTIONS_DEFAULT,
                     .omissions = omissions,
                     .block = block};
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    page.options.max_slices = most;
    assert_ok(eti__page_add_slices(&json, &page, &err));
    return out;
}

static bool has(const eti_buffer *text, const char *part) {
    return eti__text_contains(eti__buffer_text(text), eti__text_of(part));
}

/* Each run is a slice around Method::execute, which surrounds the kernel. */
static void columns_have_all_slices(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    eti_buffer out = slices_of(&s, 1000, 0, NULL);
    assert_true(has(&out, "{\"n_runs\": 6, \"unit\": \"ns\", \"tracks\": [\n{\"name\": \"method\", "
                          "\"help\": null}]"));
    assert_true(has(&out, "\"runs\": [{\"name\": \"Execute #0\", \"block\": \"Execute\", "
                          "\"number\": 0, \"first\": 0, \"n\": 3},\n{\"name\": \"Execute #1\""));
    assert_true(has(&out, "\"start\": [0,0,1,999,0,1,999,0,1,999,0,1,999,0,1,999,0,1]"));
    assert_true(
        has(&out, "\"duration\": [10,10,8,20,20,18,30,30,28,500,500,498,12,12,10,13,13,11]"));
    assert_true(has(&out, "\"event\": [-1,1,0,-1,1,0,-1,1,0,-1,1,0,-1,1,0,-1,1,0]"));
    assert_true(has(&out, "\"depth\": [0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2]"));
    eti__buffer_free(&out);
    s.inspector->options.source_time_scale = ETI_SCALE_CYCLES;
    out = slices_of(&s, 1000, 0, NULL);
    assert_true(has(&out, "{\"n_runs\": 6, \"unit\": \"cycles\", "));
    eti__buffer_free(&out);
    close_session(&s);
}

/* Where two runs are kept, they are the first two; of three, the third is the slowest. */
static void of_too_many_some_runs_are_kept(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    eti_buffer out = slices_of(&s, 8, 0, NULL);
    assert_true(has(&out, "{\"n_runs\": 6, "));
    assert_true(has(&out, "\"number\": 1, \"first\": 3, \"n\": 3}]"));
    assert_true(has(&out, "\"duration\": [10,10,8,20,20,18]"));
    eti__buffer_free(&out);
    out = slices_of(&s, 9, 0, NULL);
    assert_true(has(&out, "\"number\": 3, \"first\": 6, \"n\": 3}]"));
    assert_true(has(&out, "\"duration\": [10,10,8,20,20,18,500,500,498]"));
    eti__buffer_free(&out);
    close_session(&s);
}

static void there_may_be_none(void **state) {
    (void)state;
    session s = {0};
    open_runs(&s);
    assert_int_equal(slices_of(&s, 1000, ETI_PAGE_NO_SLICES, NULL).size, 0);
    assert_int_equal(slices_of(&s, 2, 0, NULL).size, 0);
    eti_buffer out = slices_of(&s, 1000, 0, "Execute");
    assert_true(out.size > 0);
    eti__buffer_free(&out);
    close_session(&s);
    const session none = {0};
    assert_int_equal(slices_of(&none, 1000, 0, NULL).size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_all_slices),
        cmocka_unit_test(of_too_many_some_runs_are_kept),
        cmocka_unit_test(there_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
