/* The expected screens were drawn by hand. */
#include "report_text.h"
#include "write/writer.h"

static const eti_column columns[] = {
    {.name = {"op", 2}, .kind = ETI_COLUMN_TEXT},
    {.name = {"calls", 5}, .kind = ETI_COLUMN_COUNT},
    {.name = {"total (ms)", 10}, .kind = ETI_COLUMN_TIME},
    {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
    {.name = {"id", 2}, .kind = ETI_COLUMN_NUMBER, .is_extra = true},
    {.name = {"delegated", 9}, .kind = ETI_COLUMN_TEXT},
};

static const eti_cell cells[] = {
    TEXT("aten.convolution.default"),
    INT(12345),
    DOUBLE(1234.5),
    DOUBLE(0.9),
    INT(7),
    BOOL(true),
    TEXT("aten.add.Tensor"),
    INT(2),
    DOUBLE(1.25),
    DOUBLE(0.05),
    NO_CELL,
    BOOL(false),
    TEXT("aten.relu.default"),
    INT(0),
    NAN_CELL,
    DOUBLE(0),
    INT(9),
    NO_CELL,
};

static eti_write_options plain(size_t width) {
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.width = width;
    return options;
}

static int use_utf8(void **state) {
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    unsetenv("COLUMNS");
    return 0;
}

static eti_report *example(void) {
    return make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
}

static void test_any_width(void **state) {
    (void)state;
    eti_report *report = example();
    assert_report(report, "text", NULL,
                  "op                         calls  total (ms)  share  delegated\n"
                  "────────────────────────  ──────  ──────────  ─────  ─────────\n"
                  "aten.convolution.default  12,345   1,234.500  90.0%  yes\n"
                  "aten.add.Tensor                2       1.250   5.0%  no\n"
                  "aten.relu.default              0           -   0.0%\n");
    eti_report_free(report);
}

static void test_long_texts_are_cut(void **state) {
    (void)state;
    eti_report *report = example();
    eti_write_options options = plain(60);
    assert_report(report, "text", &options,
                  "op                       calls  total (ms)  share  delegated\n"
                  "──────────────────────  ──────  ──────────  ─────  ─────────\n"
                  "aten.convol…on.default  12,345   1,234.500  90.0%  yes\n"
                  "aten.add.Tensor              2       1.250   5.0%  no\n"
                  "aten.relu.default            0           -   0.0%\n");
    options.ascii = true;
    assert_report(report, "text", &options,
                  "op                       calls  total (ms)  share  delegated\n"
                  "----------------------  ------  ----------  -----  ---------\n"
                  "aten.convo...n.default  12,345   1,234.500  90.0%  yes\n"
                  "aten.add.Tensor              2       1.250   5.0%  no\n"
                  "aten.relu.default            0           -   0.0%\n");
    eti_report_free(report);
}

static void test_columns_are_left_out(void **state) {
    (void)state;
    eti_report *report = example();
    eti_write_options options = plain(42);
    assert_report(report, "text", &options,
                  "op                       calls  total (ms)\n"
                  "──────────────────────  ──────  ──────────\n"
                  "aten.convol…on.default  12,345   1,234.500\n"
                  "aten.add.Tensor              2       1.250\n"
                  "aten.relu.default            0           -\n"
                  "(2 columns hidden: --width or --columns)\n");
    options = plain(10);
    assert_report(report, "text", &options,
                  "op\n"
                  "──────────\n"
                  "aten.…ault\n"
                  "aten.…nsor\n"
                  "aten.…ault\n"
                  "(4 columns\n"
                  "hidden:\n"
                  "--width or\n"
                  "--columns)\n");
    eti_report_free(report);
}

static void test_chosen_columns(void **state) {
    (void)state;
    eti_report *report = example();
    report->sections[0].has_chosen_columns = true;
    eti_write_options options = plain(42);
    eti_buffer text = write_to_buffer(report, "text", &options);
    assert_true(eti__text_contains(eti__buffer_text(&text), eti__text_of("(3 columns hidden")));
    eti__buffer_free(&text);
    assert_report(report, "text", NULL,
                  "op                         calls  total (ms)  share  id  delegated\n"
                  "────────────────────────  ──────  ──────────  ─────  ──  ─────────\n"
                  "aten.convolution.default  12,345   1,234.500  90.0%   7  yes\n"
                  "aten.add.Tensor                2       1.250   5.0%   -  no\n"
                  "aten.relu.default              0           -   0.0%   9\n");
    eti_report_free(report);
}

static void test_color_and_bars(void **state) {
    (void)state;
    eti_report *report =
        make_report(columns + 3, 1, (const eti_cell[]){DOUBLE(0.9), DOUBLE(0.05), DOUBLE(0.01)}, 3);
    eti_write_options options = plain(40);
    options.color = ETI_COLOR_ALWAYS;
    assert_report(report, "text", &options,
                  "\033[1mshare\033[0m\n"
                  "─────\n"
                  "\033[1;31m90.0%\033[0m\n"
                  " \033[33m5.0%\033[0m\n"
                  " 1.0%\n");
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "share\n"
                  "──────────────\n"
                  "90.0% ███████▎\n"
                  " 5.0% ▍\n"
                  " 1.0% ▏\n");
    options.ascii = true;
    assert_report(report, "text", &options,
                  "share\n"
                  "--------------\n"
                  "90.0% #######\n"
                  " 5.0%\n"
                  " 1.0%\n");
    options = plain(13); /* no room */
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options, "share\n─────\n90.0%\n 5.0%\n 1.0%\n");
    eti_report_free(report);
}

