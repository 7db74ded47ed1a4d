#include "report/graph_events.h"

#include "inspector_fixture.h"

/* Returns the text added for a graph of testdata/small; the caller frees it. */
static eti_buffer add(const char *graph_name) {
    const eti_source dump = {.path = "testdata/small/run.etdp"};
    const eti_source record = {.path = "testdata/small/record.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_inspector *inspector;
    eti_timed_graph graph;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    eti_error err = ETI_ERROR_INIT;
    options.graph = graph_name;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__timed_graph_make(&graph, inspector, &options, &err));
    assert_ok(eti__graph_events_add(&json, &graph, inspector, &err));
    eti__timed_graph_free(&graph);
    eti_inspector_close(inspector);
    return out;
}

/* Node 0 is the input; relu and add each have an operator's call and the kernel in it. */
static void events_have_the_rows_of_their_nodes(void **state) {
    (void)state;
    eti_buffer out = add(NULL);
    assert_text(eti__buffer_text(&out), "[\n"
                                        "{\"block\": \"Default\", \"nodes\": [null,null]},\n"
                                        "{\"block\": \"Execute\", \"nodes\": [1,1,2,2,null]}]");
    eti__buffer_free(&out);
}

static void events_are_of_no_other_graph(void **state) {
    (void)state;
    eti_buffer out = add("exported_program");
    assert_int_equal(out.size, 0);
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_the_rows_of_their_nodes),
        cmocka_unit_test(events_are_of_no_other_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
