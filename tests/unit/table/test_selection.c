/*
 * Selects rows and columns of tables. The TSV is the one that pandas' to_csv(sep="\t") makes of the same DataFrame after
 * sort_values(), head() and [columns].
 */
#include "table_cell.h"
#include "table_text.h"

#include <string.h>

#define N_COLUMNS 5

/* name, time, number, extra list, mixed */
static void set_row(eti_cell *cells, size_t row) {
    static const uint64_t starts[] = {1, 18446744073709551615u};
    static const int64_t handles[] = {-1, 2};
    static const double raw[] = {0.1, 2.0, 1e16};
    static const eti_text names[] = {{"a", 1}, {"b'", 2}, {NULL, 0}};
    const eti_cell rows[][N_COLUMNS] = {
        {TEXT("b"),
         DOUBLE(2.0),
         INT(9007199254740993),
         {.kind = ETI_CELL_UINTS, .items = starts, .n_items = 2},
         INT(10)},
        {TEXT("a"),
         DOUBLE(1.0),
         INT(9007199254740992),
         {.kind = ETI_CELL_INTS, .items = handles, .n_items = 2},
         TEXT("10")},
        {TEXT("b"),
         NO_CELL,
         INT(-5),
         {.kind = ETI_CELL_DOUBLES, .items = raw, .n_items = 3},
         NO_CELL},
        {TEXT("B"),
         DOUBLE(-0.5),
         INT(INT64_MIN),
         {.kind = ETI_CELL_TEXTS, .items = names, .n_items = 3},
         DOUBLE(2.5)},
        {TEXT(""),
         DOUBLE(1.0),
         INT(0),
         {.kind = ETI_CELL_DOUBLES, .items = NULL, .n_items = 0},
         BOOL(true)},
    };
    memcpy(cells, rows[row], sizeof rows[row]);
}

/* Makes a row on request, with only the wanted columns. */
static bool make_row(const void *context, size_t row, eti_row *out) {
    (void)context;
    eti_cell cells[N_COLUMNS];
    set_row(cells, row);
    for (size_t i = 0; i < out->n_wanted; i++) {
        if (!out->wanted || out->wanted[i])
            out->cells[i] = cells[i];
    }
    return true;
}

static void free_nothing(void *context) {
    (void)context;
}

static eti_table *make_rows(bool stored) {
    const eti_column columns[N_COLUMNS] = {
        {.name = eti__text_of("name"), .kind = ETI_COLUMN_TEXT},
        {.name = eti__text_of("time (ms)"), .kind = ETI_COLUMN_TIME, .help = "how long"},
        {.name = eti__text_of("n"), .kind = ETI_COLUMN_NUMBER},
        {.name = eti__text_of("list"), .kind = ETI_COLUMN_LIST, .is_extra = true},
        {.name = eti__text_of("mixed"), .kind = ETI_COLUMN_TEXT, .is_extra = true},
    };
    eti_table *table;
    if (stored) {
        assert_int_equal(eti__table_new(&table, columns, N_COLUMNS, NULL), ETI_OK);
        for (size_t i = 0; i < 5; i++)
            set_row(eti__table_add_row(table), i);
    } else {
        eti_row_source source = {make_row, free_nothing, NULL};
        assert_int_equal(eti__table_new_made(&table, columns, N_COLUMNS, 5, source, NULL), ETI_OK);
    }
    table->index_column = true;
    return table;
}

static eti_report *make_report(bool stored) {
    eti_report *report;
    assert_int_equal(eti__report_new(&report, "events", ETI_SCALE_MS, NULL), ETI_OK);
    assert_int_equal(eti__report_add(report, "events", NULL, make_rows(stored), NULL), ETI_OK);
    return report;
}

static void assert_report(const eti_report *report, const char *expected) {
    eti_buffer found = {0};
    eti_error err = ETI_ERROR_INIT;
    if (eti__report_write(report, "tsv", NULL, keep_output, &found, &err) != ETI_OK)
        fail_msg("%s", err.message);
    eti__buffer_add_char(&found, '\0');
    assert_string_equal(found.data, expected);
    eti__buffer_free(&found);
}

