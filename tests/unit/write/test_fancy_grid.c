#include "table_text.h"

#include "support.h"

#include "write/fancy_grid.h"
#include "write/writer.h"

#include <math.h>

/* ==== fancy grid ============================================================================== */
/*
 * The expected bytes were printed by tabulate 0.10.0 with pandas 3.1.1 and pasted here:
 *
 *     df = pandas.DataFrame(rows, columns=names, dtype=object)
 *     print(tabulate(df, headers="keys", tablefmt="fancy_grid"))
 *
 * where a list was passed as the text that it prints, and showindex=False without an index.
 */

static void test_ordinary_table(void **state) {
    (void)state;
    static const char *const names[] = {
        "event_name", "p10 (ms)", "op_types", "is_delegated_op", "delegate_backend_name",
        "start_time", NULL};
    static const eti_cell cells[] = {
        TEXT("addmm.out"),
        DOUBLE(1.52),
        LIST("['aten.permute_copy.default', 'aten.addmm.default']"),
        BOOL(false),
        NO_CELL,
        LIST("[0, 0]"),
        TEXT("relu.out"),
        DOUBLE(1.2258966),
        LIST("[]"),
        BOOL(false),
        NO_CELL,
        LIST("[5, 5]"),
        TEXT("DELEGATE_CALL"),
        DOUBLE(1.5e-05),
        LIST("[]"),
        BOOL(true),
        TEXT("XnnpackBackend"),
        LIST("[7]"),
    };
    ASSERT_WRITTEN(
        &eti__writer_fancy_grid, true, names, cells,
        "╒════╤═══════════════╤════════════╤═════════════════════════════════════════════════════╤═"
        "══════════════════╤═════════════════════════╤══════════════╕\n"
        "│    │ event_name    │   p10 (ms) │ op_types                                            │ "
        "is_delegated_op   │ delegate_backend_name   │ start_time   │\n"
        "╞════╪═══════════════╪════════════╪═════════════════════════════════════════════════════╪═"
        "══════════════════╪═════════════════════════╪══════════════╡\n"
        "│  0 │ addmm.out     │    1.52    │ ['aten.permute_copy.default', 'aten.addmm.default'] │ "
        "False             │                         │ [0, 0]       │\n"
        "├────┼───────────────┼────────────┼─────────────────────────────────────────────────────┼─"
        "──────────────────┼─────────────────────────┼──────────────┤\n"
        "│  1 │ relu.out      │    1.2259  │ []                                                  │ "
        "False             │                         │ [5, 5]       │\n"
        "├────┼───────────────┼────────────┼─────────────────────────────────────────────────────┼─"
        "──────────────────┼─────────────────────────┼──────────────┤\n"
        "│  2 │ DELEGATE_CALL │    1.5e-05 │ []                                                  │ "
        "True              │ XnnpackBackend          │ [7]          │\n"
        "╘════╧═══════════════╧════════════╧═════════════════════════════════════════════════════╧═"
        "══════════════════╧═════════════════════════╧══════════════╛\n");
}

/* Uses the example of the format's specification. */
static void test_names_that_are_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"event_block_name", "event_name", "p10", NULL};
    static const eti_cell cells[] = {
        TEXT("7"), TEXT("3"),    DOUBLE(1.5),          TEXT("7"), TEXT("12"), DOUBLE(123.456789),
        TEXT("7"), TEXT("1.50"), DOUBLE(4000000000.0),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤════════════════════╤══════════════╤═════════╕\n"
                   "│    │   event_block_name │   event_name │     p10 │\n"
                   "╞════╪════════════════════╪══════════════╪═════════╡\n"
                   "│  0 │                  7 │          3   │   1.5   │\n"
                   "├────┼────────────────────┼──────────────┼─────────┤\n"
                   "│  1 │                  7 │         12   │ 123.457 │\n"
                   "├────┼────────────────────┼──────────────┼─────────┤\n"
                   "│  2 │                  7 │          1.5 │   4e+09 │\n"
                   "╘════╧════════════════════╧══════════════╧═════════╛\n");
}