static void test_odd_texts(void **state) {
    (void)state;
    static const eti_column names[] = {{.name = {"name", 4}},
                                       {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT}};
    static const eti_cell odd[] = {
        TEXT("a\nb\tc\033[31m"),   INT(1), TEXT("中文"),    INT(22), TEXT("e\xcc\x81"), INT(333),
        TEXT("\xe2\x80\xaextirb"), INT(4), TEXT("bad\xff"), INT(5),  TEXT(""),          INT(6),
    };
    eti_report *report = make_report(names, 2, odd, COUNT_OF(odd));
    assert_report(report, "text", NULL,
                  "name               n\n"
                  "───────────────  ───\n"
                  "a\\nb\\tc\\x1b[31m    1\n"
                  "中文              22\n"
                  "e\xcc\x81                333\n"
                  "\\u202extirb        4\n"
                  "bad\xef\xbf\xbd               5\n"
                  "                   6\n");
    eti_write_options options = plain(0);
    options.ascii = true;
    assert_report(report, "text", &options,
                  "name               n\n"
                  "---------------  ---\n"
                  "a\\nb\\tc\\x1b[31m    1\n"
                  "\\u4e2d\\u6587      22\n"
                  "e\\u0301          333\n"
                  "\\u202extirb        4\n"
                  "bad\\ufffd          5\n"
                  "                   6\n");
    eti_report_free(report);
}

static void test_lists(void **state) {
    (void)state;
    static const eti_column names[] = {{.name = {"name", 4}},
                                       {.name = {"raw", 3}, .kind = ETI_COLUMN_LIST},
                                       {.name = {"note", 4}}};
    eti_cell named = TEXTS({"p", 1}, {"q", 1}, {"r", 1});
    named.as_int = 1; /* q stands for the others */
    const eti_cell lists[] = {
        TEXT("a"), DOUBLES(1.5, 2), TEXT("x"), TEXT("b"), UINTS(0, UINT64_MAX),          TEXT("y"),
        TEXT("c"), INTS(-1),        TEXT("z"), TEXT("d"), TEXTS({"it's", 4}, {"\n", 1}), NO_CELL,
        TEXT("e"), named,           NO_CELL,
    };
    eti_report *report = make_report(names, 3, lists, COUNT_OF(lists));
    assert_report(report, "text", NULL,
                  "name  raw                        note\n"
                  "────  ─────────────────────────  ────\n"
                  "a     [1.5, 2.0]                 x\n"
                  "b     [0, 18446744073709551615]  y\n"
                  "c     [-1]                       z\n"
                  "d     it's +1\n"
                  "e     q +2\n");
    eti_write_options options = plain(20); /* columns at the right are omitted first */
    assert_report(report, "text", &options,
                  "name  raw\n"
                  "────  ──────────────\n"
                  "a     [1.5, 2.0]\n"
                  "b     [0, 184…51615]\n"
                  "c     [-1]\n"
                  "d     it's +1\n"
                  "e     q +2\n"
                  "(1 column hidden:\n"
                  "--width or\n"
                  "--columns)\n");
    eti_report_free(report);
}

