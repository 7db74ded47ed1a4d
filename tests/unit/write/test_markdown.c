#include "report_text.h"

#include "support.h"

#include "write/markdown.h"

/* ==== markdown ================================================================================ */
/* The expected texts were written by hand from GitHub's specification of tables. */

static const eti_column columns[] = {
    {.name = {"op", 2}},
    {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE, .is_extra = true},
    {.name = {"raw", 3}, .kind = ETI_COLUMN_LIST},
};

static void test_tables(void **state) {
    (void)state;
    const eti_cell cells[] = {
        TEXT("aten.add_x.out"),
        INT(1234),
        DOUBLE(1.5),
        DOUBLE(0.25),
        DOUBLES(1, 2),
        NO_CELL,
        INT(5),
        NAN_CELL,
        DOUBLE(1),
        NO_CELL,
        BOOL(true),
        NO_CELL,
        DOUBLE(22),
        DOUBLE(0),
        LIST("[]"),
    };
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    assert_ok(eti__report_note(report, &err, "one *two*"));
    assert_ok(eti__report_note(report, &err, "three"));
    assert_ok(
        eti__report_add(report, "more", "More of it", make_typed_table(columns, 2, NULL, 0), &err));
    assert_report(report, "markdown", NULL,
                  "| op | n | p50 (ms) | raw |\n"
                  "| --- | ---: | ---: | --- |\n"
                  "| aten.add_x.out | 1,234 | 1.500 | [1.0, 2.0] |\n"
                  "|  | 5 | - |  |\n"
                  "| yes | - | 22.000 | [] |\n"
                  "\n"
                  "- one &#42;two&#42;\n"
                  "- three\n"
                  "\n"
                  "### More of it\n"
                  "\n"
                  "| op | n |\n"
                  "| --- | ---: |\n");
    eti_report_free(report);
}

static void test_marks(void **state) {
    (void)state;
    static const eti_column marked[] = {
        {.name = {"ratio", 5}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"is_relative", 11}, .kind = ETI_COLUMN_MARK},
        {.name = {"change", 6}, .kind = ETI_COLUMN_CHANGE},
    };
    const eti_cell cells[] = {DOUBLE(1.2), BOOL(true), DOUBLE(0.3),
                              DOUBLE(0.9), NO_CELL,    DOUBLE(-0.1)};
    eti_report *report = make_report(marked, 3, cells, 6);
    assert_report(report, "markdown", NULL,
                  "| ratio |  | change |\n"
                  "| ---: | --- | ---: |\n"
                  "| 1.200 | \\* | +30.0% |\n"
                  "| 0.900 |  | -10.0% |\n");
    eti_report_free(report);
}

static void marks_of_two_meanings_differ(void **state) {
    (void)state;
    static const eti_column marked[] = {
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
        {.name = {"unsteady", 8}, .kind = ETI_COLUMN_MARK},
        {.name = {"bound", 5}, .kind = ETI_COLUMN_SHARE},
        {.name = {"is_loop", 7}, .kind = ETI_COLUMN_MARK},
    };
    const eti_cell cells[] = {DOUBLE(0.5), BOOL(true), DOUBLE(0.3), BOOL(true)};
    eti_report *report = make_report(marked, 4, cells, 4);
    assert_report(report, "markdown", NULL,
                  "| share |  | bound |  |\n"
                  "| ---: | --- | ---: | --- |\n"
                  "| 50.0% | \\* | 30.0% | \342\200\240 |\n");
    eti_report_free(report);
}

static void test_series(void **state) {
    (void)state;
    static const double values[] = {1, 1, 1.5, 2};
    static const eti_column of_series[] = {
        {.name = {"series", 6}, .type = ETI_TYPE_LIST_FLOAT64, .kind = ETI_COLUMN_SERIES}};
    const eti_cell line[] = {{.kind = ETI_CELL_DOUBLES, .items = values, .n_items = 4}};
    eti_report *report = make_report(of_series, 1, line, 1);
    assert_report(report, "markdown", NULL,
                  "| series |\n"
                  "| --- |\n"
                  "| ▁▁▅█ |\n");
    eti_report_free(report);
}

/* A name stays in one cell, as plain text. */
static void test_injection(void **state) {
    (void)state;
    static const struct {
        eti_cell cell;
        const char *expected;
    } examples[] = {
        {TEXT("a|b"), "a&#124;b"},
        {TEXT("a\nb\r\nc"), "a b  c"},
        {TEXT("<script>"), "&#60;script&#62;"},
        {TEXT("@user"), "<span>&#64;</span>user"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        eti_report *report = make_report(columns, 1, &examples[i].cell, 1);
        eti_buffer expected = {0};
        eti__buffer_printf(&expected, "| op |\n| --- |\n| %s |\n", examples[i].expected);
        eti__buffer_add_char(&expected, '\0');
        assert_report(report, "markdown", NULL, expected.data);
        eti__buffer_free(&expected);
        eti_report_free(report);
    }
}

/* ==== markdown text =========================================================================== */
/* The expected texts were rendered with cmark-gfm: the name is shown, and no element of its own contains a part of it that
 * GitHub or GitLab would interpret. */

typedef struct example {
    const char *text, *expected; /* NULL: the text itself */
} example;

static void assert_examples(const example *examples, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const example *e = &examples[i];
        eti_buffer out = {0};
        eti__markdown_add_text(&out, eti__text_of(e->text));
        assert_text(eti__buffer_text(&out), e->expected ? e->expected : e->text);
        eti__buffer_free(&out);
    }
}

