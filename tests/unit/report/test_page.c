#include "page_fixture.h"

#include "support.h"

#include "inspector_fixture.h"

#include "folder_fixture.h"

#include "account/account.h"
#include "report/data.h"
#include "report/page.h"
#include "report/page_text.h"
#include "report/report.h"

/* ==== page ==================================================================================== */

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
    /* in a script, <img is text */
    assert_int_equal(count_of(&out, "<img"),
                     count_of(&out, "<\\/script><img src=x onerror=alert(1)>"));
    assert_int_equal(count_of(&out, "</script>"), 2);
    assert_int_equal(count_of(&out, "<script"), 2);
    assert_has_no(&out, "<!--");
    assert_has(&out, "<\\/script><img src=x onerror=alert(1)>\\u003c!--");
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
    assert_true(out.size <= 100000);
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

/* ==== html text =============================================================================== */
/* The hashes were made by openssl and base64 from the same bytes. */

static void check_text(const char *text, size_t size, const char *expected) {
    eti_buffer out = {0};
    eti__html_add_text(&out, (eti_text){text, size});
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define CHECK_TEXT(text, expected) check_text(text, sizeof(text) - 1, expected)

static void markup_becomes_references(void **state) {
    (void)state;
    CHECK_TEXT("a.b", "a.b");
    CHECK_TEXT("</title><img src=x onerror='a(\"b\")'>&amp;",
               "&lt;/title&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;amp;");
    CHECK_TEXT("two\nlines", "two\nlines");
}

static void what_acts_is_spelled_out(void **state) {
    (void)state;
    CHECK_TEXT("a\xe2\x80\xae"
               "b\x1b[0m",
               "a\\u202eb\\x1b[0m");
    CHECK_TEXT("a\0b", "a\\x00b");
    CHECK_TEXT("\xff\xc3\xa9", "\xef\xbf\xbd\xc3\xa9");
}

static void json_ends_no_element(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__html_add_json(&out,
                       eti__text_of("{\"</script><!--\": \"<\", \"<script><SCRIPT\": \"<</<b>\"}"));
    assert_text(eti__buffer_text(&out), "{\"<\\/script>\\u003c!--\": \"<\", "
                                        "\"\\u003cscript>\\u003cSCRIPT\": \"<<\\/<b>\"}");
    out.size = 0;
    eti__html_add_json(&out, eti__text_of("<"));
    assert_text(eti__buffer_text(&out), "<");
    eti__buffer_free(&out);
}

static void hashes_are_those_of_a_policy(void **state) {
    (void)state;
    char hash[ETI_CSP_HASH_SIZE + 1];
    eti__html_csp_hash("", 0, hash);
    assert_string_equal(hash, "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    eti__html_csp_hash("alert(1)", 8, hash);
    assert_string_equal(hash, "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
}

/* ==== html ==================================================================================== */

static void any_report_becomes_a_page(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_report *report = make_page_report();
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "<!doctype html>");
    assert_has(&out, "\"tables\": {\n\"example\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has_no(&out, "\"on_request\"");
    eti__buffer_free(&out);
    eti_report_free(report);
}

/* Measured values surround the comparison, whose text is for readers without scripts. */
static void comparisons_are_on_the_page_of_the_new_side(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .name = "native_call_a.out", .start_time = 10, .end_time = 20))),
        NULL);
    eti_report *report = make_page_report();
    report->measured = s.inspector;
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "\"tables\": {\n\"example\": {");
    assert_has(&out, "\"events\": {\n\"events\": [\n{\"block\": \"Execute\"");
    assert_has(&out, "\"slices\": {\"n_runs\": 1");
    assert_has(&out, "\"tree\": \"needs the ETRecord of the export\"");
    assert_has(&out, " against example \xc2\xb7 etinspect</title>");
    eti__buffer_free(&out);
    eti_report_free(report);
    close_session(&s);
}

static eti_status swap_sides(eti_report **out, const void *context, eti_error *err) {
    const eti_status *status = context;
    if (*status != ETI_OK)
        return eti_fail(err, *status, "the sides cannot be exchanged");
    *out = make_page_report();
    return ETI_OK;
}

