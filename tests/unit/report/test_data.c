#include "page_fixture.h"

#include "inspector_fixture.h"

#include "account/account.h"
#include "report/data.h"
#include "report/page.h"
#include "report/report.h"
#include "rollup/rollup.h"

#include <inttypes.h>

/* ==== data ==================================================================================== */

static const eti_write_options no_options = {.no_sha256 = true};

static eti_buffer data_of(eti_page *page, const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    page->write = &no_options;
    eti__page_add_view(page, "example", report);
    assert_ok(eti__page_add_data(&out, page, &err));
    return out;
}

/* The output was checked by hand against the JSON of the same report. */
static void tables_are_those_of_json(void **state) {
    (void)state;
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_page_report();
    eti_buffer out = data_of(&page, report);
    eti_buffer json = write_to_buffer(report, "json", &no_options);
    static const char first[] =
        "{\"op\": \"add\", \"p50\": 1.5, \"source\": \"a.py:1\", \"raw\": [1.0, 2.0]}";
    assert_has(&out, first);
    assert_has(&json, first);
    assert_has(&out, "{\"schema\": \"etinspect-report/2\",\n\"provenance\": {\"schema\": ");
    assert_has(&out, "\"columns\": {\n\"example\": {\n\"things\": [[\"op\", \"text\", \"name\"], "
                     "[\"p50\", \"time\", null], [\"source\", \"text\", null], "
                     "[\"raw\", \"series\", null]]}}");
    assert_has(&out,
               "\"remarks\": {\n\"example\": [\n{\"table\": \"things\", \"text\": \"remark of "
               "things\"}]}");
    assert_has(&out, "\"sums\": {},\n");
    assert_has(&out, "\"absent\": {},\n\"left_out\": []}\n");
    assert_has(&out, "\\u2028\\u202e\xef\xbf\xbd");
    eti__buffer_free(&json);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* JSON has strings for them, as in --format json. */
static void numbers_that_are_not_finite_are_strings(void **state) {
    (void)state;
    static const eti_column columns[] = {
        {.name = {"op", 2}},
        {.name = {"snr", 3}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"hidden", 6}, .kind = ETI_COLUMN_NUMBER, .is_on_request = true},
    };
    const eti_cell cells[] = {
        TEXT("equal"), DOUBLE(INFINITY), DOUBLE(INFINITY),  TEXT("unknown"), NO_CELL,
        NO_CELL,       TEXT("worst"),    DOUBLE(-INFINITY), NO_CELL,         TEXT("good"),
        DOUBLE(99),    NO_CELL,          TEXT("NaN"),       DOUBLE(NAN),     NO_CELL,
    };
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    eti_buffer out = data_of(&page, report);
    assert_has(
        &out, "{\"op\": \"equal\", \"snr\": \"Infinity\"},\n{\"op\": \"unknown\", \"snr\": null},\n"
              "{\"op\": \"worst\", \"snr\": \"-Infinity\"},\n{\"op\": \"good\", \"snr\": 99.0},\n"
              "{\"op\": \"NaN\", \"snr\": \"NaN\"}]");
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* From 200 rows on, a table has columns: texts are numbered; equal columns and cells are written once. The numbers were counted by
 * hand: the first row has the texts 0, 1 and 2, and the eighth, with "true" after "n7", the texts 0, 10 and 11. Numbers that grow evenly
 * are steps: the texts n1, n2 and n3 have the numbers 4, 5 and 6. */
static void many_rows_are_columns(void **state) {
    (void)state;
    static const eti_column columns[] = {
        {.name = {"op", 2}},
        {.name = {"id", 2}},
        {.name = {"p50", 3}, .kind = ETI_COLUMN_TIME},
        {.name = {"p90", 3}, .kind = ETI_COLUMN_TIME},
        {.name = {"snr", 3}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"flag", 4}, .kind = ETI_COLUMN_MARK},
        {.name = {"event", 5}, .kind = ETI_COLUMN_COUNT},
        {.name = {"far", 3}, .kind = ETI_COLUMN_COUNT},
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
    };
    enum { N_COLUMNS = COUNT_OF(columns), N_ROWS = 200 };
    static const char *const ops[] = {"a\"b", "mul", "a\"b"};
    static eti_cell cells[N_ROWS * N_COLUMNS];
    static char ids[N_ROWS][8];
    eti_buffer numbers = {0}, times = {0}, far = {0}, shares = {0};
    for (size_t i = 0; i < N_ROWS; i++) {
        const char *comma = i > 0 ? "," : "";
        snprintf(ids[i], sizeof ids[i], "n%zu", i);
        const eti_cell row[N_COLUMNS] = {
            {.kind = ETI_CELL_TEXT, .as_text = eti__text_of(ops[i % 3])},
            {.kind = ETI_CELL_TEXT, .as_text = eti__text_of(ids[i])},
            DOUBLE((double)i + 0.5),
            DOUBLE((double)i + 0.5),
            NO_CELL,
            {.kind = ETI_CELL_BOOL, .as_bool = i == 7},
            {.kind = ETI_CELL_INT, .as_int = (int64_t)i - 3},
            {.kind = ETI_CELL_INT, .as_int = INT64_MAX - (int64_t)i},
            i == 9 ? (eti_cell)NO_CELL : (eti_cell)DOUBLE(i % 3 == 1 ? 0.125 : 1.0 / 3),
        };
        memcpy(&cells[i * N_COLUMNS], row, sizeof row);
        eti__buffer_printf(&numbers, "%s%d", comma, i % 3 == 1);
        eti__buffer_printf(&times, "%s%zu.5", comma, i);
        eti__buffer_printf(&shares, "%s%d", comma, i == 9 ? 2 : i % 3 == 1);
        eti__buffer_printf(&far, "%s%" PRId64, comma, INT64_MAX - (int64_t)i);
    }
    eti_buffer expected = {0};
    eti__buffer_printf(&expected,
                       "\"things\": {\"n\": 200, \"columns\": {\n"
                       "\"op\": {\"texts\": [0,3], \"at\": [%.*s]},\n"
                       "\"id\": {\"texts\": {\"steps\": [1,1,1,2,1,-2,5,0,1,1,1,-1,190,0]}},\n"
                       "\"p50\": [%.*s],\n"
                       "\"p90\": \"p50\",\n"
                       "\"snr\": {\"of\": [null]},\n"
                       "\"flag\": {\"texts\": [2,9], \"at\": {\"steps\": [7,0,1,1,1,-1,191,0]}},\n"
                       "\"event\": {\"steps\": [1,-3,199,1]},\n"
                       "\"far\": [%.*s],\n"
                       "\"share\": {\"of\": [0.3333333333333333,0.125,null], \"at\": [%.*s]}}}",
                       (int)numbers.size, numbers.data, (int)times.size, times.data, (int)far.size,
                       far.data, (int)shares.size, shares.data);
    eti__buffer_add_char(&expected, '\0');
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    eti_buffer out = data_of(&page, report);
    assert_has(&out, expected.data);
    assert_has(
        &out,
        "\"texts\": [\"a\\\"b\",\"n0\",false,\"mul\",\"n1\",\"n2\",\"n3\",\"n4\",\"n5\",\"n6\","
        "\"n7\",true,\"n8\",");
    page.most_rows = N_ROWS - 1;
    out.size = 0;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__page_add_data(&out, &page, &err));
    assert_has(&out,
               "{\"op\": \"mul\", \"id\": \"n1\", \"p50\": 1.5, \"p90\": 1.5, \"snr\": null, "
               "\"flag\": false, \"event\": -2, \"far\": 9223372036854775806, \"share\": 0.125}");
    eti__buffer_free(&numbers);
    eti__buffer_free(&times);
    eti__buffer_free(&far);
    eti__buffer_free(&shares);
    eti__buffer_free(&expected);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* Two columns have the same indexes but different values: squares modulo 7 are 0, 1, 4, 2, 2, 4 and 1, so the indexes rise three times
 * by 1, stay, and fall three times. */