static void assert_selected(eti_selection selection, const char *expected) {
    for (int stored = 0; stored < 2; stored++) {
        eti_report *report = make_report(stored);
        eti_error err = ETI_ERROR_INIT;
        if (eti__report_select(report, &selection, &err) != ETI_OK)
            fail_msg("%s", err.message);
        assert_report(report, expected);
        eti_report_free(report);
    }
}

#define HEADER "\tname\ttime (ms)\tn\n"
#define ROW_0 "0\tb\t2.0\t9007199254740993\n"
#define ROW_1 "1\ta\t1.0\t9007199254740992\n"
#define ROW_2 "2\tb\t\t-5\n"
#define ROW_3 "3\tB\t-0.5\t-9223372036854775808\n"
#define ROW_4 "4\t\t1.0\t0\n"

static void extra_columns_are_left_out(void **state) {
    (void)state;
    assert_selected((eti_selection){0}, HEADER ROW_0 ROW_1 ROW_2 ROW_3 ROW_4);
}

static void rows_are_sorted_and_keep_their_numbers(void **state) {
    (void)state;
    assert_selected((eti_selection){.sort = "time"}, HEADER ROW_3 ROW_1 ROW_4 ROW_0 ROW_2);
    assert_selected((eti_selection){.sort = "time (ms):asc"}, HEADER ROW_3 ROW_1 ROW_4 ROW_0 ROW_2);
    assert_selected((eti_selection){.sort = "time:desc"}, HEADER ROW_0 ROW_1 ROW_4 ROW_3 ROW_2);
    assert_selected((eti_selection){.sort = "-time"}, HEADER ROW_0 ROW_1 ROW_4 ROW_3 ROW_2);
    assert_selected((eti_selection){.sort = "-time (ms):desc"},
                    HEADER ROW_0 ROW_1 ROW_4 ROW_3 ROW_2);
    assert_selected((eti_selection){.sort = "-name,-time"}, HEADER ROW_0 ROW_2 ROW_1 ROW_3 ROW_4);
    assert_selected((eti_selection){.sort = "name"}, HEADER ROW_4 ROW_3 ROW_1 ROW_0 ROW_2);
    assert_selected((eti_selection){.sort = "name:desc"}, HEADER ROW_0 ROW_2 ROW_1 ROW_3 ROW_4);
    assert_selected((eti_selection){.sort = "n"}, HEADER ROW_3 ROW_2 ROW_4 ROW_1 ROW_0);
    assert_selected((eti_selection){.sort = "name:desc, time:desc"},
                    HEADER ROW_0 ROW_2 ROW_1 ROW_3 ROW_4);
    assert_selected((eti_selection){.sort = "time,name"}, HEADER ROW_3 ROW_4 ROW_1 ROW_0 ROW_2);
    /* true is 1; numbers precede texts, and empty cells come last */
    assert_selected((eti_selection){.sort = "mixed"}, HEADER ROW_4 ROW_3 ROW_0 ROW_1 ROW_2);
    assert_selected((eti_selection){.sort = "mixed:desc"}, HEADER ROW_1 ROW_0 ROW_3 ROW_4 ROW_2);
    /* ['a', [-1, [0.1, [1, [] */
    assert_selected((eti_selection){.sort = "list"}, HEADER ROW_3 ROW_1 ROW_2 ROW_0 ROW_4);
}