static void a_comparison_is_there_in_both_directions(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_status status = ETI_OK;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has(&out, "\"example\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has(&out, "\"diff_swapped\": {\n\"things\": [\n{\"op\": \"add\", ");
    assert_has(&out,
               "\"diff_swapped\": [\n{\"table\": \"things\", \"text\": \"remark of things\"}");
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void without_the_other_direction_the_page_says_why(void **state) {
    (void)state;
    const eti_write_options options = {.no_sha256 = true};
    eti_status status = ETI_ERROR_DATA;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    eti_buffer out = write_to_buffer(report, "html", &options);
    assert_has_no(&out, "\"diff_swapped\": {");
    assert_has(&out, "\"absent\": {\"diff_swapped\": \"the sides cannot be exchanged\"}");
    eti__buffer_free(&out);
    eti_report_free(report);
}

static bool ignore(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return true;
}

static void other_failures_of_the_other_direction_are_failures(void **state) {
    (void)state;
    eti_status status = ETI_ERROR_MEMORY;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_page_report();
    report->swap = (eti_swap){swap_sides, &status};
    assert_int_equal(eti__report_write(report, "html", NULL, ignore, NULL, &err), ETI_ERROR_MEMORY);
    assert_string_equal(err.message, "the sides cannot be exchanged");
    eti_report_free(report);
}

static void html_files_are_pages(void **state) {
    (void)state;
    const char *format;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__format_choose(&format, NULL, "a/x.HTML", "text", &err));
    assert_string_equal(format, "html");
}

/* ==== inspector page ========================================================================== */

static const eti_view_options as_usual = ETI_VIEW_OPTIONS_DEFAULT;
static const eti_page_options inspector_page_whole = ETI_PAGE_OPTIONS_DEFAULT;

static void open_run(session *s) {
    builder *b = &s->b;
    open_session(
        s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .name = "native_call_a.out", .start_time = 10, .end_time = 20),
                    TIMED(b, .name = "Method::execute", .start_time = 5, .end_time = 30))),
        NULL);
}

/* The caller frees it. */
static char *read_page(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void views_without_an_answer_say_why(void **state) {
    (void)state;
    session s = {0};
    const char *path = in_folder("page.html");
    eti_error err = ETI_ERROR_INIT;
    open_run(&s);
    assert_ok(eti__inspector_page_save(s.inspector, path, &as_usual, &inspector_page_whole,
                                       &no_options, NULL, &err));
    char *text = read_page(path);
    assert_non_null(strstr(text, "\n\"summary\": {\n\"headline\": [\n"));
    assert_non_null(strstr(text, "\n\"events\": {\n\"events\": [\n{\"block\": \"Execute\""));
    assert_non_null(strstr(text, "\n\"samples\": {\n\"events\": [\n"));
    assert_non_null(strstr(text, "\"tree\": \"needs the ETRecord of the export\""));
    assert_non_null(strstr(text, "\"kernels\": \"needs the shapes of the tensors of kernels\""));
    assert_non_null(strstr(text, "\"memory\": \"needs the program (.pte)\""));
    free(text);
    assert_int_equal(unlink(path), 0);
    close_session(&s);
}

static void a_page_that_fails_leaves_no_file(void **state) {
    (void)state;
    session s = {0};
    const char *path = in_folder("none.html");
    eti_error err = ETI_ERROR_INIT;
    eti_page_options small = inspector_page_whole;
    eti_view_options no_block = as_usual;
    small.max_size = 1000;
    no_block.block = "nothing";
    open_run(&s);
    assert_int_equal(
        eti__inspector_page_save(s.inspector, path, &as_usual, &small, &no_options, NULL, &err),
        ETI_ERROR_LIMIT);
    assert_int_equal(eti__inspector_page_save(s.inspector, path, &no_block, &inspector_page_whole,
                                              &no_options, NULL, &err),
                     ETI_ERROR_USAGE);
    assert_false(is_there(path));
    close_session(&s);
}

static int run_inspector_page(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_without_an_answer_say_why),
        cmocka_unit_test(a_page_that_fails_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_names_add_no_element),
        cmocka_unit_test(nothing_is_left_to_fill_in),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(large_pages_lose_what_matters_least),
        cmocka_unit_test(large_pages_lose_the_other_direction),
        cmocka_unit_test(folders_can_be_left_out),
        cmocka_unit_test(markup_becomes_references),
        cmocka_unit_test(what_acts_is_spelled_out),
        cmocka_unit_test(json_ends_no_element),
        cmocka_unit_test(hashes_are_those_of_a_policy),
        cmocka_unit_test(any_report_becomes_a_page),
        cmocka_unit_test(comparisons_are_on_the_page_of_the_new_side),
        cmocka_unit_test(a_comparison_is_there_in_both_directions),
        cmocka_unit_test(without_the_other_direction_the_page_says_why),
        cmocka_unit_test(other_failures_of_the_other_direction_are_failures),
        cmocka_unit_test(html_files_are_pages),
    };
    return run_inspector_page() + cmocka_run_group_tests(tests, NULL, NULL);
}