static void a_long_list_is_written_once(void **state) {
    (void)state;
    static const eti_column columns[] = {
        {.name = {"p50", 3}, .kind = ETI_COLUMN_TIME},
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
    };
    enum { N_COLUMNS = COUNT_OF(columns), N_ROWS = 700 };
    static eti_cell cells[N_ROWS * N_COLUMNS];
    eti_buffer expected = {0};
    eti__buffer_add_string(&expected, "{\"n\": 700, \"columns\": {\n\"p50\": {\"of\": "
                                      "[0.5,1.5,4.5,2.5], \"at\": {\"steps\": [1,0");
    for (size_t i = 0; i < N_ROWS; i++) {
        const eti_cell row[N_COLUMNS] = {DOUBLE((double)(i * i % 7) + 0.5),
                                         DOUBLE((double)(i * i % 7) + 0.25)};
        memcpy(&cells[i * N_COLUMNS], row, sizeof row);
        if (i % 7 == 0)
            eti__buffer_printf(&expected, ",3,1,1,0,%s,-1", i + 7 < N_ROWS ? "3" : "2");
    }
    eti__buffer_add_string(&expected, "]}},\n\"share\": {\"of\": [0.25,1.25,4.25,2.25], \"at\": "
                                      "{\"same\": [\"example\",\"things\",\"p50\",\"at\"]}}}}");
    eti__buffer_add_char(&expected, '\0');
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    eti_buffer out = data_of(&page, report);
    assert_has(&out, expected.data);
    eti__buffer_free(&expected);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* A browser would round a step that is larger than 2^53. */
static void a_step_is_exact_in_a_browser(void **state) {
    (void)state;
    static const eti_column columns[] = {{.name = {"far", 3}, .kind = ETI_COLUMN_COUNT}};
    enum { N_ROWS = 700 };
    static eti_cell cells[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++)
        cells[i] = (eti_cell){.kind = ETI_CELL_INT,
                              .as_int = i < N_ROWS / 2 ? -9007199254740991 : 9007199254740990};
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    eti_buffer out = data_of(&page, report);
    assert_has(&out, "\"far\": {\"of\": [-9007199254740991,9007199254740990], \"at\": {\"steps\": "
                     "[350,0,1,1,349,0]}}");
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

static void columns_can_be_left_out(void **state) {
    (void)state;
    static const struct {
        unsigned omissions;
        const char *columns, *row, *left_out;
    } cases[] = {
        {ETI_PAGE_NO_SOURCE, NULL, "{\"op\": \"add\", \"p50\": 1.5, \"raw\": [1.0, 2.0]}",
         "\"left_out\": [\"source\"]"},
        {ETI_PAGE_NO_SAMPLES, NULL, "{\"op\": \"add\", \"p50\": 1.5, \"source\": \"a.py:1\"}",
         "\"left_out\": [\"samples\"]"},
        {ETI_PAGE_NO_SLICES | ETI_PAGE_NO_LARGE_GRAPHS, "p50,raw",
         "{\"p50\": 1.5, \"raw\": [1.0, 2.0]}", "\"left_out\": [\"slices\", \"large graphs\"]"},
    };
    eti_report *report = make_page_report();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT, .omissions = cases[i].omissions};
        eti_error err = ETI_ERROR_INIT;
        eti_buffer out = {0};
        page.write = &no_options;
        eti__page_add_view(&page, "example", report);
        page.views[0].columns = cases[i].columns;
        assert_ok(eti__page_add_data(&out, &page, &err));
        assert_has(&out, cases[i].row);
        assert_has(&out, cases[i].left_out);
        eti__buffer_free(&out);
        eti__page_free(&page);
    }
    eti_report_free(report);
}

