/* Makes copies of tables for terminals and spreadsheets. */
#include "table/untrusted.h"

#include "support.h"
#include "table_cell.h"

static eti_table *new_table(void) {
    const eti_column columns[] = {{.name = {"first", 5}}, {.name = {"second", 6}}};
    eti_table *table = NULL;
    assert_int_equal(eti__table_new(&table, columns, 2, NULL), ETI_OK);
    return table;
}

static void assert_visible(eti_text text, const char *expected) {
    eti_table *table = new_table(), *visible = NULL;
    eti_cell *cells = eti__table_add_row(table);
    cells[0] = (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
    cells[1] = (eti_cell){.kind = ETI_CELL_INT, .as_int = 7};
    table->index_column = true;
    assert_int_equal(eti__table_make_visible(&visible, table, NULL), ETI_OK);
    assert_true(visible->index_column);
    assert_int_equal(eti_table_row_count(visible), 1);
    assert_true(eti__text_is(eti_table_column_name(visible, 0), "first"));
    assert_true(eti__text_is(table_cell(visible, 0, 0).as_text, expected));
    assert_int_equal(table_cell(visible, 0, 1).as_int, 7);
    assert_true(eti__text_equal(table_cell(table, 0, 0).as_text, text));
    eti_table_free(visible);
    eti_table_free(table);
}

static void control_characters_are_spelled_out(void **state) {
    (void)state;
    assert_visible((eti_text){"plain \303\251", 8}, "plain \303\251");
    assert_visible((eti_text){"\033[31mred\033[0m", 12}, "\\x1b[31mred\\x1b[0m");
    assert_visible((eti_text){"a\tb\rc\0d\177", 8}, "a\\x09b\\x0dc\\x00d\\x7f");
    assert_visible((eti_text){"\302\2332J\302\240", 6}, "\\x9b2J\302\240");
    assert_visible((eti_text){"two\nlines", 9}, "two\nlines");
}

static void direction_marks_are_spelled_out(void **state) {
    (void)state;
    assert_visible((eti_text){"\342\200\256gnp.exe", 10}, "\\u202egnp.exe");
    assert_visible((eti_text){"a\342\201\246b\330\234", 6 + 1}, "a\\u2066b\\u061c");
}

static void lines_marks_and_units_have_a_form_in_ascii(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"12.5 \302\265s", "12.5 us"},
        {"47 \302\260C", "47 C"},
        {"a \342\200\223 b \342\200\224 c\342\200\246", "a - b - c..."},
        {"\342\224\234\342\224\200 x\342\200\240", "|- x*"},
        {"\342\224\202  \342\224\224\342\224\200 y", "|  `- y"},
        {"\303\251", "\\xe9"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        eti_buffer out = {0};
        eti__add_visible(&out, eti__text_of(texts[i][0]), ETI_VISIBLE_ASCII);
        assert_true(eti__text_is(eti__buffer_text(&out), texts[i][1]));
        eti__buffer_free(&out);
    }
}

/* `safe` NULL: the text is unchanged. */
static void assert_defused(const char *text, const char *safe) {
    for (int kind = 0; kind < 2; kind++) {
        eti_table *table = new_table(), *copy = NULL;
        eti_cell *cells = eti__table_add_row(table);
        cells[0].kind = kind ? ETI_CELL_TEXT : ETI_CELL_LIST;
        cells[0].as_text = eti__text_of(text);
        cells[1] = (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = -1.5};
        assert_int_equal(eti_table_defuse_formulas(&copy, table, NULL), ETI_OK);
        assert_text(table_cell(copy, 0, 0).as_text, safe ? safe : text);
        assert_true(table_cell(copy, 0, 1).as_double == -1.5);
        eti_table_free(copy);
        eti_table_free(table);
    }
}

