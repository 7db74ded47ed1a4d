#include "table_text.h"

#include "support.h"

#include "table/filter.h"

#include <math.h>
#include <string.h>

/* ==== filter ================================================================================== */
/*
 * The expected rows are those of pandas' DataFrame.query() where it supports the expression; the positions of errors were
 * counted by hand.
 */

/* Table with every kind of cell: name, flag, time, share, count, list. */
static eti_table *make_rows(void) {
    const eti_column columns[] = {
        {.name = eti__text_of("name"), .kind = ETI_COLUMN_TEXT},
        {.name = eti__text_of("flag"), .kind = ETI_COLUMN_TEXT},
        {.name = eti__text_of("p50 (ms)"), .type = ETI_TYPE_FLOAT64, .kind = ETI_COLUMN_TIME},
        {.name = eti__text_of("share"), .type = ETI_TYPE_FLOAT64, .kind = ETI_COLUMN_SHARE},
        {.name = eti__text_of("count"), .kind = ETI_COLUMN_COUNT, .is_extra = true},
        {.name = eti__text_of("ops"), .kind = ETI_COLUMN_LIST, .is_extra = true},
    };
    static const double times[] = {0.1, 2.0};
    static const eti_text ops[] = {{"aten.add", 8}, {"it's", 4}};
    const eti_cell rows[][6] = {
        {TEXT("conv"),
         BOOL(true),
         DOUBLE(1.5),
         DOUBLE(0.25),
         INT(3),
         {.kind = ETI_CELL_TEXTS, .items = ops, .n_items = 2}},
        {TEXT("add"),
         BOOL(false),
         DOUBLE(0.02),
         DOUBLE(0.1),
         INT(-1),
         {.kind = ETI_CELL_DOUBLES, .items = times, .n_items = 2}},
        {TEXT("say \"x\""), NO_CELL, NO_CELL, NAN_CELL, INT(9007199254740993), LIST("[]")},
        {NO_CELL, BOOL(true), DOUBLE(NAN), DOUBLE(1.0), NO_CELL, NO_CELL},
    };
    eti_table *table;
    assert_int_equal(eti__table_new(&table, columns, 6, NULL), ETI_OK);
    for (size_t i = 0; i < COUNT(rows); i++)
        memcpy(eti__table_add_row(table), rows[i], sizeof rows[i]);
    return table;
}

typedef eti_status test_function(eti_filter *filter, const eti_cell *cells, bool *out,
                                 eti_error *err);

/* Checks the numbers of the rows for which the test of a filter is true, one digit each. */
static void assert_rows_of(test_function *test, const char *expression, const char *expected) {
    eti_table *table = make_rows();
    eti_filter *filter;
    eti_error err = ETI_ERROR_INIT;
    char found[8] = "";
    if (eti__filter_new(&filter, expression, table, ETI_SCALE_MS, &err) != ETI_OK)
        fail_msg("%s: %s at %zu", expression, err.message, err.position);
    for (size_t i = 0; i < table->n_rows; i++) {
        bool is_true;
        if (test(filter, table->cells + i * table->n_columns, &is_true, &err) != ETI_OK)
            fail_msg("%s: %s at %zu", expression, err.message, err.position);
        if (is_true)
            strcat(found, (char[]){(char)('0' + i), '\0'});
    }
    if (strcmp(found, expected) != 0)
        fail_msg("%s: rows %s, expected %s", expression, found, expected);
    eti__filter_free(filter);
    eti_table_free(table);
}

static void assert_rows(const char *expression, const char *expected) {
    assert_rows_of(eti__filter_test, expression, expected);
}

static void assert_undecided(const char *expression, const char *expected) {
    assert_rows_of(eti__filter_is_undecided, expression, expected);
}

static void numbers_are_compared(void **state) {
    (void)state;
    assert_rows("p50 > 1", "0");
    assert_rows("`p50 (ms)` > 1", "0");
    assert_rows("p50 <= 1.5", "01");
    assert_rows("p50 < .02", "");
    assert_rows("p50 >= 2e-2", "01");
    assert_rows("p50 == 20e-3", "1");
    assert_rows("p50 < 1e0", "1");
    assert_rows("p50 < 1E+1", "01");
    assert_rows("p50 < 2e0ms", "01");
    assert_rows("count == 3", "0");
    assert_rows("count = 3", "0");
    assert_rows("count != 3", "12");
    assert_rows("count < 0", "1");
    assert_rows("-1 == count", "1");
    assert_rows("1 < p50", "0");
    assert_rows("1.5 >= p50", "01");
    assert_rows("p50 > share", "0");
    assert_rows("count == count", "012");
}