static void test_integers(void **state) {
    (void)state;
    static const char *const names[] = {"n", "text", NULL};
    static const eti_cell cells[] = {
        INT(5),  TEXT("00012"), INT(INT64_MIN), TEXT(" 7 "),
        NO_CELL, TEXT("1,000"), INT(12),        TEXT(""),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤══════════════════════╤════════╕\n"
                   "│    │                    n │   text │\n"
                   "╞════╪══════════════════════╪════════╡\n"
                   "│  0 │                    5 │  00012 │\n"
                   "├────┼──────────────────────┼────────┤\n"
                   "│  1 │ -9223372036854775808 │     7  │\n"
                   "├────┼──────────────────────┼────────┤\n"
                   "│  2 │                      │  1,000 │\n"
                   "├────┼──────────────────────┼────────┤\n"
                   "│  3 │                   12 │        │\n"
                   "╘════╧══════════════════════╧════════╛\n");
}

static void test_decimals(void **state) {
    (void)state;
    static const char *const names[] = {"values", NULL};
    static const eti_cell cells[] = {
        DOUBLE(1.5e-05), DOUBLE(4000000000.0), DOUBLE(12.0),       DOUBLE(0.25), NO_CELL,
        NAN_CELL,        DOUBLE(INFINITY),     DOUBLE(-1234567.0),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═══════════════╕\n"
                   "│    │        values │\n"
                   "╞════╪═══════════════╡\n"
                   "│  0 │   1.5e-05     │\n"
                   "├────┼───────────────┤\n"
                   "│  1 │   4e+09       │\n"
                   "├────┼───────────────┤\n"
                   "│  2 │  12           │\n"
                   "├────┼───────────────┤\n"
                   "│  3 │   0.25        │\n"
                   "├────┼───────────────┤\n"
                   "│  4 │               │\n"
                   "├────┼───────────────┤\n"
                   "│  5 │ nan           │\n"
                   "├────┼───────────────┤\n"
                   "│  6 │ inf           │\n"
                   "├────┼───────────────┤\n"
                   "│  7 │  -1.23457e+06 │\n"
                   "╘════╧═══════════════╛\n");
}

static void test_texts_in_a_float_column(void **state) {
    (void)state;
    static const char *const names[] = {"values", "mixed", NULL};
    static const eti_cell cells[] = {
        TEXT("1,234.5"), TEXT("True"),    TEXT("5."), BOOL(true),  TEXT("1_0.5"),
        BOOL(false),     TEXT("12"),      INT(3),     TEXT("NaN"), DOUBLE(0.125),
        TEXT(" .5 "),    TEXT("\0131e3"), TEXT(""),   NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤══════════╤══════════╕\n"
                   "│    │   values │    mixed │\n"
                   "╞════╪══════════╪══════════╡\n"
                   "│  0 │   1234.5 │ True     │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  1 │      5   │    1     │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  2 │     10.5 │    0     │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  3 │     12   │    3     │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  4 │    nan   │    0.125 │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  5 │      0.5 │ 1000     │\n"
                   "├────┼──────────┼──────────┤\n"
                   "│  6 │          │          │\n"
                   "╘════╧══════════╧══════════╛\n");
}

static void test_texts_that_are_no_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", NULL};
    static const eti_cell cells[] = {
        TEXT("1e999"), TEXT("+nan"), TEXT("1__0"), TEXT("0.5"), TEXT("0.5"), TEXT("0.5"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═══════╤══════╤══════╕\n"
                   "│    │ a     │ b    │ c    │\n"
                   "╞════╪═══════╪══════╪══════╡\n"
                   "│  0 │ 1e999 │ +nan │ 1__0 │\n"
                   "├────┼───────┼──────┼──────┤\n"
                   "│  1 │ 0.5   │ 0.5  │ 0.5  │\n"
                   "╘════╧═══════╧══════╧══════╛\n");
}

static void test_missing_columns(void **state) {
    (void)state;
    static const char *const names[] = {"nothing", "empty", "nan", NULL};
    static const eti_cell cells[] = {
        NO_CELL, TEXT(""), NAN_CELL, NO_CELL, NO_CELL, NAN_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═══════════╤═════════╤═══════╕\n"
                   "│    │ nothing   │ empty   │   nan │\n"
                   "╞════╪═══════════╪═════════╪═══════╡\n"
                   "│  0 │           │         │   nan │\n"
                   "├────┼───────────┼─────────┼───────┤\n"
                   "│  1 │           │         │   nan │\n"
                   "╘════╧═══════════╧═════════╧═══════╛\n");
}

