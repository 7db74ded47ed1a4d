#include "report_text.h"

#include "support.h"

#include "write/text.h"

#include <fcntl.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ==== text ==================================================================================== */
/* The expected screens were drawn by hand. */

static const eti_column text_columns[] = {
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
    return make_report(text_columns, COUNT_OF(text_columns), cells, COUNT_OF(cells));
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
    eti_report *report = make_report(
        text_columns + 3, 1, (const eti_cell[]){DOUBLE(0.9), DOUBLE(0.05), DOUBLE(0.01)}, 3);
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
    eti_report *report = make_report(text_columns, 2, NULL, 0);
    assert_ok(eti__report_note(report, &err, "one two three four five"));
    assert_ok(eti__report_add(report, "more", "The others",
                              make_typed_table(text_columns, 1, NULL, 0), &err));
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
    eti_report *report = make_report(text_columns, 2, NULL, 0);
    assert_ok(eti__report_add(report, "more", "The others",
                              make_typed_table(text_columns, 1, NULL, 0), &err));
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
    assert_ok(eti__report_note(report, &err, "* is relative"));
    assert_report(report, "text", NULL,
                  "event  change  ratio       p\n"
                  "─────  ──────  ──────  ─────\n"
                  "a      +30.0%  1.200*  0.500\n"
                  "b      -10.0%  0.900   0.250\n"
                  "* is relative\n");
    eti_write_options options = plain(20);
    options.ascii = true;
    assert_report(report, "text", &options,
                  "event  change  ratio\n"
                  "-----  ------  -----\n"
                  "a      +30.0%  1.200\n"
                  "b      -10.0%  0.900\n"
                  "(2 columns hidden:\n"
                  "--width or\n"
                  "--columns)\n"
                  "* is relative\n");
    options.width = 0;
    assert_report(report, "text", &options,
                  "event  change  ratio       p\n"
                  "-----  ------  ------  -----\n"
                  "a      +30.0%  1.200*  0.500\n"
                  "b      -10.0%  0.900   0.250\n"
                  "* is relative\n");
    eti_report_free(report);
}