static void units_become_those_of_the_table(void **state) {
    (void)state;
    assert_rows("p50 == 20us", "1");
    assert_rows("p50 == 20000ns", "1");
    assert_rows("p50 == 20\xc2\xb5s", "1");
    assert_rows("p50 == 20\xce\xbcs", "1");
    assert_rows("p50 >= 0.0015s", "0");
    assert_rows("p50 > 1ms", "0");
    assert_rows("share == 10%", "1");
    assert_rows("share > 24.9%", "03");
}

static void texts_are_compared(void **state) {
    (void)state;
    assert_rows("name == \"conv\"", "0");
    assert_rows("name == 'conv'", "0");
    assert_rows("name != 'conv'", "12");
    assert_rows("name < 'b'", "1");
    assert_rows("name >= 'conv'", "02");
    assert_rows("name == \"say \\\"x\\\"\"", "2");
    assert_rows("name == 'say \"x\"'", "2");
    assert_rows("ops == \"[0.1, 2.0]\"", "1");
    assert_rows("ops == '[]'", "2");
    assert_rows("name == ops", "");
    assert_rows("name != ops", "012");
    assert_rows("name = ''", "");
}

/* A filter, and whether it holds. */
typedef struct example {
    const char *expression;
    bool expected;
} example;

/* Checks filters of a row with one text. */
static void assert_examples(const char *name, eti_cell cell, const example *examples, size_t n) {
    const eti_column column = {.name = eti__text_of(name), .kind = ETI_COLUMN_TEXT};
    eti_table *table;
    assert_int_equal(eti__table_new(&table, &column, 1, NULL), ETI_OK);
    for (size_t i = 0; i < n; i++) {
        eti_filter *filter;
        bool is_true;
        assert_int_equal(
            eti__filter_new(&filter, examples[i].expression, table, ETI_SCALE_MS, NULL), ETI_OK);
        assert_int_equal(eti__filter_test(filter, &cell, &is_true, NULL), ETI_OK);
        if (is_true != examples[i].expected)
            fail_msg("%s", examples[i].expression);
        eti__filter_free(filter);
    }
    eti_table_free(table);
}

/* A filter takes the words of a text for people as well as the value that programs read. */
static void words_mean_their_values(void **state) {
    (void)state;
    static const example examples[] = {
        {"op = '(delegate, not logged)'", true},
        {"op = '(delegate overhead)'", true},
        {"op != '(delegate, not logged)'", false},
        {"op != '(delegate overhead)'", false},
        {"op =~ 'not logged'", true},
        {"op =~ 'overhead'", true},
        {"op !~ 'not logged'", false},
        {"op !~ 'overhead'", false},
        {"op = '(framework)'", false},
        {"op !~ 'conv'", true},
    };
    assert_examples("op", eti__string_cell("(delegate, not logged)"), examples, COUNT(examples));
}

/* So does a text with a label, which people see in its place. */
static void labels_mean_their_texts(void **state) {
    (void)state;
    static const example examples[] = {
        {"backend = 'XnnpackBackend'", true},
        {"backend = 'XNNPACK'", true},
        {"backend != 'XnnpackBackend'", false},
        {"backend != 'XNNPACK'", false},
        {"backend =~ '^Xnn'", true},
        {"backend =~ '^XNN'", true},
        {"backend !~ '^Xnn'", false},
        {"backend !~ '^XNN'", false},
        {"backend = 'CoreML'", false},
        {"backend !~ 'CoreML'", true},
        {"backend = ''", false},
        {"backend > 'XNNPACK'", true},
    };
    assert_examples("backend",
                    eti__named_cell(eti__text_of("XnnpackBackend"), eti__text_of("XNNPACK")),
                    examples, COUNT(examples));
}

static void patterns_are_extended_regular_expressions(void **state) {
    (void)state;
    assert_rows("name =~ 'o'", "0");
    assert_rows("name =~ '^(add|co.*)$'", "01");
    assert_rows("name !~ '^a'", "02");
    assert_rows("name =~ 'd{2}'", "1");
    assert_rows("name =~ '\"x\"'", "2");
    assert_rows("ops =~ 'aten\\.add'", "0");
    assert_rows("ops =~ \"it's\"", "0");
    assert_rows("name =~ ''", "012");
}