/* Makes a report of times in ms that text shows in us, of shares and of bytes. */
static eti_report *make_units(void) {
    const eti_column columns[] = {
        {.name = eti__text_of("op"), .kind = ETI_COLUMN_TEXT},
        {.name = eti__text_of("p50 (ms)"), .kind = ETI_COLUMN_TIME, .unit = "ms"},
        {.name = eti__text_of("share"), .kind = ETI_COLUMN_SHARE},
        {.name = eti__text_of("bytes"), .kind = ETI_COLUMN_BYTES},
        {.name = eti__text_of("avg (ms)"), .kind = ETI_COLUMN_TIME, .unit = "ms", .is_extra = true},
        {.name = eti__text_of("few"), .kind = ETI_COLUMN_BYTES, .is_extra = true},
    };
    const eti_cell rows[][6] = {
        {TEXT("conv"), DOUBLE(0.25), DOUBLE(0.75), INT(4096), DOUBLE(0.5), INT(10)},
        {TEXT("add"), DOUBLE(0.02), DOUBLE(0.25), INT(128), DOUBLE(0.1), INT(20)},
    };
    eti_table *table;
    eti_report *report;
    assert_int_equal(eti__table_new(&table, columns, 6, NULL), ETI_OK);
    for (size_t i = 0; i < 2; i++)
        memcpy(eti__table_add_row(table), rows[i], sizeof rows[i]);
    assert_int_equal(eti__report_new(&report, "events", ETI_SCALE_MS, NULL), ETI_OK);
    assert_int_equal(eti__report_add(report, "events", NULL, table, NULL), ETI_OK);
    return report;
}