static void test_lists_are_text(void **state) {
    (void)state;
    static const char *const names[] = {"ids", NULL};
    static const eti_cell cells[] = {
        LIST("12"),
        TEXT("12"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═══════╕\n"
                   "│    │ ids   │\n"
                   "╞════╪═══════╡\n"
                   "│  0 │ 12    │\n"
                   "├────┼───────┤\n"
                   "│  1 │ 12    │\n"
                   "╘════╧═══════╛\n");
}

static void test_characters_count_one_each(void **state) {
    (void)state;
    static const char *const names[] = {"漢字", "e\314\201", NULL};
    static const eti_cell cells[] = {
        TEXT("🙂"),
        TEXT("é"),
        TEXT("\343\200\200ab\342\200\203"),
        TEXT("\302\240"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤══════╤══════╕\n"
                   "│    │ 漢字   │ e\314\201   │\n"
                   "╞════╪══════╪══════╡\n"
                   "│  0 │ 🙂    │ é    │\n"
                   "├────┼──────┼──────┤\n"
                   "│  1 │ ab   │      │\n"
                   "╘════╧══════╧══════╛\n");
}

static void test_lines(void **state) {
    (void)state;
    static const char *const names[] = {"name", "p10", NULL};
    static const eti_cell cells[] = {
        TEXT("a\nbb"), DOUBLE(1.0), TEXT("one\r\ntwo\013three\342\200\250four"),
        DOUBLE(0.25),  TEXT(""),    NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤════════════════╤═══════╕\n"
                   "│    │ name           │   p10 │\n"
                   "╞════╪════════════════╪═══════╡\n"
                   "│  0 │ a              │  1    │\n"
                   "│    │ bb             │       │\n"
                   "├────┼────────────────┼───────┤\n"
                   "│  1 │ one            │  0.25 │\n"
                   "│    │ two            │       │\n"
                   "│    │ three          │       │\n"
                   "│    │ four           │       │\n"
                   "├────┼────────────────┼───────┤\n"
                   "│  2 │                │       │\n"
                   "╘════╧════════════════╧═══════╛\n");
}

static void test_a_lone_cr_makes_lines(void **state) {
    (void)state;
    static const char *const names[] = {"name", NULL};
    static const eti_cell cells[] = {
        TEXT("a\rb"),
        TEXT("\014|\034|"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤════════╕\n"
                   "│    │ name   │\n"
                   "╞════╪════════╡\n"
                   "│  0 │ a      │\n"
                   "│    │ b      │\n"
                   "├────┼────────┤\n"
                   "│  1 │ |      │\n"
                   "│    │ |      │\n"
                   "╘════╧════════╛\n");
}

static void test_lines_in_a_name(void **state) {
    (void)state;
    static const char *const names[] = {"first\nsecond", "x", NULL};
    static const eti_cell cells[] = {
        TEXT("value"),
        INT(1),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤══════════╤═════╕\n"
                   "│    │ first    │   x │\n"
                   "│    │ second   │     │\n"
                   "╞════╪══════════╪═════╡\n"
                   "│  0 │ value    │   1 │\n"
                   "╘════╧══════════╧═════╛\n");
}

static void test_a_line_break_that_is_a_number(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {
        TEXT("\n"),
        TEXT("0.5"),
        NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═════╕\n"
                   "│    │   x │\n"
                   "╞════╪═════╡\n"
                   "│  0 │     │\n"
                   "│    │     │\n"
                   "├────┼─────┤\n"
                   "│  1 │ 0.5 │\n"
                   "├────┼─────┤\n"
                   "│  2 │     │\n"
                   "╘════╧═════╛\n");
}

static void test_single_line_mode_keeps_other_breaks(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {
        TEXT("a\013b"),
        TEXT("\013c\342\200\250"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤═════╕\n"
                   "│    │ x   │\n"
                   "╞════╪═════╡\n"
                   "│  0 │ a\013b │\n"
                   "├────┼─────┤\n"
                   "│  1 │ c   │\n"
                   "╘════╧═════╛\n");
}

static void test_no_rows(void **state) {
    (void)state;
    static const char *const names[] = {"event_name", "p10 (ms)", NULL};
    eti_table *table = make_table(true, names, NULL, 0);
    assert_written(&eti__writer_fancy_grid, table,
                   "╒══════════════╤════════════╕\n"
                   "│ event_name   │ p10 (ms)   │\n"
                   "╞══════════════╪════════════╡\n"
                   "╘══════════════╧════════════╛\n");
}

static void test_no_index(void **state) {
    (void)state;
    static const char *const names[] = {"module", "total", NULL};
    static const eti_cell cells[] = {
        TEXT("fc"),
        DOUBLE(1.5),
        TEXT("conv"),
        NO_CELL,
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, false, names, cells,
                   "╒══════════╤═════════╕\n"
                   "│ module   │   total │\n"
                   "╞══════════╪═════════╡\n"
                   "│ fc       │     1.5 │\n"
                   "├──────────┼─────────┤\n"
                   "│ conv     │         │\n"
                   "╘══════════╧═════════╛\n");
}

static void test_no_index_and_an_empty_row_of_lines(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    static const eti_cell cells[] = {
        TEXT("x\ny"),
        NO_CELL,
        NO_CELL,
        TEXT(""),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, false, names, cells,
                   "╒═════╤═════╕\n"
                   "│ a   │ b   │\n"
                   "╞═════╪═════╡\n"
                   "│ x   │     │\n"
                   "│ y   │     │\n"
                   "├─────┼─────┤\n"
                   "╘═════╧═════╛\n");
}

/* Deliberately differs from tabulate; expected output comes from a version that ignores escapes. */
static void test_escapes_are_characters(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {
        TEXT("\033[31mred\033[0m"),
        TEXT("\033[1m7"),
    };
    ASSERT_WRITTEN(&eti__writer_fancy_grid, true, names, cells,
                   "╒════╤══════════════╕\n"
                   "│    │ x            │\n"
                   "╞════╪══════════════╡\n"
                   "│  0 │ \033[31mred\033[0m │\n"
                   "├────┼──────────────┤\n"
                   "│  1 │ \033[1m7        │\n"
                   "╘════╧══════════════╛\n");
}

/* Text that ends in the middle of a character, and a NUL. */
static void test_hostile_bytes(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    eti_table *table = make_table(false, names, NULL, 0);
    eti__table_add_row(table)->as_text = (eti_text){"\0\377\342\202", 4};
    table->cells[0].kind = ETI_CELL_TEXT;
    eti_buffer buffer = {0};
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, keep_output, &buffer, NULL), ETI_OK);
    assert_int_equal(eti__writer_fancy_grid.write_table(
                         table, &(const eti_write_options)ETI_WRITE_OPTIONS_DEFAULT, output, NULL),
                     ETI_OK);
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
    static const char row[] = "\n│ \0\377\342\202 │\n";
    eti_text needle = {row, sizeof row - 1};
    assert_true(eti__text_contains(eti__buffer_text(&buffer), needle));
    eti__buffer_free(&buffer);
    eti_table_free(table);
}

static bool refuse(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return false;
}

static void test_failing_output_is_reported_at_commit(void **state) {
    (void)state;
    static const char *const names[] = {"x", NULL};
    static const eti_cell cells[] = {INT(1), INT(2)};
    eti_table *table = make_table(true, names, cells, COUNT(cells));
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, refuse, NULL, NULL), ETI_OK);
    assert_int_equal(eti__writer_fancy_grid.write_table(
                         table, &(const eti_write_options)ETI_WRITE_OPTIONS_DEFAULT, output, NULL),
                     ETI_OK);
    assert_int_equal(eti__output_commit(output, NULL), ETI_ERROR_WRITE);
    eti_table_free(table);
}

