#include "folder_fixture.h"
#include "inspector_fixture.h"

#include "report/inspector_page.h"

static const eti_view_options as_usual = ETI_VIEW_OPTIONS_DEFAULT;
static const eti_page_options whole = ETI_PAGE_OPTIONS_DEFAULT;
static const eti_write_options no_options = {.no_sha256 = true};

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
    assert_ok(
        eti__inspector_page_save(s.inspector, path, &as_usual, &whole, &no_options, NULL, &err));
    char *text = read_page(path);
    assert_non_null(strstr(text, "\n\"summary\": {\n\"facts\": [\n"));
    assert_non_null(strstr(text, "\n\"events\": {\n\"events\": [\n{\"block\": \"Execute\""));
    assert_non_null(strstr(text, "\n\"samples\": {\n\"events\": [\n"));
    assert_non_null(strstr(text, "\"tree\": \"needs the ETRecord of the export\""));
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
    eti_page_options small = whole;
    eti_view_options no_block = as_usual;
    small.max_size = 1000;
    no_block.block = "nothing";
    open_run(&s);
    assert_int_equal(
        eti__inspector_page_save(s.inspector, path, &as_usual, &small, &no_options, NULL, &err),
        ETI_ERROR_LIMIT);
    assert_int_equal(
        eti__inspector_page_save(s.inspector, path, &no_block, &whole, &no_options, NULL, &err),
        ETI_ERROR_USAGE);
    assert_false(is_there(path));
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_without_an_answer_say_why),
        cmocka_unit_test(a_page_that_fails_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