/* A column without any mark takes no room. */
static void test_rows_kept_back(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(of_changes, COUNT_OF(of_changes), changed + 5, 5);
    eti_table *facts = make_typed_table(text_columns, 1, cells, 1);
    assert_ok(eti__report_add(report, "facts", "Facts", facts, &err));
    assert_ok(eti__report_note(report, &err, "what is known"));
    report->sections[1].is_in_notes = true;
    assert_report(report, "text", NULL,
                  "event  change  ratio      p\n"
                  "─────  ──────  ─────  ─────\n"
                  "b      -10.0%  0.900  0.250\n"
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

/* A column that is cut first keeps 12 columns of the screen before a text after it is cut or left out, and no bar takes the
 * room of either. */
static void test_cut_first(void **state) {
    (void)state;
    static const eti_column layers[] = {
        {.name = {"layer", 5}, .kind = ETI_COLUMN_TEXT},
        {.name = {"kernel", 6}, .kind = ETI_COLUMN_TEXT},
        {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE},
        {.name = {"source", 6}, .kind = ETI_COLUMN_TEXT, .is_path = true},
    };
    static const eti_cell row[] = {TEXT("layers.0.attention"),
                                   TEXT("Fully Connected (NC, F32) GEMM #1"), DOUBLE(0.5),
                                   TEXT("some_models.py:505")};
    eti_report *report = make_report(layers, 4, row, 4);
    eti__table_cut_first(report->sections[0].table, "kernel");
    eti_write_options options = plain(89);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    assert_report(report, "text", &options,
                  "layer               kernel                             share           source\n"
                  "──────────────────  ─────────────────────────────────  ──────────────  "
                  "──────────────────\n"
                  "layers.0.attention  Fully Connected (NC, F32) GEMM #1  50.0% ████      "
                  "some_models.py:505\n");
    options.width = 88; /* no room for the bar */
    assert_report(report, "text", &options,
                  "layer               kernel                             share  source\n"
                  "──────────────────  ─────────────────────────────────  ─────  "
                  "──────────────────\n"
                  "layers.0.attention  Fully Connected (NC, F32) GEMM #1  50.0%  "
                  "some_models.py:505\n");
    options.width = 59;
    assert_report(report, "text", &options,
                  "layer               kernel        share  source\n"
                  "──────────────────  ────────────  ─────  ──────────────────\n"
                  "layers.0.attention  Fully …MM #1  50.0%  some_models.py:505\n");
    options.width = 53;
    assert_report(report, "text", &options,
                  "layer               kernel        share  source\n"
                  "──────────────────  ────────────  ─────  ────────────\n"
                  "layers.0.attention  Fully …MM #1  50.0%  …dels.py:505\n");
    options.width = 52;
    assert_report(report, "text", &options,
                  "layer               kernel                     share\n"
                  "──────────────────  ─────────────────────────  ─────\n"
                  "layers.0.attention  Fully Connec…F32) GEMM #1  50.0%\n"
                  "(1 column hidden: --width or --columns)\n");
    eti_report_free(report);
}

/* Deviations are not parts of a whole, whatever their values. */
static void test_spreads_have_no_bar(void **state) {
    (void)state;
    eti_report *report =
        make_report(text_columns + 3, 1, (const eti_cell[]){DOUBLE(0.9), DOUBLE(0.05)}, 2);
    eti_write_options options = plain(40);
    options.for_terminal = true;
    options.color = ETI_COLOR_NEVER;
    eti__table_mark_spread(report->sections[0].table, "share");
    assert_report(report, "text", &options, "share\n─────\n90.0%\n 5.0%\n");
    eti_report_free(report);
    for (int below = 0; below < 2; below++) {
        report =
            make_report(text_columns + 3, 1, (const eti_cell[]){DOUBLE(below ? -0.1 : 1.1)}, 1);
        assert_report(report, "text", &options,
                      below ? " share\n──────\n-10.0%\n" : " share\n──────\n110.0%\n");
        eti_report_free(report);
    }
}

/* A wide screen has room for a longer bar, up to 20 columns. */
static void test_long_bars(void **state) {
    (void)state;
    eti_report *report = make_report(text_columns + 3, 1, (const eti_cell[]){DOUBLE(0.5)}, 1);
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
    eti_report *report = make_report(text_columns, 1, cells, 1);
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

/* ==== paragraph =============================================================================== */

static bool take(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

static void assert_lines(const char *text, size_t width, const char *expected) {
    eti_buffer found = {0};
    eti_output *output;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__output_open_function(&output, take, &found, &err));
    eti__add_paragraph(output, eti__text_of(text), width);
    assert_ok(eti__output_commit(output, &err));
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
}

static void words_are_broken_at_the_edge(void **state) {
    (void)state;
    assert_lines("one two three", 0, "one two three\n");
    assert_lines("one two three", 13, "one two three\n");
    assert_lines("one two three", 12, "one two\nthree\n");
    assert_lines("one two three", 1, "one\ntwo\nthree\n");
    assert_lines("caf\xc3\xa9 ol\xc3\xa9", 8, "caf\xc3\xa9 ol\xc3\xa9\n");
    assert_lines("", 5, "\n");
}

static void a_number_and_its_unit_stay_together(void **state) {
    (void)state;
    assert_lines("saves 273.8 \302\265s in all", 12, "saves\n273.8 \302\265s in\nall\n");
    assert_lines("saves 273.8 us, 4 %.", 12, "saves\n273.8 us,\n4 %.\n");
    static const char *const units[] = {"ns", "ms", "s", "cycles", "B", "bytes", "KiB", "x", "GHz"};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        char text[40], expected[40];
        for (size_t k = 0; k < 5; k++) {
            snprintf(text, sizeof text, "a 1,234 %s%.1s b", units[i], &".,;:)"[k]);
            snprintf(expected, sizeof expected, "a\n1,234 %s%.1s\nb\n", units[i], &".,;:)"[k]);
            assert_lines(text, 8, expected);
        }
    }
    assert_lines("take 5", 4, "take\n5\n");
    assert_lines("12 KiB", 2, "12 KiB\n");
}

static void other_words_part_from_numbers(void **state) {
    (void)state;
    assert_lines("19 runs", 4, "19\nruns\n");
    assert_lines("4.7 times", 4, "4.7\ntimes\n");
    assert_lines("12 see", 4, "12\nsee\n");
    assert_lines("a s", 1, "a\ns\n");
    assert_lines("5 .", 1, "5\n.\n");
    assert_lines("5 ", 1, "5\n");
}

static void a_number_and_its_percent_stay_together(void **state) {
    (void)state;
    assert_lines("one 12.3 % more", 9, "one\n12.3 %\nmore\n");
    assert_lines("one 12.3 %, more", 12, "one 12.3 %,\nmore\n");
    assert_lines("5 %", 3, "5 %\n");
    assert_lines("a %", 2, "a %\n"); /* then the line is too wide */
}

/* ==== range map =============================================================================== */

/* Checks the map of ranges, in `width` ASCII characters for the bytes [0, whole). */
static void assert_map(const char *expected, uint64_t whole, size_t width, size_t n,
                       const uint64_t *items) {
    const eti_cell cell = eti__list_cell(ETI_CELL_UINTS, items, n);
    eti_buffer out = {0};
    eti__add_range_map(&out, &cell, whole, width, true);
    eti__buffer_add_char(&out, '|');
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define RANGES(...)                                                                                \
    COUNT_OF(((uint64_t[]){__VA_ARGS__})), (uint64_t[]) {                                          \
        __VA_ARGS__                                                                                \
    }

static void darker_where_more_is_in_use(void **state) {
    (void)state;
    assert_map("####|", 16, 4, RANGES(0, 16));
    assert_map("#  #|", 16, 4, RANGES(0, 4, 12, 16));
    assert_map(".:+|", 18, 3, RANGES(0, 1, 6, 9, 13, 18));
    assert_map(" :|", 16, 4, RANGES(5, 6, 7, 8));
    assert_map("|", 16, 4, 0, NULL);
}

static void few_bytes_are_several_characters_wide(void **state) {
    (void)state;
    assert_map("####|", 2, 8, RANGES(0, 1));
    assert_map("    ####|", 2, 8, RANGES(1, 2));
}

static void large_numbers_do_not_overflow(void **state) {
    (void)state;
    assert_map("  ##|", UINT64_MAX, 4, RANGES(UINT64_MAX / 2, UINT64_MAX));
    assert_true(eti__ranges_end(&(eti_cell){.kind = ETI_CELL_UINTS}) == 0);
}

/* ==== screen ================================================================================== */

static const char *const variables[] = {"COLUMNS",  "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL",
                                        "LC_CTYPE", "LANG"};

static int clear_environment(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        unsetenv(variables[i]);
    return 0;
}

static bool ignore(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return true;
}

static eti_screen screen_of_function(eti_write_options options) {
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, ignore, NULL, NULL), ETI_OK);
    eti_screen screen = eti__screen_of(output, &options);
    eti__output_discard(output);
    return screen;
}

static void test_no_terminal(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    setenv("COLUMNS", "40", 1); /* applies to terminals only */
    setenv("TERM", "xterm", 1);
    eti_screen screen = screen_of_function(options);
    assert_int_equal(screen.width, 0);
    assert_false(screen.is_terminal || screen.has_color || screen.has_utf8);
    options.width = 33;
    options.color = ETI_COLOR_ALWAYS;
    screen = screen_of_function(options);
    assert_int_equal(screen.width, 33);
    assert_true(screen.has_color);
}

static void test_color(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    options.for_terminal = true;
    assert_false(screen_of_function(options).has_color); /* of an unknown kind */
    setenv("TERM", "dumb", 1);
    assert_false(screen_of_function(options).has_color);
    setenv("TERM", "xterm", 1);
    assert_true(screen_of_function(options).has_color);
    options.color = ETI_COLOR_NEVER;
    assert_false(screen_of_function(options).has_color);
    options.color = ETI_COLOR_AUTO;
    setenv("NO_COLOR", "", 1);
    assert_true(screen_of_function(options).has_color);
    setenv("NO_COLOR", "1", 1);
    assert_false(screen_of_function(options).has_color);
    options.color = ETI_COLOR_ALWAYS;
    assert_true(screen_of_function(options).has_color);
    unsetenv("NO_COLOR");
    assert_false(screen_of_function(defaults).has_color);
    setenv("CLICOLOR_FORCE", "0", 1);
    assert_false(screen_of_function(defaults).has_color);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_true(screen_of_function(defaults).has_color);
}

static void test_characters(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    setenv("LANG", "de_DE.utf8", 1);
    assert_true(screen_of_function(options).has_utf8);
    setenv("LC_CTYPE", "en_US.UTF-8", 1);
    setenv("LANG", "C", 1);
    assert_true(screen_of_function(options).has_utf8);
    setenv("LC_ALL", "POSIX", 1);
    assert_false(screen_of_function(options).has_utf8);
    setenv("LC_ALL", "", 1);
    assert_true(screen_of_function(options).has_utf8);
    options.ascii = true;
    assert_false(screen_of_function(options).has_utf8);
}

static void test_width_of_a_terminal(void **state) {
    (void)state;
    const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    eti_write_options options = defaults;
    options.for_terminal = true;
    assert_int_equal(screen_of_function(options).width, 80);
    setenv("COLUMNS", "40", 1);
    assert_int_equal(screen_of_function(options).width, 40);
    setenv("COLUMNS", "40x", 1);
    assert_int_equal(screen_of_function(options).width, 80);

    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip();
    int kept_open = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_col = 123, .ws_row = 20};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    eti_output *output;
    assert_int_equal(eti__output_open(&output, ptsname(terminal), NULL), ETI_OK);
    assert_int_equal(eti__screen_of(output, &defaults).width, 123);
    assert_true(eti__screen_of(output, &defaults).is_terminal);
    setenv("COLUMNS", "40", 1);
    assert_int_equal(eti__screen_of(output, &defaults).width, 40);
    eti__output_discard(output);
    close(kept_open);
    close(terminal);
}