static void rows_that_are_sums_are_told(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    const eti_selection first = {.top = 1}, last = {.filter = "op != 'add'"};
    const struct {
        const eti_selection *selection;
        const char *sums;
    } cases[] = {{NULL, "\"sums\": {\"example\": {\"things\": [1]}},\n"},
                 {&first, "\"sums\": {\"example\": {\"things\": []}},\n"},
                 {&last, "\"sums\": {\"example\": {\"things\": [0]}},\n"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
        eti_report *report = make_page_report();
        assert_ok(eti__report_mark_sum(report, &err));
        if (cases[i].selection)
            assert_ok(eti__report_select(report, cases[i].selection, &err));
        eti_buffer out = data_of(&page, report);
        assert_has(&out, cases[i].sums);
        eti__buffer_free(&out);
        eti__page_free(&page);
        eti_report_free(report);
    }
}

/* ==== graph events ============================================================================ */

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

/* ==== page slices ============================================================================= */

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
    assert_true(has(&out, "\"event\": [-1,2,-1,-1,2,-1,-1,2,-1,-1,2,-1,-1,2,-1,-1,2,-1]"));
    assert_true(has(&out, "\"depth\": [0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2]"));
    eti__buffer_free(&out);
    s.inspector->options.source_time_scale = ETI_SCALE_CYCLES;
    out = slices_of(&s, 1000, 0, NULL);
    assert_true(has(&out, "{\"n_runs\": 6, \"unit\": \"cycles\", "));
    eti__buffer_free(&out);
    close_session(&s);
}

/* The representative run is kept first, then the first two, then the slowest. The first three are the warm-up. */
static void of_too_many_some_runs_are_kept(void **state) {
    (void)state;
    static const struct {
        size_t most;
        const char *durations;
    } cases[] = {{4, "[13,13,11]"},
                 {8, "[10,10,8,13,13,11]"},
                 {9, "[10,10,8,20,20,18,13,13,11]"},
                 {12, "[10,10,8,20,20,18,500,500,498,13,13,11]"}};
    session s = {0};
    open_runs(&s);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer out = slices_of(&s, cases[i].most, 0, NULL);
        assert_true(has(&out, "{\"n_runs\": 6, "));
        assert_true(has(&out, cases[i].durations));
        assert_true(has(&out, "\"number\": 5, "));
        assert_true(has(&out, "\"n\": 3, \"representative\": true}]"));
        eti__buffer_free(&out);
    }
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
        cmocka_unit_test(tables_are_those_of_json),
        cmocka_unit_test(numbers_that_are_not_finite_are_strings),
        cmocka_unit_test(many_rows_are_columns),
        cmocka_unit_test(a_long_list_is_written_once),
        cmocka_unit_test(a_step_is_exact_in_a_browser),
        cmocka_unit_test(columns_can_be_left_out),
        cmocka_unit_test(rows_that_are_sums_are_told),
        cmocka_unit_test(events_have_the_rows_of_their_nodes),
        cmocka_unit_test(events_are_of_no_other_graph),
        cmocka_unit_test(columns_have_all_slices),
        cmocka_unit_test(of_too_many_some_runs_are_kept),
        cmocka_unit_test(there_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
