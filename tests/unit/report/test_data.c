#include "page_fixture.h"

#include "report/data.h"

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
    assert_has(&out, "{\"schema\": \"etinspect-report/1\",\n\"provenance\": {\"schema\": ");
    assert_has(&out, "\"columns\": {\n\"example\": {\n\"things\": [[\"op\", \"text\", \"name\"], "
                     "[\"p50\", \"time\", null], [\"source\", \"text\", null], "
                     "[\"raw\", \"series\", null]]}}");
    assert_has(&out,
               "\"remarks\": {\n\"example\": [\n{\"table\": \"things\", \"text\": \"remark of "
               "things\"}]}");
    assert_has(&out, "\"infinite\": [],\n");
    assert_has(&out, "\"sums\": {},\n");
    assert_has(&out, "\"absent\": {},\n\"left_out\": []}\n");
    assert_has(&out, "\\u2028\\u202e\xef\xbf\xbd");
    eti__buffer_free(&json);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* JSON has null for them, as in --format json. */
static void infinite_numbers_are_listed(void **state) {
    (void)state;
    static const eti_column columns[] = {
        {.name = {"op", 2}},
        {.name = {"snr", 3}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"hidden", 6}, .kind = ETI_COLUMN_NUMBER, .is_on_request = true},
    };
    const eti_cell cells[] = {
        TEXT("equal"), DOUBLE(INFINITY),  DOUBLE(INFINITY), TEXT("unknown"), NO_CELL,    NO_CELL,
        TEXT("worst"), DOUBLE(-INFINITY), NO_CELL,          TEXT("good"),    DOUBLE(99), NO_CELL,
    };
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    eti_buffer out = data_of(&page, report);
    assert_has(&out, "{\"op\": \"equal\", \"snr\": null},\n{\"op\": \"unknown\", \"snr\": null}");
    assert_has(&out, "\"infinite\": [\n[\"example\", \"things\", 0, \"snr\", 1],\n"
                     "[\"example\", \"things\", 2, \"snr\", -1]],\n\"columns\": ");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_json),
        cmocka_unit_test(infinite_numbers_are_listed),
        cmocka_unit_test(columns_can_be_left_out),
        cmocka_unit_test(rows_that_are_sums_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