/* ==== share bar =============================================================================== */
/* Shows shares as bars and colours. */

static bool keep(void *context, const void *data, size_t size) {
    eti__buffer_add_text(context, (eti_text){data, size});
    return true;
}

static void assert_bar(double share, size_t width, bool is_ascii, const char *expected,
                       size_t columns) {
    eti_error err = ETI_ERROR_INIT;
    eti_output *output;
    eti_buffer kept = {0};
    assert_ok(eti__output_open_function(&output, keep, &kept, &err));
    assert_int_equal(eti__add_share_bar(output, share, width, is_ascii), columns);
    assert_ok(eti__output_commit(output, &err));
    assert_text(((eti_text){kept.data ? kept.data : "", kept.size}), expected);
    eti__buffer_free(&kept);
}

static void bars_have_eighths(void **state) {
    (void)state;
    assert_bar(1, 4, false, "████", 4);
    assert_bar(0.5, 4, false, "██", 2);
    assert_bar(0.53125, 4, false, "██▏", 3);
    assert_bar(0.96, 4, false, "███▉", 4);
    assert_bar(0.03125, 4, false, "▏", 1);
    assert_bar(0.01, 4, false, "", 0);
}

static void ascii_bars_are_rounded(void **state) {
    (void)state;
    assert_bar(1, 4, true, "####", 4);
    assert_bar(0.62, 4, true, "##", 2);
    assert_bar(0.63, 4, true, "###", 3);
    assert_bar(0.1, 4, true, "", 0);
}