static void test_sections_and_notes(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, 2, NULL, 0);
    assert_ok(eti__report_note(report, &err, "one two three four five"));
    assert_ok(
        eti__report_add(report, "more", "The others", make_typed_table(columns, 1, NULL, 0), &err));
    eti_write_options options = plain(14);
    assert_report(report, "text", &options,
                  "op  calls\n"
                  "──  ─────\n"
                  "(no rows)\n"
                  "one two three\n"
                  "four five\n"
                  "\n"
                  "The others\n"
                  "op\n"
                  "──\n"
                  "(no rows)\n");
    eti_report_free(report);
}

/* Tests a section that has neither a table for people nor a note. Notes may have any length. */
static void test_unread_sections(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer note = {0};
    eti_report *report = make_report(columns, 2, NULL, 0);
    assert_ok(
        eti__report_add(report, "more", "The others", make_typed_table(columns, 1, NULL, 0), &err));
    report->sections[0].is_in_notes = report->sections[1].is_in_notes = true;
    report->sections[1].n_kept_back = 0;
    assert_report(report, "text", NULL, "");
    assert_report(report, "markdown", NULL, "");
    eti__buffer_add_repeated(&note, "word ", 100);
    eti__buffer_add_string(&note, "end");
    assert_ok(eti__report_take_note(report, &note, &err));
    assert_int_equal(note.size, 0);
    assert_int_equal(report->sections[1].notes[0].size, 503);
    eti_report_free(report);
}

static const eti_column of_changes[] = {
    {.name = {"event", 5}, .kind = ETI_COLUMN_TEXT},
    {.name = {"change", 6}, .kind = ETI_COLUMN_CHANGE},
    {.name = {"ratio", 5}, .kind = ETI_COLUMN_NUMBER},
    {.name = {"is_relative", 11}, .kind = ETI_COLUMN_MARK},
    {.name = {"p", 1}, .kind = ETI_COLUMN_NUMBER},
};

static const eti_cell changed[] = {
    TEXT("a"), DOUBLE(0.3),  DOUBLE(1.2), BOOL(true), DOUBLE(0.5),
    TEXT("b"), DOUBLE(-0.1), DOUBLE(0.9), NO_CELL,    DOUBLE(0.25),
};

static void test_series(void **state) {
    (void)state;
    static const double values[] = {1, 1, 1.5, 2};
    static const eti_column of_series[] = {
        {.name = {"event", 5}, .kind = ETI_COLUMN_TEXT},
        {.name = {"series", 6}, .type = ETI_TYPE_LIST_FLOAT64, .kind = ETI_COLUMN_SERIES},
        {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    };
    const eti_cell line[] = {
        TEXT("a"), {.kind = ETI_CELL_DOUBLES, .items = values, .n_items = 4},
        INT(1),    TEXT("b"),
        NO_CELL,   INT(2),
    };
    eti_report *report = make_report(of_series, 3, line, 6);
    assert_report(report, "text", NULL,
                  "event  series  n\n"
                  "─────  ──────  ─\n"
                  "a      ▁▁▅█    1\n"
                  "b              2\n");
    eti_write_options options = plain(80);
    options.ascii = true;
    assert_report(report, "text", &options,
                  "event  series  n\n"
                  "-----  ------  -\n"
                  "a      __=#    1\n"
                  "b              2\n");
    assert_report(report, "csv", NULL,
                  "event,series,n\r\na,\"[1.0, 1.0, 1.5, 2.0]\",1\r\nb,,2\r\n");
    eti_report_free(report);
}

static void test_marks(void **state) {
    (void)state;
    eti_report *report = make_report(of_changes, COUNT_OF(of_changes), changed, COUNT_OF(changed));
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_note(report, &err, "† is relative"));
    assert_report(report, "text", NULL,
                  "event   change  ratio       p\n"
                  "─────  ───────  ──────  ─────\n"
                  "a      +30.0 %  1.200†  0.500\n"
                  "b      -10.0 %  0.900   0.250\n"
                  "† is relative\n");
    eti_write_options options = plain(20);
    options.ascii = true;
    assert_report(report, "text", &options,
                  "event   change\n"
                  "-----  -------\n"
                  "a      +30.0 %\n"
                  "b      -10.0 %\n"
                  "(3 columns hidden:\n"
                  "--width or\n"
                  "--columns)\n"
                  "* is relative\n");
    options.width = 0;
    assert_report(report, "text", &options,
                  "event   change  ratio       p\n"
                  "-----  -------  ------  -----\n"
                  "a      +30.0 %  1.200*  0.500\n"
                  "b      -10.0 %  0.900   0.250\n"
                  "* is relative\n");
    eti_report_free(report);
}