static void patterns_match_in_any_case(void **state) {
    (void)state;
    assert_rows("name =~ 'CONV'", "");
    assert_rows("name =~* 'CONV'", "0");
    assert_rows("name =~*'c[A-Z]NV'", "0");
    assert_rows("name !~* 'CONV'", "12");
    assert_rows("not name =~* 'Add'", "023");
    assert_rows("name =~ '(?i)CONV'", "0");
    assert_rows("name !~ '(?i)CONV'", "12");
    assert_rows("name =~* '(?i)CONV|aDd'", "01");
    assert_rows("name =~* '(?i)'", "012");
    assert_rows("name =~ 'conv' and name =~* 'CONV' and name !~ 'CONV'", "0");
    assert_rows("ops =~* 'ATEN\\.ADD'", "0");
}

static void flags_are_conditions(void **state) {
    (void)state;
    assert_rows("flag", "03");
    assert_rows("not flag", "12");
    assert_rows("flag == true", "03");
    assert_rows("flag == FALSE", "1");
    assert_rows("flag != true", "1");
    assert_rows("true == flag", "03");
}

static void missing_values_make_comparisons_false(void **state) {
    (void)state;
    assert_rows("p50 is none", "23");
    assert_rows("p50 is not none", "01");
    assert_rows("p50 == none", "23");
    assert_rows("none != p50", "01");
    assert_rows("name is missing", "3");
    assert_rows("share is none", "2");
    assert_rows("ops IS NONE", "3");
    assert_rows("p50 != 5", "01");
    assert_rows("not p50 == 5", "0123");
}

static void conditions_are_joined(void **state) {
    (void)state;
    assert_rows("p50 > 1 and flag", "0");
    assert_rows("p50 > 1 && name == 'add'", "");
    assert_rows("p50 > 1 or name == 'add'", "01");
    assert_rows("p50 > 1 || name == 'add'", "01");
    assert_rows("flag or name == 'add' and p50 > 1", "03"); /* and has higher precedence */
    assert_rows("(flag or name == 'add') and p50 > 0", "01");
    assert_rows("not (flag or name == 'add')", "2");
    assert_rows("!(flag or name == 'add')", "2");
    assert_rows("!flag and count > 0", "2");
    assert_rows("not not flag", "03");
    assert_rows("  ( ( flag ) )\t\n", "03");
    assert_rows("flag and flag and flag and not flag", "");
    assert_rows("not flag or not flag or flag", "0123");
}