static void odd_shares_stay_in_the_width(void **state) {
    (void)state;
    assert_bar(7, 2, false, "██", 2);
    assert_bar((double)INFINITY, 2, false, "██", 2);
    assert_bar(-1, 2, false, "", 0);
    assert_bar((double)NAN, 2, false, "", 0);
    assert_bar(1, 0, false, "", 0);
}

static void colors_have_four_steps(void **state) {
    (void)state;
    assert_string_equal(eti__share_color(0.25), "\033[1;31m");
    assert_string_equal(eti__share_color(0.2499), "\033[31m");
    assert_string_equal(eti__share_color(0.1), "\033[31m");
    assert_string_equal(eti__share_color(0.03), "\033[33m");
    assert_string_equal(eti__share_color(0.0299), "");
    assert_string_equal(eti__share_color((double)NAN), "");
}

static void branches_end_where_names_begin(void **state) {
    (void)state;
    assert_int_equal(eti__branches_size(eti__text_of("│  ├─ q")), strlen("│  ├─ "));
    assert_int_equal(eti__branches_size(eti__text_of("   └─ q")), strlen("   └─ "));
    assert_int_equal(eti__branches_size(eti__text_of("|  `- - q")), strlen("|  `- "));
    assert_int_equal(eti__branches_size(eti__text_of("|- ")), 3);
    assert_int_equal(eti__branches_size(eti__text_of("├")), 0);
    assert_int_equal(eti__branches_size(eti__text_of("model")), 0);
    assert_int_equal(eti__branches_size(eti__text_of("")), 0);
}

static int run_text(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_width),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_columns_are_left_out),
        cmocka_unit_test(test_chosen_columns),
        cmocka_unit_test(test_color_and_bars),
        cmocka_unit_test(test_bars_instead_of_columns),
        cmocka_unit_test(test_cut_first),
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_broken_at_the_edge),
        cmocka_unit_test(a_number_and_its_unit_stay_together),
        cmocka_unit_test(other_words_part_from_numbers),
        cmocka_unit_test(a_number_and_its_percent_stay_together),
        cmocka_unit_test(darker_where_more_is_in_use),
        cmocka_unit_test(few_bytes_are_several_characters_wide),
        cmocka_unit_test(large_numbers_do_not_overflow),
        cmocka_unit_test_setup(test_no_terminal, clear_environment),
        cmocka_unit_test_setup(test_color, clear_environment),
        cmocka_unit_test_setup(test_characters, clear_environment),
        cmocka_unit_test_setup(test_width_of_a_terminal, clear_environment),
        cmocka_unit_test(bars_have_eighths),
        cmocka_unit_test(ascii_bars_are_rounded),
        cmocka_unit_test(odd_shares_stay_in_the_width),
        cmocka_unit_test(colors_have_four_steps),
        cmocka_unit_test(branches_end_where_names_begin),
    };
    return run_text() + cmocka_run_group_tests(tests, NULL, NULL);
}