/* A column without any mark takes no room. */
static void test_rows_kept_back(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(of_changes, COUNT_OF(of_changes), changed + 5, 5);
    eti_table *facts = make_typed_table(columns, 1, cells, 1);
    assert_ok(eti__report_add(report, "facts", "Facts", facts, &err));
    assert_ok(eti__report_note(report, &err, "what is known"));
    report->sections[1].is_in_notes = true;
    assert_report(report, "text", NULL,
                  "event   change  ratio      p\n"
                  "─────  ───────  ─────  ─────\n"
                  "b      -10.0 %  0.900  0.250\n"
                  "\n"
                  "what is known\n");
    report->sections[0].n_kept_back = 1;
    assert_report(report, "text", NULL,
                  "event  change  ratio  p\n"
                  "─────  ──────  ─────  ─\n"
                  "(no rows)\n"
                  "(1 more row: --all)\n"
                  "\n"
                  "what is known\n");
    assert_report(report, "tsv", NULL,
                  "event\tchange\tratio\tis_relative\tp\n"
                  "b\t-0.1\t0.9\t\t0.25\n"
                  "\nFacts\nop\naten.convolution.default\n");
    assert_report(report, "markdown", NULL,
                  "| event | change | ratio | p |\n"
                  "| --- | ---: | ---: | ---: |\n"
                  "\n"
                  "1 more row: --all\n"
                  "\n"
                  "what is known\n");
    eti_report_free(report);
}

/* No line is wider than the screen, whatever it contains. */
/* A first column without a name and texts has no width, but a gap after it: 2 + 4 + 2 + 1 do not fit in 8. */
static void test_first_column_without_width(void **state) {
    (void)state;
    static const eti_column three[] = {
        {.name = {"", 0}, .kind = ETI_COLUMN_TEXT},
        {.name = {"abcd", 4}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"x", 1}, .kind = ETI_COLUMN_NUMBER},
    };
    static const eti_cell row[] = {TEXT(""), INT(1), INT(2)};
    eti_report *report = make_report(three, COUNT_OF(three), row, COUNT_OF(row));
    eti_write_options options = plain(8);
    assert_report(report, "text", &options,
                  "  abcd\n"
                  "  ────\n"
                  "     1\n"
                  "(1\n"
                  "column\n"
                  "hidden:\n"
                  "--width\n"
                  "or\n"
                  "--columns)\n");
    eti_report_free(report);
}

static void test_every_width(void **state) {
    (void)state;
    eti_report *report = example();
    for (size_t width = 10; width <= 200; width++) {
        eti_write_options options = plain(width);
        options.for_terminal = true;
        options.color = ETI_COLOR_NEVER;
        eti_buffer text = write_to_buffer(report, "text", &options);
        for (const char *at = text.data, *end = at + text.size; at < end;) {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            assert_non_null(line_end);
            eti_text line = {at, (size_t)(line_end - at)};
            assert_true(eti__text_width(line) <= width);
            assert_true(line.size == 0 || line_end[-1] != ' ');
            at = line_end + 1;
        }
        eti__buffer_free(&text);
    }
    eti_report_free(report);
}