static void missing_numbers_leave_expressions_undecided(void **state) {
    (void)state;
    assert_undecided("p50 > 1", "23");
    assert_undecided("not p50 > 1", "23");
    assert_undecided("1 > share", "2");
    assert_undecided("p50 < share", "23");
    assert_undecided("p50 is none or p50 > 1", "");
    assert_undecided("p50 is not none and p50 > 1", "");
    assert_undecided("p50 > 1 and share > 2", "2");
    assert_undecided("p50 > 1 or share == 1", "2");
    assert_undecided("share == 1 or p50 > 1", "2");
    assert_undecided("flag and not (p50 > 1)", "3");
    /* Only numbers of type float64 count, no texts, flags or counts. */
    assert_undecided("name == \"add\" or flag or count > 1", "");
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void assert_fails_in(eti_time_scale scale, const char *expression, size_t position,
                            const char *message) {
    eti_table *table = make_rows();
    eti_filter *filter;
    eti_error err = {.status = ETI_OK};
    eti_status status = eti__filter_new(&filter, expression, table, scale, &err);
    if (status == ETI_OK) {
        for (size_t i = 0; status == ETI_OK && i < table->n_rows; i++) {
            bool is_true;
            status = eti__filter_test(filter, table->cells + i * table->n_columns, &is_true, &err);
        }
        eti__filter_free(filter);
    } else {
        assert_null(filter);
    }
    assert_int_equal(status, ETI_ERROR_USAGE);
    if (strncmp(err.message, "filter: ", 8) != 0 || !strstr(err.message, message) ||
        err.position != position)
        fail_msg("%s: %s at %zu, expected %s at %zu", expression, err.message, err.position,
                 message, position);
    eti_table_free(table);
}

static void assert_filter_fails(const char *expression, size_t position, const char *message) {
    assert_fails_in(ETI_SCALE_MS, expression, position, message);
}

static void errors_of_syntax_say_where(void **state) {
    (void)state;
    assert_filter_fails(
        "", 1, "expected a column, a number, a text in quotes, true, false or none, found the end");
    assert_filter_fails("p50 >", 6, "found the end");
    assert_filter_fails("p50 > and", 7, "found and");
    assert_filter_fails("p50 > 1 flag", 9, "expected and, or, or the end, found flag");
    assert_filter_fails("p50 > 1 größe", 9, "expected and, or, or the end, found größe");
    assert_filter_fails("p50 > 3µg", 8, "found µg after it");
    assert_filter_fails("p50 1", 5, "expected a comparison");
    assert_filter_fails("flag 'x'", 6, "expected a comparison");
    assert_filter_fails("1", 2, "expected a comparison");
    assert_filter_fails("(p50 > 1", 1, "expected a ) to close this");
    assert_filter_fails("(p50 > 1 1", 10, "expected and, or, or )");
    assert_filter_fails("p50 > 1)", 8, "expected and, or, or the end, found )");
    assert_filter_fails("name == 'x", 9, "expected another '");
    assert_filter_fails("name == \"x\\\"", 9, "expected another \"");
    assert_filter_fails("`p50 > 1", 1, "expected another `");
    assert_filter_fails("p50 > 1.2.3", 10, "found .3 after it");
    assert_filter_fails("p50 > 1x", 8, "found x after it");
    assert_filter_fails("p50 > -", 7, "expected a number here");
    assert_filter_fails("p50 > 1e999", 7, "too large");
    assert_filter_fails("p50 is 3", 8, "expected none after is, found 3");
    assert_filter_fails("p50 is not", 11, "expected none after is, found the end");
    assert_filter_fails("p50 # 1", 5, "found #");
    assert_filter_fails("p50 > 1 \xc3\xa4", 9, "found \xc3\xa4");
    assert_filter_fails("not", 4, "found the end");
}

static void errors_of_kinds_say_where(void **state) {
    (void)state;
    assert_filter_fails("p5 > 1", 1, "there is no column p5: did you mean p50?");
    assert_filter_fails("p50 > nosuch", 7,
                        "there is no column nosuch; there are name, flag, p50, share");
    assert_filter_fails("1 > 2", 3, "expected a column on one side");
    assert_filter_fails("p50 == 'x'", 8, "p50 is a column of numbers: expected a number");
    assert_filter_fails("p50 == true", 8, "p50 is a column of numbers");
    assert_filter_fails("name == 1", 9, "name is not a column of numbers");
    assert_filter_fails("name == p50", 6, "name and p50 cannot be compared: only one of them");
    assert_filter_fails("p50", 1, "expected a comparison with a number");
    assert_filter_fails(
        "count > 5ms", 9,
        "count is a column of numbers without a unit: expected a number without one");
    assert_filter_fails("count > 5%", 9, "count is a column of numbers without a unit");
    assert_filter_fails(
        "p50 > 5%", 7,
        "p50 is a column of times: expected a number in ms, or one with a unit: ns, us, ms or s");
    assert_filter_fails("p50 > 5KiB", 7, "p50 is a column of times: expected a number in ms");
    assert_filter_fails("share > 5us", 9,
                        "share is a column of shares: expected a number such as 0.1, or one with "
                        "%, such as 10%");
    assert_filter_fails("count > 5KiB", 9, "count is a column of numbers without a unit");
    assert_filter_fails("p50 > 5kg", 8,
                        "ns, us, ms, s, %, B, KiB, MiB, GiB, kB, MB or GB; found kg");
    assert_filter_fails("count > 1e308GiB", 9, "this number is too large");
    assert_filter_fails("p50 < none", 5, "expected == or != before none");
    assert_filter_fails("flag < true", 6, "expected == or != before true or false");
    assert_filter_fails("p50 =~ 'x'", 1, "=~ and !~ apply to texts");
    assert_filter_fails("name =~ 3", 9, "expected a pattern in quotes");
    assert_filter_fails("'x' =~ name", 1, "expected a column before =~");
    assert_filter_fails("name =~ '('", 9, "not an extended regular expression");
    assert_filter_fails("name =~ 'x(?i)y'", 9, "not an extended regular expression");
    assert_filter_fails("name =~ '(?I)y'", 9, "not an extended regular expression");
    assert_filter_fails("name =~ * 'conv'", 9, "expected a column, a value or an operator");
    assert_filter_fails("name >* 'conv'", 7, "expected a column, a value or an operator");
    assert_filter_fails("p50 =~* 'x'", 1, "=~ and !~ apply to texts");
    assert_filter_fails("name =~* '(((a+)+)++++++++++++++++)'", 10, "repeats too much");
    assert_filter_fails("name =~ '(?i)(a)\\1'", 9, "before a digit");
    assert_filter_fails("name", 1, "name is not true or false");
    assert_filter_fails("name == true", 9, "name is not true or false");
    assert_filter_fails("flag == 'True'", 9, "flag is true or false");
    assert_fails_in(ETI_SCALE_CYCLES, "p50 > 1ms", 7, "times are shown in cycles");
}

static void patterns_are_bounded(void **state) {
    (void)state;
    assert_rows("name =~ '(d{1,100}){1,10}'", "1");
    assert_filter_fails("name =~ '((((((((a{1,255}){1,255}){255}))))))'", 9, "repeats too much");
    assert_filter_fails("name =~ '(((a+)+)++++++++++++++++)'", 9, "repeats too much");
    assert_filter_fails("name =~ '(a)\\1'", 9, "before a digit");
    assert_rows("name =~ 'a\\\\1'", "");
}

static void expressions_are_bounded(void **state) {
    (void)state;
    char deep[4300];
    memset(deep, '(', 64);
    strcpy(deep + 64, "flag");
    memset(deep + 68, ')', 64);
    deep[132] = '\0';
    assert_rows(deep, "03");
    memset(deep, '(', 65);
    strcpy(deep + 65, "flag");
    assert_filter_fails(deep, 65, "more than 64");
    memset(deep, ' ', sizeof deep);
    memcpy(deep, "flag", 4);
    deep[4096] = '\0';
    assert_rows(deep, "03");
    deep[4096] = ' ';
    deep[4097] = '\0';
    assert_filter_fails(deep, 4097, "more than 4096 bytes");
}

static void only_columns_of_the_expression_are_wanted(void **state) {
    (void)state;
    eti_table *table = make_rows();
    eti_filter *filter;
    assert_int_equal(eti__filter_new(&filter, "flag or p50 > share", table, ETI_SCALE_MS, NULL),
                     ETI_OK);
    const bool *wanted = eti__filter_wanted(filter);
    const bool expected[] = {false, true, true, true, false, false};
    assert_memory_equal(wanted, expected, sizeof expected);
    eti__filter_free(filter);
    eti_table_free(table);
}

/* ==== pattern ================================================================================= */
/* Patterns of filters: long texts are read once, with the results of regexec(), which searches them. */

#define LONG 300 /* bytes, more than are searched */

static bool matches(const char *source, eti_text text) {
    char reason[ETI_PATTERN_REASON];
    eti_pattern pattern;
    bool found;
    if (eti__pattern_compile(&pattern, eti__text_of(source), false, reason) != ETI_OK)
        fail_msg("%s: %s", source, reason);
    assert_int_equal(eti__pattern_test(&pattern, text, &found), ETI_OK);
    eti__pattern_free(&pattern);
    return found;
}

/* Returns whether regexec() finds the pattern. */
static bool is_found(const char *source, const char *text) {
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, source, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static void long_texts_match_as_short_ones(void **state) {
    (void)state;
    static const char *const sources[] = {
        "",        "conv",      "^conv",        "conv$",       "^conv$",      "a|b",
        "a|^b|c$", "(^|x)conv", "c.*t",         "conv.{3}out", "(co|nv)+x",   "[^c]o",
        "\\.",     "x{2}$",     "()",           "(a|)b",       "x*",          "\xc3\xa9",
        "^.",      "\n",        "o\\b",         "\\<out",      "[[:digit:]]", "^$",
        "v\xff",   "a||b",      "(conv|relu)$", "x\\$",        "\\bx",        "x(y|$)",
    };
    static const char *const ends[] = {
        "conv", "conv.out", "convabcout", "out",    "a",   "b",
        "b\n",  "\xc3\xa9", "v\377a",     "a|()^b", "x 1",
    };
    char text[LONG + 16];
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        for (size_t k = 0; k < COUNT_OF(ends) * 4; k++) {
            size_t filled = k % 2 ? LONG : 0;
            size_t before = k / 2 % 2 ? filled : 0;
            memset(text, 'x', sizeof text);
            size_t size = strlen(ends[k / 4]);
            memcpy(text + before, ends[k / 4], size);
            size = before == filled ? before + size : filled;
            text[size] = '\0';
            if (matches(sources[i], (eti_text){text, size}) != is_found(sources[i], text))
                fail_msg("%s in %s", sources[i], text);
        }
    }
}

static void case_is_ignored_in_long_texts(void **state) {
    (void)state;
    char text[LONG + 5];
    memset(text, 'x', LONG);
    memcpy(text + LONG, "CONV", 5);
    const eti_text long_text = {text, LONG + 4};
    assert_true(matches("(?i)xconv$", long_text));
    assert_false(matches("xconv$", long_text));
}

static void work_is_bounded(void **state) {
    (void)state;
    char reason[ETI_PATTERN_REASON];
    const size_t size = (size_t)1 << 20;
    eti_pattern pattern;
    bool found;
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memset(text, 'c', size);
    assert_int_equal(eti__pattern_compile(&pattern, eti__text_of("c.{200}Q"), false, reason),
                     ETI_OK);
    assert_int_equal(pattern.n_states, 1600);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text, size}, &found), ETI_ERROR_LIMIT);
    assert_false(found);
    /* the sets of states are freed before there are more than a text may have */
    const eti_text part = {text + size - 30000, 30000};
    const uint64_t work = 1600 * UINT64_C(30000);
    assert_int_equal(eti__pattern_test(&pattern, part, &found), ETI_OK);
    assert_int_equal(pattern.spent, work);
    assert_int_equal(eti__pattern_test(&pattern, part, &found), ETI_OK);
    assert_int_equal(pattern.spent, work);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text + size - 1000, 1000}, &found),
                     ETI_OK);
    assert_int_equal(pattern.spent, work + 1600 * UINT64_C(1000));
    eti__pattern_free(&pattern);
    /* a text that must be searched, in quadratic time */
    text[size - 1] = '\n';
    assert_int_equal(eti__pattern_compile(&pattern, eti__text_of("a|^b"), false, reason), ETI_OK);
    assert_int_equal(eti__pattern_test(&pattern, (eti_text){text, size}, &found), ETI_ERROR_LIMIT);
    eti__pattern_free(&pattern);
    free(text);
}