static bool count_output(void *context, const void *data, size_t size) {
    (void)data;
    *(size_t *)context += size;
    return true;
}

/* Draws a table that may take `most` bytes; `*size` receives the bytes it took. */
static eti_status draw(const char *const *names, const eti_cell *cells, size_t n_cells, size_t most,
                       size_t *size, eti_error *err) {
    eti_table *table = make_table(true, names, cells, n_cells);
    table->most_drawn = most;
    *size = 0;
    eti_output *output;
    assert_int_equal(eti__output_open_function(&output, count_output, size, NULL), ETI_OK);
    eti_status status = eti__writer_fancy_grid.write_table(
        table, &(const eti_write_options)ETI_WRITE_OPTIONS_DEFAULT, output, err);
    assert_int_equal(eti__output_commit(output, NULL), ETI_OK);
    eti_table_free(table);
    return status;
}

/* Checks that a table is rejected if it needs more bytes than are allowed, and drawn if it needs just as many. */
static void assert_bounded(const char *const *names, const eti_cell *cells, size_t n_cells,
                           const char *message) {
    size_t whole, size;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(draw(names, cells, n_cells, 0, &whole, &err));
    assert_ok(draw(names, cells, n_cells, whole, &size, &err));
    assert_int_equal(size, whole);
    assert_fails(draw(names, cells, n_cells, whole / 2, &size, &err), ETI_ERROR_LIMIT, message);
    assert_int_equal(size, 0);
}