/* Blanks needed for one long name are limited, as in a grid. */
static void test_most_drawn(void **state) {
    (void)state;
    static char name[5000];
    memset(name, 'x', sizeof name);
    eti_column column = {.name = {"name", 4}};
    eti_report *report = make_report(&column, 1, NULL, 0);
    for (int i = 0; i < 98; i++)
        *eti__table_add_row(report->sections[0].table) =
            (eti_cell){.kind = ETI_CELL_TEXT, .as_text = {name, i == 0 ? sizeof name : 1}};
    report->sections[0].table->most_drawn = 10000;
    eti_buffer text = write_to_buffer(report, "text", NULL);
    assert_in_range(text.size, 100, 1000);
    eti__buffer_free(&text);
    eti_report_free(report);
}

/* After long names the share keeps its place; the number at the right is omitted before the bar, but no name is cut. */
static void test_bars_instead_of_columns(void **state) {
    (void)state;
    static const eti_column wide[] = {
        {.name = {"op", 2}, .kind = ETI_COLUMN_TEXT},
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
        {.name = {"calls", 5}, .kind = ETI_COLUMN_COUNT},
        {.name = {"events", 6}, .kind = ETI_COLUMN_COUNT},
    };
    static const eti_cell row[] = {TEXT("aten.convolution.default_of_a_long_name"), DOUBLE(0.5),
                                   INT(1), INT(2)};
    static const eti_cell text_row[] = {TEXT("aten.convolution.default_of_a_long_name"),
                                        DOUBLE(0.5), TEXT("encoder.layers"), INT(2)};
    eti_report *report = make_report(wide, 4, row, 4);
    eti_write_options options = plain(62);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "op                                       share           calls\n"
                  "───────────────────────────────────────  ──────────────  ─────\n"
                  "aten.convolution.default_of_a_long_name  50.0% ████          1\n"
                  "(1 column hidden: --width or --columns)\n");
    options.width = 61; /* without the column after it */
    assert_report(report, "text", &options,
                  "op                                       share\n"
                  "───────────────────────────────────────  ──────────────\n"
                  "aten.convolution.default_of_a_long_name  50.0% ████\n"
                  "(2 columns hidden: --width or --columns)\n");
    options.width = 59; /* too narrow to spare anything */
    assert_report(report, "text", &options,
                  "op                                     share  calls  events\n"
                  "─────────────────────────────────────  ─────  ─────  ──────\n"
                  "aten.convolution.d…ult_of_a_long_name  50.0%      1       2\n");
    eti_report_free(report);
    report = make_report(wide, 4, text_row, 4);
    options.width = 70;
    assert_report(report, "text", &options,
                  "op                                       share           calls  events\n"
                  "───────────────────────────────────────  ─────  ──────────────  ──────\n"
                  "aten.convolution.default_of_a_long_name  50.0%  encoder.layers       2\n");
    options.width = 71; /* text after it stays */
    assert_report(report, "text", &options,
                  "op                                       share                    calls\n"
                  "───────────────────────────────────────  ──────────────  ──────────────\n"
                  "aten.convolution.default_of_a_long_name  50.0% ████      encoder.layers\n"
                  "(1 column hidden: --width or --columns)\n");
    eti_report_free(report);
}

/* Deviations are not parts of a whole, whatever their values. */
static void test_spreads_have_no_bar(void **state) {
    (void)state;
    eti_report *report =
        make_report(columns + 3, 1, (const eti_cell[]){DOUBLE(0.9), DOUBLE(0.05)}, 2);
    eti_write_options options = plain(40);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    eti__table_mark_spread(report->sections[0].table, "share");
    assert_report(report, "text", &options, "share\n─────\n90.0%\n 5.0%\n");
    eti_report_free(report);
    for (int below = 0; below < 2; below++) {
        report = make_report(columns + 3, 1, (const eti_cell[]){DOUBLE(below ? -0.1 : 1.1)}, 1);
        assert_report(report, "text", &options,
                      below ? " share\n──────\n-10.0%\n" : " share\n──────\n110.0%\n");
        eti_report_free(report);
    }
}