static void names_stay_readable(void **state) {
    (void)state;
    static const example examples[] = {
        {"", NULL},
        {"aten::add_x.out [a, b] (2 total)", NULL},
        {"[1.0, -2.5]", NULL},
        {"native_call_addmm.out", NULL},
        {"5 % of 3 - a = b + c!", NULL},
        {"op:p50 ns::f a: b", NULL},
        {"\xc3\xbc\xe2\x80\xa0", NULL},
    };
    assert_examples(examples, COUNT_OF(examples));
}

static void marks_are_characters(void **state) {
    (void)state;
    static const example examples[] = {
        {"&lt;", "&#38;lt;"},
        {"`x`", "&#96;x&#96;"},
        {"![a](b)", "![a&#93;(b)"},
        {"\\|", "&#92;&#124;"},
        {"_a_b_", "&#95;a_b&#95;"},
        {"a__b--c", "a&#95;&#95;b--c"},
        {"[a]: b", "&#91;a&#93;: b"},
        {"a [^1]: b", "a [^1&#93;: b"},
        {"~~x~~", "&#126;<span>&#126;</span>x&#126;&#126;"},
        {"$x$", "&#36;x&#36;"},
        {"# x", "&#35; x"},
        {"\033[31m\xe2\x80\xae", "&#32;[31m "},
        {"bad\xff", "bad\xef\xbf\xbd"},
    };
    assert_examples(examples, COUNT_OF(examples));
}

static void lines_begin_with_text(void **state) {
    (void)state;
    static const example examples[] = {
        {"+ a", "&#43; a"},
        {"- a - b", "&#45; a - b"},
        {"=== 1", "&#61;== 1"},
        {"12. a 3. b", "12&#46; a 3. b"},
        {"1) a", "1&#41; a"},
        {"1.5", NULL},
        {"2.", "2&#46;"},
        {"2)\t", "2&#41; "},
        {"[x] a", "&#91;x] a"},
        {"[ ] a", "&#91; ] a"},
        {"/close /x", "&#47;close /x"},
        {"     a", "&#32;    a"},
        {"\n    a", "&#32;    a"},
    };
    assert_examples(examples, COUNT_OF(examples));
}

#define HASH "0123456789abcdefABCDef0123456789abcdef01"

static void nobody_is_called_and_nothing_is_linked(void **state) {
    (void)state;
    static const example examples[] = {
        {"@user", "<span>&#64;</span>user"},
        {"@org/team", "<span>&#64;</span>org/team"},
        {"a@b.org", "a<span>&#64;</span>b.org"},
        {"mailto:a@b.org", "mailto:a<span>&#64;</span>b.org"},
        {"x#123", "x<span>&#35;</span>123"},
        {"&#64;user", "&#38;<span>&#35;</span>64;user"},
        {"GH-12 gh-x", "GH<span>-</span>12 gh-x"},
        {"!1 %a ~b $2 &3", "<span>!</span>1 <span>%</span>a <span>&#126;</span>b "
                           "<span>&#36;</span>2 <span>&#38;</span>3"},
        {"%\"a b\"", "<span>%</span>\"a b\""},
        {"http://x.org", "http<span>:</span>//x.org"},
        {"www.x.org", "www<span>.</span>x.org"},
        {"WWW.x.org", "WWW<span>.</span>x.org"},
        {"[a](http://b)", "&#91;a&#93;(http<span>:</span>//b)"},
        {"[[a]]", "<span>[</span>[a]]"},
        {"x.py:100:12", "x.py<span>:</span>100:12"},
        {":+1::a_b:", "<span>:</span>+1:<span>:</span>a_b:"},
        {"org/repo@" HASH, "org/repo<span>&#64;</span>" HASH},
        {"commit=" HASH, NULL}, /* a link to a commit of this repository */
    };
    assert_examples(examples, COUNT_OF(examples));
}

/* The search for the end of an emoji takes negligible time. */
static void colons_are_no_trap(void **state) {
    (void)state;
    const size_t size = 1 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'a', size);
    for (size_t i = 0; i < size; i += 2)
        text[i] = ':';
    eti_buffer out = {0};
    eti__markdown_add_text(&out, (eti_text){text, size});
    assert_false(out.failed);
    assert_true(out.size > size);
    eti__buffer_free(&out);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(marks_of_two_meanings_differ),
        cmocka_unit_test(test_injection),
        cmocka_unit_test(names_stay_readable),
        cmocka_unit_test(marks_are_characters),
        cmocka_unit_test(lines_begin_with_text),
        cmocka_unit_test(nobody_is_called_and_nothing_is_linked),
        cmocka_unit_test(colons_are_no_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