static void test_width_times_rows_is_bounded(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    eti_cell cells[200];
    char wide[1000];
    memset(wide, 'x', sizeof wide);
    for (size_t i = 0; i < COUNT(cells); i++)
        cells[i] = (eti_cell){.kind = ETI_CELL_TEXT, .as_text = {wide, i == 1 ? sizeof wide : 1}};
    assert_bounded(names, cells, COUNT(cells),
                   "because column b is 1000 characters wide in 100 lines: use format tsv or csv");
}

static void test_height_times_width_is_bounded(void **state) {
    (void)state;
    static const char *const names[] = {"a", NULL};
    char wide[1000], high[1000];
    memset(wide, 'x', sizeof wide);
    memset(high, '\n', sizeof high);
    high[0] = high[sizeof high - 1] = 'y';
    const eti_cell cells[] = {{.kind = ETI_CELL_TEXT, .as_text = {wide, sizeof wide}},
                              {.kind = ETI_CELL_TEXT, .as_text = {high, sizeof high}}};
    assert_bounded(names, cells, COUNT(cells),
                   "because column a is 1000 characters wide in 1000 lines");
}

/* ==== grid cell =============================================================================== */
/* The expected types come from tabulate 0.10.0: tabulate._type(text). */

static eti_grid_type type_of(eti_cell cell) {
    eti_buffer scratch = {0};
    eti_grid_type type = eti__grid_cell_type(&cell, &scratch);
    assert_false(scratch.failed);
    eti__buffer_free(&scratch);
    return type;
}

static void assert_types(eti_grid_type type, const char *const *texts) {
    for (; *texts; texts++) {
        eti_cell cell = {.kind = ETI_CELL_TEXT, .as_text = eti__text_of(*texts)};
        if (type_of(cell) != type)
            fail_msg("\"%s\" is %d, not %d", *texts, (int)type_of(cell), (int)type);
    }
}

static void test_missing(void **state) {
    (void)state;
    static const char *const texts[] = {"", NULL};
    assert_types(ETI_GRID_MISSING, texts);
}

static void test_bools(void **state) {
    (void)state;
    static const char *const texts[] = {"True", "False", NULL};
    assert_types(ETI_GRID_BOOL, texts);
}

static void test_ints(void **state) {
    (void)state;
    static const char *const texts[] = {"0",     "12",     " 12 ",       "+3",      "00012",
                                        "1_000", "1,000",  "-1,234,567", "1,000\n", "\n",
                                        "1",     "1000\n", NULL};
    assert_types(ETI_GRID_INT, texts);
}

static void test_floats(void **state) {
    (void)state;
    static const char *const texts[] = {"1.5",    "1.",   "5.",  " .5",   ".5\n",    "1,234.5",
                                        "1,234.", "+.5",  "1e5", "1E-05", "1_0.5_1", "1e-999",
                                        "inf",    "-inf", "INF", "nan",   "NaN",     NULL};
    assert_types(ETI_GRID_FLOAT, texts);
}

static void test_texts(void **state) {
    (void)state;
    static const char *const texts[] = {"true",   "1,2345", "12,34", ",100", ".",    "1,.5",
                                        "1e999",  "-1e999", "+inf",  "-nan", " nan", "infinity",
                                        "1_",     "_1",     "1e",    "0x10", "abc",  "[5, 5]",
                                        "\03412", "12\037", "+\n",   NULL};
    assert_types(ETI_GRID_TEXT, texts);
}