static void formulas_are_defused(void **state) {
    (void)state;
    assert_defused("=1+1", "'=1+1");
    assert_defused("+1", "'+1");
    assert_defused("-1", "'-1");
    assert_defused("@SUM(A1)", "'@SUM(A1)");
    assert_defused("\357\274\235"
                   "1",
                   "'\357\274\235"
                   "1"); /* the wide = */
    assert_defused("  \302\240=1", "  \302\240'=1");
    assert_defused("\t=1", "\t'=1");
    assert_defused("|cmd", "'|cmd");
    assert_defused("%cmd", "'%cmd");
    assert_defused("-2", "'-2");
}

/* Quotes, blanks of all kinds, and invisible characters. */
static void formulas_behind_what_is_taken_off_are_defused(void **state) {
    (void)state;
    static const char *const before[] = {
        "\"",           "'",
        "\"\" ",        "\x01",
        "\xc2\xa0",     "\xc2\xad",
        "\xe1\x9a\x80", "\xe1\xa0\x8e",
        "\xe2\x80\x80", "\xe2\x80\x8a",
        "\xe2\x80\x8b", "\xe2\x80\x8d",
        "\xe2\x80\x8e", "\xe2\x80\xa8",
        "\xe2\x80\xae", "\xe2\x80\xaf",
        "\xe2\x81\x9f", "\xe2\x81\xa0",
        "\xe3\x80\x80", "\xe3\x85\xa4",
        "\xef\xbb\xbf", "\xef\xb8\x8f",
        "\xef\xbe\xa0", "\xf3\xa0\x80\xa1",
        "\xcc\x81",
    };
    static const char *const signs[] = {"=",
                                        "+",
                                        "-",
                                        "@",
                                        "\xef\xbc\x9d",
                                        "\xef\xbc\x8b",
                                        "\xef\xbc\x8d",
                                        "\xef\xbc\xa0",
                                        "\xe2\x88\x92",
                                        "\xef\xb9\xa6"};
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        for (size_t k = 0; k < COUNT_OF(signs); k++) {
            char text[32], safe[32];
            snprintf(text, sizeof text, "%s%s1+1", before[i], signs[k]);
            snprintf(safe, sizeof safe, "%s'%s1+1", before[i], signs[k]);
            assert_defused(text, safe);
        }
    }
}

static void numbers_in_lists_stay(void **state) {
    (void)state;
    assert_defused("[1, -2, +3.5e7,-4]", NULL);
    assert_defused("(1,-2)", NULL);
    assert_defused("a, -2+cmd", "a, '-2+cmd");
    assert_defused("a, -2 =cmd", "a, '-2 =cmd");
    assert_defused("a, -", "a, '-");
    assert_defused("[1, =2]", "[1, '=2]");
}

static void formulas_further_on_are_defused(void **state) {
    (void)state;
    assert_defused("a\r=1", "a\r'=1");
    assert_defused("a\n =1\n-2", "a\n '=1\n'-2");
    assert_defused("a;=cmd;b", "a;'=cmd;b");
    assert_defused("a,=cmd,b", "a,'=cmd,b");
    assert_defused("a|=cmd", "a|'=cmd");
    assert_defused("a\"=cmd\"", "a\"'=cmd\"");
    assert_defused("a,\"\xe3\x80\x80=cmd", "a,\"\xe3\x80\x80'=cmd");
}

static void other_texts_stay(void **state) {
    (void)state;
    assert_defused("", NULL);
    assert_defused("aten.add-1=2", NULL);
    assert_defused("['a', 'b']", NULL);
    assert_defused("\303\274=", NULL);
    assert_defused("it's -1", NULL);
    assert_defused("a|b%c", NULL);
    assert_defused("a =1", NULL); /* the blank is not a leading one */
    assert_defused("a \302\240 -1", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_spelled_out),
        cmocka_unit_test(direction_marks_are_spelled_out),
        cmocka_unit_test(lines_marks_and_units_have_a_form_in_ascii),
        cmocka_unit_test(formulas_are_defused),
        cmocka_unit_test(formulas_behind_what_is_taken_off_are_defused),
        cmocka_unit_test(numbers_in_lists_stay),
        cmocka_unit_test(formulas_further_on_are_defused),
        cmocka_unit_test(other_texts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
