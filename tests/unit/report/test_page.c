#include "page_fixture.h"

#include "report/page_text.h"

static const eti_write_options no_options = {.no_sha256 = true};

static eti_buffer page_of(eti_page *page, const eti_report *report) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    page->write = &no_options;
    eti__page_add_view(page, "example", report);
    assert_ok(eti__page_make(page, &out, &err));
    return out;
}

static size_t count_of(const eti_buffer *text, const char *part) {
    size_t n = 0, size = strlen(part);
    for (size_t i = 0; i + size <= text->size; i++)
        n += memcmp(text->data + i, part, size) == 0;
    return n;
}

static void hostile_names_add_no_element(void **state) {
    (void)state;
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    page.options.title = "a </title><script>";
    eti_report *report = make_page_report();
    eti_buffer out = page_of(&page, report);
    assert_has(&out, "<title>a &lt;/title&gt;&lt;script&gt;</title>");
    assert_has_no(&out, "<img");
    assert_int_equal(count_of(&out, "</script>"), 2);
    assert_int_equal(count_of(&out, "<script"), 2);
    assert_has(&out, "\\u003c/script>\\u003cimg src=x onerror=alert(1)>\\u003c!--");
    assert_has(&out, "&lt;/script&gt;&lt;img"); /* for readers without scripts */
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

static void nothing_is_left_to_fill_in(void **state) {
    (void)state;
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_report *report = make_page_report();
    eti_buffer out = page_of(&page, report);
    assert_has_no(&out, "@TITLE@");
    assert_has_no(&out, "@DATA@");
    assert_has(&out, "<title>example \xc2\xb7 etinspect</title>");
    assert_int_equal(count_of(&out, "sha256-"), 2);
    assert_true(eti__page_html_size + eti__page_style_size + eti__page_script_size <= 117000);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

static void the_same_twice(void **state) {
    (void)state;
    eti_report *report = make_page_report();
    eti_page first = {.options = ETI_PAGE_OPTIONS_DEFAULT}, second = first;
    eti_buffer a = page_of(&first, report), b = page_of(&second, report);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    eti__buffer_free(&a);
    eti__buffer_free(&b);
    eti_report_free(report);
}

/* The comparison in the other direction is left out before source. */
static void large_pages_lose_the_other_direction(void **state) {
    (void)state;
    const unsigned before_source =
        ETI_PAGE_NO_SLICES | ETI_PAGE_NO_SAMPLES | ETI_PAGE_NO_LARGE_GRAPHS | ETI_PAGE_NO_SWAPPED;
    eti_report *report = make_page_report();
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_error err = ETI_ERROR_INIT;
    eti__page_add_view(&page, ETI_SWAPPED_VIEW, report);
    eti_buffer out = page_of(&page, report);
    assert_int_equal(count_of(&out, "\"diff_swapped\": "), 3); /* rows, columns, remarks */
    page.omissions = before_source;
    assert_ok(eti__page_make(&page, &out, &err));
    assert_int_equal(count_of(&out, "\"diff_swapped\": "), 0);
    assert_has(&out, "\"swapped comparison\"]");
    page.omissions = 0;
    page.options.max_size = out.size;
    assert_ok(eti__page_make(&page, &out, &err));
    assert_int_equal(page.omissions, before_source);
    eti__buffer_free(&out);
    eti__page_free(&page);
    eti_report_free(report);
}

/* Samples are left out before source; a page that is too large without both is an error. */
static void large_pages_lose_what_matters_least(void **state) {
    (void)state;
    eti_report *report = make_page_report();
    eti_page whole = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_buffer out = page_of(&whole, report);
    size_t size = out.size;
    for (size_t less = 1; less < 100; less++) {
        eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT, .write = &no_options};
        eti_error err = ETI_ERROR_INIT;
        page.options.max_size = size - less;
        eti__page_add_view(&page, "example", report);
        eti_status status = eti__page_make(&page, &out, &err);
        assert_true(page.omissions & ETI_PAGE_NO_SLICES);
        if (status == ETI_OK) {
            assert_true(out.size <= size - less);
            assert_has_no(&out, "[1.0, 2.0]");
        } else {
            assert_int_equal(status, ETI_ERROR_LIMIT);
            assert_int_equal(page.omissions, ETI_PAGE_NO_SLICES | ETI_PAGE_NO_SAMPLES |
                                                 ETI_PAGE_NO_LARGE_GRAPHS | ETI_PAGE_NO_SOURCE);
        }
        eti__page_free(&page);
    }
    eti__buffer_free(&out);
    eti__page_free(&whole);
    eti_report_free(report);
}

static void folders_can_be_left_out(void **state) {
    (void)state;
    static const char bytes[] = "x";
    eti_report *report = make_page_report();
    eti_error err = ETI_ERROR_INIT;
    eti_report_source source = {"etdump", {"/home/\"me\"/run.etdp", 19}, bytes, 1};
    report->sources = malloc(sizeof source);
    report->sources[0] = source;
    report->n_sources = 1;
    assert_ok(eti__report_note(report, &err, "/home/\"me\"/run.etdp is odd"));
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    eti_buffer out = page_of(&page, report);
    assert_has(&out, "/home/\\\"me\\\"/run.etdp");
    assert_has(&out, "<title>run.etdp \xc2\xb7 etinspect</title>");
    eti__buffer_free(&out);
    eti_page bare = {.options = ETI_PAGE_OPTIONS_DEFAULT};
    bare.options.no_paths = true;
    out = page_of(&bare, report);
    assert_has_no(&out, "/home");
    assert_has(&out, "\"path\": \"run.etdp\"");
    assert_has(&out, "\"text\": \"run.etdp is odd\"");
    eti__buffer_free(&out);
    eti_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_names_add_no_element),
        cmocka_unit_test(nothing_is_left_to_fill_in),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(large_pages_lose_what_matters_least),
        cmocka_unit_test(large_pages_lose_the_other_direction),
        cmocka_unit_test(folders_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