static void test_other_kinds(void **state) {
    (void)state;
    assert_int_equal(type_of((eti_cell)NO_CELL), ETI_GRID_MISSING);
    assert_int_equal(type_of((eti_cell)BOOL(true)), ETI_GRID_BOOL);
    assert_int_equal(type_of((eti_cell)INT(0)), ETI_GRID_INT);
    assert_int_equal(type_of((eti_cell)DOUBLE(0)), ETI_GRID_FLOAT);
    assert_int_equal(type_of((eti_cell)NAN_CELL), ETI_GRID_FLOAT);
    assert_int_equal(type_of((eti_cell)LIST("12")), ETI_GRID_TEXT);
    assert_int_equal(type_of((eti_cell)LIST("")), ETI_GRID_TEXT);
    assert_int_equal(type_of((eti_cell){.kind = ETI_CELL_TEXT}), ETI_GRID_MISSING);
}

static void test_decimals_in_grid_cell(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int decimals;
    } examples[] = {{"1.5", 1},   {"-1.25", 2},  {"1.5e-05", 5}, {"4e+09", 3},
                    {"12", -1},   {"nan", -1},   {"inf", -1},    {"-inf", -1},
                    {"True", -1}, {"False", -1}, {"", -1},       {"-", -1}};
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_int_equal(eti__grid_decimals(eti__text_of(examples[i].text)), examples[i].decimals);
}

static void assert_printed(eti_cell cell, eti_grid_type column_type, const char *expected) {
    eti_number_text number = {.size = 0};
    eti_buffer scratch = {0};
    eti_text text = eti__grid_cell_text(&cell, column_type, &number, &scratch);
    assert_int_equal(text.size, eti__text_of(expected).size);
    assert_memory_equal(text.data, expected, text.size);
    eti__buffer_free(&scratch);
}

static void test_printed_in_a_float_column(void **state) {
    (void)state;
    assert_printed((eti_cell)NO_CELL, ETI_GRID_FLOAT, "");
    assert_printed((eti_cell)NAN_CELL, ETI_GRID_FLOAT, "nan");
    assert_printed((eti_cell)BOOL(true), ETI_GRID_FLOAT, "1");
    assert_printed((eti_cell)INT(12345678), ETI_GRID_FLOAT, "1.23457e+07");
    assert_printed((eti_cell)DOUBLE(1.5), ETI_GRID_FLOAT, "1.5");
    assert_printed((eti_cell)TEXT(""), ETI_GRID_FLOAT, "");
    assert_printed((eti_cell)TEXT("True"), ETI_GRID_FLOAT, "True");
    assert_printed((eti_cell)TEXT("-1,234.5"), ETI_GRID_FLOAT, "-1234.5");
    assert_printed((eti_cell)TEXT(" 5. "), ETI_GRID_FLOAT, "5");
}

static void test_printed_in_other_columns(void **state) {
    (void)state;
    assert_printed((eti_cell)NAN_CELL, ETI_GRID_TEXT, "nan");
    assert_printed((eti_cell)DOUBLE(12), ETI_GRID_TEXT, "12.0");
    assert_printed((eti_cell)INT(-7), ETI_GRID_INT, "-7");
    assert_printed((eti_cell)TEXT("00012"), ETI_GRID_INT, "00012");
    assert_printed((eti_cell)BOOL(false), ETI_GRID_BOOL, "False");
    assert_printed((eti_cell)NO_CELL, ETI_GRID_BOOL, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary_table),
        cmocka_unit_test(test_names_that_are_numbers),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_texts_in_a_float_column),
        cmocka_unit_test(test_texts_that_are_no_numbers),
        cmocka_unit_test(test_missing_columns),
        cmocka_unit_test(test_lists_are_text),
        cmocka_unit_test(test_characters_count_one_each),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_lone_cr_makes_lines),
        cmocka_unit_test(test_lines_in_a_name),
        cmocka_unit_test(test_a_line_break_that_is_a_number),
        cmocka_unit_test(test_single_line_mode_keeps_other_breaks),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_no_index),
        cmocka_unit_test(test_no_index_and_an_empty_row_of_lines),
        cmocka_unit_test(test_escapes_are_characters),
        cmocka_unit_test(test_hostile_bytes),
        cmocka_unit_test(test_failing_output_is_reported_at_commit),
        cmocka_unit_test(test_width_times_rows_is_bounded),
        cmocka_unit_test(test_height_times_width_is_bounded),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_bools),
        cmocka_unit_test(test_ints),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_decimals_in_grid_cell),
        cmocka_unit_test(test_printed_in_a_float_column),
        cmocka_unit_test(test_printed_in_other_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