/* A wide screen has room for a longer bar, up to 20 columns. */
static void test_long_bars(void **state) {
    (void)state;
    eti_report *report = make_report(columns + 3, 1, (const eti_cell[]){DOUBLE(0.5)}, 1);
    eti_write_options options = plain(81);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "share\n──────────────────────────\n50.0% ██████████\n");
    eti_report_free(report);
}

/* Names have the colour of another column, even if it is not shown; branches have none. */
static void test_heat(void **state) {
    (void)state;
    static const eti_column tree[] = {
        {.name = {"module", 6}, .kind = ETI_COLUMN_TEXT},
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
        {.name = {"self", 4}, .kind = ETI_COLUMN_SHARE, .is_extra = true},
    };
    static const eti_cell rows[] = {
        TEXT("model"), DOUBLE(1),   DOUBLE(0.01), TEXT("├─ q"),    DOUBLE(0.69), DOUBLE(0.3),
        TEXT("└─ k"),  DOUBLE(0.3), DOUBLE(0.1),  TEXT("   └─ v"), DOUBLE(0.2),  DOUBLE(0.03),
    };
    eti_report *report = make_report(tree, 3, rows, COUNT_OF(rows));
    eti__table_give_heat(report->sections[0].table, "self", "module");
    eti_write_options options = plain(40);
    options.color = ETI_COLOR_ALWAYS;
    assert_report(report, "text", &options,
                  "\033[1mmodule\033[0m    \033[1mshare\033[0m\n"
                  "───────  ──────\n"
                  "model    \033[1;31m100.0%\033[0m\n"
                  "├─ \033[1;31mq\033[0m      \033[1;31m69.0%\033[0m\n"
                  "└─ \033[31mk\033[0m      \033[1;31m30.0%\033[0m\n"
                  "   └─ \033[33mv\033[0m   \033[31m20.0%\033[0m\n");
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "module    share\n"
                  "───────  ──────\n"
                  "model    100.0%\n"
                  "├─ q      69.0%\n"
                  "└─ k      30.0%\n"
                  "   └─ v   20.0%\n");
    eti_report_free(report);
}

/* Lines of series appear only on terminals, and fit there. */
static void test_drawn_series(void **state) {
    (void)state;
    static const double values[] = {4, 1, 1, 1, 2, 1, 1, 1};
    eti_error err;
    eti_report *report = make_report(columns, 1, cells, 1);
    assert_int_equal(
        eti__report_add_series(report, (eti_series){eti__text_of("first"), values, 8}, &err),
        ETI_OK);
    assert_int_equal(
        eti__report_add_series(report, (eti_series){eti__text_of("b\033"), values, 4}, &err),
        ETI_OK);
    assert_report(report, "text", NULL, "op\n────────────────────────\naten.convolution.default\n");
    eti_write_options options = plain(40);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "op\n────────────────────────\naten.convolution.default\n"
                  "first  █▁▁▁▃▁▁▁\n"
                  "b\\x1b  █▁▁▁\n");
    options.width = 12;
    options.ascii = true;
    assert_report(report, "text", &options,
                  "op\n------------\naten....ault\n"
                  "f...  #__:__\n"
                  "b...  #___\n");
    options.width = 1; /* a line that cannot fit exceeds the screen only slightly */
    eti_buffer text = write_to_buffer(report, "text", &options);
    assert_true(text.size < 100);
    eti__buffer_free(&text);
    eti_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_width),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_columns_are_left_out),
        cmocka_unit_test(test_chosen_columns),
        cmocka_unit_test(test_color_and_bars),
        cmocka_unit_test(test_bars_instead_of_columns),
        cmocka_unit_test(test_spreads_have_no_bar),
        cmocka_unit_test(test_long_bars),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_drawn_series),
        cmocka_unit_test(test_odd_texts),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_sections_and_notes),
        cmocka_unit_test(test_unread_sections),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_rows_kept_back),
        cmocka_unit_test(test_first_column_without_width),
        cmocka_unit_test(test_every_width),
        cmocka_unit_test(test_most_drawn),
    };
    eti__set_option_prefix("--");
    return cmocka_run_group_tests(tests, use_utf8, NULL);
}