static void assert_explained(const char *filter, const char *columns, bool keeps_unit,
                             const char *expected) {
    eti_report *report = make_units();
    eti_buffer out = {0};
    const eti_selection selection = {.filter = filter, .columns = columns};
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
    assert_int_equal(eti__section_explain_filter(&out, &report->sections[0], ETI_SCALE_MS,
                                                 keeps_unit, true, NULL),
                     ETI_OK);
    eti__buffer_add_char(&out, '\0');
    assert_string_equal(out.data, expected);
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void numbers_without_units_are_explained(void **state) {
    (void)state;
    static const char of_time[] = "p50 is compared in ms; 100 µs is written 100us";
    assert_explained("p50 > 100", NULL, false, of_time);
    assert_explained("p50 > 100 or op == 'add'", NULL, false, of_time);
    assert_explained("100 < p50", "op,p50", false, of_time);
    assert_explained("p50 > 0", NULL, false, "");
    assert_explained("p50 > 100us and share > 1%", NULL, false, "");
    assert_explained("p50 > 100", NULL, true, "");  /* times in ms */
    assert_explained("p50 > 100", "op", false, ""); /* no times */
    assert_explained("avg > 100", NULL, false, "avg is compared in ms; 100 µs is written 100us");
    assert_explained("share > 0.1", NULL, false,
                     "share is compared in parts of 1; 10 % is written 10%");
    assert_explained("share > 5", NULL, false,
                     "share is compared in parts of 1; 5 % is written 5%");
    assert_explained("bytes > 2048", NULL, false, "bytes is compared in B; 2 KiB is written 2KiB");
    assert_explained("bytes > 100", NULL, false,
                     "bytes is compared in B; 100 KiB is written 100KiB");
    assert_explained("few > 15", "op,few", false, ""); /* shown in bytes, too */
    assert_explained("bytes >= 2KiB", NULL, false, "");
    assert_explained("p50 > 1 and share > 0.5", NULL, false,
                     "p50 is compared in ms; 1 µs is written 1us; share is compared in parts of 1; "
                     "50 % is written 50%");
}

static void bytes_have_units(void **state) {
    (void)state;
    static const struct {
        const char *filter;
        size_t n;
    } cases[] = {{"bytes == 4KiB", 1}, {"bytes > 0.1kB", 2}, {"bytes > 0.1KB", 2},
                 {"bytes == 128B", 1}, {"bytes < 1MB", 2},   {"bytes > 1GiB", 0},
                 {"bytes == 4096", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eti_report *report = make_units();
        const eti_selection selection = {.filter = cases[i].filter};
        assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
        assert_int_equal(report->sections[0].table->n_rows, cases[i].n);
        eti_report_free(report);
    }
}

static void assert_sort_explained(const char *sort, size_t top, const char *expected) {
    eti_report *report = make_units();
    eti_buffer out = {0};
    const eti_selection selection = {.sort = sort, .top = top, .columns = "op"};
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
    eti__table_explain_sort(&out, report->sections[0].table, &selection, 2);
    eti__buffer_add_char(&out, '\0');
    assert_string_equal(out.data, expected);
    eti__buffer_free(&out);
    eti_report_free(report);
}

static void the_smallest_are_explained(void **state) {
    (void)state;
    assert_sort_explained("p50", 1, "the smallest; the largest: sort=-p50");
    assert_sort_explained("p50", 2, ""); /* all rows */
    assert_sort_explained("p50", 0, "");
    assert_sort_explained("-p50", 1, "");
    assert_sort_explained("p50:asc", 1, "");
    assert_sort_explained("op", 1, "");
    assert_sort_explained(NULL, 1, "");
}

static void rows_are_filtered_then_sorted_then_cut(void **state) {
    (void)state;
    assert_selected((eti_selection){.top = 2}, HEADER ROW_0 ROW_1);
    assert_selected((eti_selection){.top = 9}, HEADER ROW_0 ROW_1 ROW_2 ROW_3 ROW_4);
    assert_selected((eti_selection){.filter = "name =~ 'b|^$'"}, HEADER ROW_0 ROW_2 ROW_4);
    assert_selected((eti_selection){.filter = "name =~ 'b|^$'", .sort = "n", .top = 2},
                    HEADER ROW_2 ROW_4);
    assert_selected((eti_selection){.filter = "time > 100"}, HEADER);
}

static void columns_are_chosen(void **state) {
    (void)state;
    assert_selected((eti_selection){.columns = "n,name", .top = 1},
                    "\tn\tname\n0\t9007199254740993\tb\n");
    assert_selected((eti_selection){.columns = " time , mixed", .sort = "n", .top = 2},
                    "\ttime (ms)\tmixed\n3\t-0.5\t2.5\n2\t\t\n");
    assert_selected((eti_selection){.columns = "name,time", .top = 1},
                    "\tname\ttime (ms)\n0\tb\t2.0\n");
    assert_selected((eti_selection){.columns = "mixed,all", .top = 1},
                    "\tmixed\tname\ttime (ms)\tn\tlist\n"
                    "0\t10\tb\t2.0\t9007199254740993\t[1, 18446744073709551615]\n");
}

static void lists_are_spelled_as_python_does(void **state) {
    (void)state;
    assert_selected((eti_selection){.columns = "list"},
                    "\tlist\n0\t[1, 18446744073709551615]\n1\t[-1, 2]\n2\t[0.1, 2.0, 1e+16]\n"
                    "3\t\"['a', \"\"b'\"\", None]\"\n4\t[]\n");
}

static void a_selection_can_be_selected_from(void **state) {
    (void)state;
    eti_report *report = make_report(false);
    const eti_selection sorted = {.sort = "n", .columns = "n,name,list"};
    const eti_selection again = {.sort = "name", .top = 3, .columns = "list,name"};
    assert_int_equal(eti__report_select(report, &sorted, NULL), ETI_OK);
    assert_int_equal(eti__report_select(report, &again, NULL), ETI_OK);
    assert_report(report,
                  "\tlist\tname\n4\t[]\t\n3\t\"['a', \"\"b'\"\", None]\"\tB\n1\t[-1, 2]\ta\n");
    const eti_table *table = eti_report_table(report, 0);
    assert_int_equal(table_cell(table, 0, 0).kind, ETI_CELL_DOUBLES);
    assert_int_equal(eti_table_row_count(table), 3);
    eti_report_free(report);
}

/* Selected rows are shown, whether they were hidden or not. */
static void chosen_rows_are_not_kept_back(void **state) {
    (void)state;
    static const struct {
        eti_selection selection;
        size_t kept_back;
    } cases[] = {
        {{.columns = "n"}, 2},
        {{.filter = "n > 0"}, 0},
        {{.sort = "n"}, 0},
        {{.top = 1}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eti_report *report = make_report(false);
        report->sections[0].n_kept_back = 2;
        assert_int_equal(eti__report_select(report, &cases[i].selection, NULL), ETI_OK);
        assert_int_equal(report->sections[0].n_kept_back, cases[i].kept_back);
        eti_report_free(report);
    }
}

static void assert_fails(eti_selection selection, const char *message) {
    eti_report *report = make_report(true);
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__report_select(report, &selection, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, message);
    assert_report(report, HEADER ROW_0 ROW_1 ROW_2 ROW_3 ROW_4); /* unchanged */
    eti_report_free(report);
}

static void errors_name_what_there_is(void **state) {
    (void)state;
    assert_fails((eti_selection){.columns = "name,tme"},
                 "columns: there is no column tme: did you mean time?");
    assert_fails((eti_selection){.columns = ""},
                 "columns: expected the name of a column, found nothing");
    assert_fails((eti_selection){.columns = "n,name,n"}, "columns: n is given twice: give it once");
    assert_fails((eti_selection){.columns = "all,n"}, "columns: n is given twice: give it once");
    assert_fails((eti_selection){.sort = "mxied"},
                 "sort: there is no column mxied: did you mean mixed?");
    assert_fails((eti_selection){.sort = "-mxied"},
                 "sort: there is no column mxied: did you mean mixed?");
    assert_fails((eti_selection){.sort = "-time:asc"},
                 "sort: -time:asc names two orders: write time or -time");
    assert_fails((eti_selection){.sort = "-"},
                 "sort: expected the name of a column, found nothing");
    assert_fails((eti_selection){.sort = "n,time:up"},
                 "sort: expected a column, optionally with -, :asc or :desc, found time:up");
    assert_fails((eti_selection){.filter = "n > 'x'"},
                 "filter: n is a column of numbers: expected a number");
}

/* ---- one of several tables ------------------------------------------------------------------- */

/* Makes a report: "first" and "events" have different rows, and one note each. */
static eti_report *make_two(void) {
    const eti_column column = {.name = eti__text_of("x"), .kind = ETI_COLUMN_NUMBER};
    eti_table *table;
    eti_report *report;
    assert_int_equal(eti__table_new(&table, &column, 1, NULL), ETI_OK);
    eti__table_add_row(table)[0] = (eti_cell)INT(7);
    assert_int_equal(eti__report_new(&report, "two", ETI_SCALE_MS, NULL), ETI_OK);
    assert_int_equal(eti__report_add(report, "first", "First", table, NULL), ETI_OK);
    assert_int_equal(eti__report_note(report, NULL, "of the first"), ETI_OK);
    assert_int_equal(eti__report_add(report, "events", "Events", make_rows(true), NULL), ETI_OK);
    assert_int_equal(eti__report_note(report, NULL, "of the second"), ETI_OK);
    return report;
}

static void a_table_is_left(void **state) {
    (void)state;
    static const eti_report_query query = {"v", "SELECT 1"};
    eti_report *report = make_two();
    report->queries = &query;
    report->n_queries = 1;
    report->sections[1].is_told_above = report->sections[1].is_in_notes =
        report->sections[1].is_detail = true;
    eti_selection selection = {.table = "events", .filter = "n > 1", .top = 2};
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
    assert_report(report, HEADER ROW_0 ROW_1);
    assert_int_equal(eti_report_table_count(report), 1);
    assert_int_equal(eti_report_selected_table(report), 0);
    assert_string_equal(eti_report_table_name(report, 0), "events");
    assert_int_equal(report->sections[0].n_notes, 1);
    assert_true(eti__text_is(report->sections[0].notes[0], "of the second"));
    assert_false(report->sections[0].is_told_above || report->sections[0].is_in_notes ||
                 report->sections[0].is_detail);
    assert_int_equal(report->n_queries, 0);
    /* And again. */
    selection = (eti_selection){.table = "events", .top = 1};
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
    assert_report(report, HEADER ROW_0);
    selection.table = "first";
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_ERROR_USAGE);
    eti_report_free(report);
}

static void assert_no_table(const char *name, const char *message) {
    eti_report *report = make_two();
    eti_error err = ETI_ERROR_INIT;
    eti_selection selection = {.table = name, .top = 1};
    assert_int_equal(eti__report_select(report, &selection, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, message);
    assert_report(report, "First\nx\n7\n\nEvents\n" HEADER ROW_0 ROW_1 ROW_2 ROW_3 ROW_4);
    eti_report_free(report);
}

static void a_table_that_is_not_there_names_those_that_are(void **state) {
    (void)state;
    assert_no_table("event", "table: there is no table 'event': did you mean events? there are "
                             "first, events");
    assert_no_table(
        "Frist", "table: there is no table 'Frist': did you mean first? there are first, events");
    assert_no_table(
        "frist", "table: there is no table 'frist': did you mean first? there are first, events");
    assert_no_table("", "table: there is no table '': there are first, events");
    assert_no_table("zzz", "table: there is no table 'zzz': there are first, events");
}

/* After a failure all of them are unchanged. */
static void a_table_is_left_only_if_the_rest_is_right(void **state) {
    (void)state;
    eti_report *report = make_two();
    eti_selection selection = {.table = "first", .sort = "n"};
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_ERROR_USAGE);
    assert_int_equal(eti_report_table_count(report), 2);
    selection.table = "events";
    assert_int_equal(eti__report_select(report, &selection, NULL), ETI_OK);
    eti_report_free(report);
}

/* Makes row number `row` of many, whose order is known without sorting. */
static bool make_many(const void *context, size_t row, eti_row *out) {
    size_t n = *(const size_t *)context;
    double number = (double)((row * 7919) % n) - (double)n / 2;
    out->cells[0] = (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = number};
    return true;
}

static void many_rows_are_sorted(void **state) {
    (void)state;
    static size_t n = 10007; /* a prime, so that all numbers differ */
    const eti_column column = {.name = eti__text_of("x"), .kind = ETI_COLUMN_NUMBER};
    eti_row_source source = {make_many, free_nothing, &n};
    eti_table *table;
    eti_report *report;
    assert_int_equal(eti__table_new_made(&table, &column, 1, n, source, NULL), ETI_OK);
    assert_int_equal(eti__report_new(&report, "x", ETI_SCALE_MS, NULL), ETI_OK);
    assert_int_equal(eti__report_add(report, "x", NULL, table, NULL), ETI_OK);
    assert_int_equal(eti__report_select(report, &(eti_selection){.sort = "x"}, NULL), ETI_OK);
    const eti_table *sorted = eti_report_table(report, 0);
    for (size_t i = 0; i < n; i++)
        assert_true(table_cell(sorted, i, 0).as_double == (double)i - (double)n / 2);
    eti_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extra_columns_are_left_out),
        cmocka_unit_test(rows_are_sorted_and_keep_their_numbers),
        cmocka_unit_test(rows_are_filtered_then_sorted_then_cut),
        cmocka_unit_test(numbers_without_units_are_explained),
        cmocka_unit_test(bytes_have_units),
        cmocka_unit_test(the_smallest_are_explained),
        cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(lists_are_spelled_as_python_does),
        cmocka_unit_test(a_selection_can_be_selected_from),
        cmocka_unit_test(chosen_rows_are_not_kept_back),
        cmocka_unit_test(errors_name_what_there_is),
        cmocka_unit_test(a_table_is_left),
        cmocka_unit_test(a_table_that_is_not_there_names_those_that_are),
        cmocka_unit_test(a_table_is_left_only_if_the_rest_is_right),
        cmocka_unit_test(many_rows_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