/* A search would start anew at each of the 1000000 bytes, and take hours. */
static void long_texts_are_read_once(void **state) {
    (void)state;
    const size_t n = 250000;
    char *text = calloc(n, 4);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + 4 * i, "conv", 4);
    text[4 * n - 1] = '\0';
    assert_false(matches("conv.*out", (eti_text){text, 4 * n - 1}));
    assert_false(matches("softmax|conv.*out$", (eti_text){text, 4 * n - 1}));
    assert_false(matches("(conv|relu)+x", (eti_text){text, 4 * n - 1}));
    free(text);
}

static void patterns_that_cannot_be_compiled_have_a_reason(void **state) {
    (void)state;
    static const char *const bad[] = {"a)|(b", "(", "a{65537}", "(a)\\1", "[a", "a\\"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char reason[ETI_PATTERN_REASON] = "";
        eti_pattern pattern;
        assert_int_equal(eti__pattern_compile(&pattern, eti__text_of(bad[i]), false, reason),
                         ETI_ERROR_USAGE);
        assert_memory_equal(reason, "this ", 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared),
        cmocka_unit_test(units_become_those_of_the_table),
        cmocka_unit_test(texts_are_compared),
        cmocka_unit_test(words_mean_their_values),
        cmocka_unit_test(labels_mean_their_texts),
        cmocka_unit_test(patterns_are_extended_regular_expressions),
        cmocka_unit_test(patterns_match_in_any_case),
        cmocka_unit_test(flags_are_conditions),
        cmocka_unit_test(missing_values_make_comparisons_false),
        cmocka_unit_test(conditions_are_joined),
        cmocka_unit_test(missing_numbers_leave_expressions_undecided),
        cmocka_unit_test(errors_of_syntax_say_where),
        cmocka_unit_test(errors_of_kinds_say_where),
        cmocka_unit_test(patterns_are_bounded),
        cmocka_unit_test(expressions_are_bounded),
        cmocka_unit_test(only_columns_of_the_expression_are_wanted),
        cmocka_unit_test(long_texts_match_as_short_ones),
        cmocka_unit_test(case_is_ignored_in_long_texts),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(long_texts_are_read_once),
        cmocka_unit_test(patterns_that_cannot_be_compiled_have_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
