#include "compare/compare.h"
#include "files_fixture.h"
#include "gate/gate.h"
#include "report_fixture.h"
#include "series/series.h"
#include "view_events/view_events.h"

#include <glob.h>
#include <unistd.h>

#define PROFILES "testdata/*/run.etdp"
#define N_TYPES (ETI_TYPE_LIST_LIST_INT64 + 1)

/* ---- conforming cells ------------------------------------------------------------------------ */

static bool is_int_of(const eti_cell *cell, int64_t least, int64_t most) {
    return cell->kind == ETI_CELL_INT && cell->as_int >= least && cell->as_int <= most;
}

/* Numbers beyond INT64_MAX are shown as the nearest double. */
static bool is_uint(const eti_cell *cell) {
    return is_int_of(cell, 0, INT64_MAX) || (cell->kind == ETI_CELL_DOUBLE && cell->as_int < 0 &&
                                             cell->as_double == (double)(uint64_t)cell->as_int);
}

/* Numbers and flags among texts also have a text. */
static bool is_text(const eti_cell *cell) {
    eti_number_text number = {0};
    return cell->kind <= ETI_CELL_LIST && cell->as_text.data &&
           eti__text_equal(cell->as_text, eti__cell_text(cell, &number)) &&
           eti__text_valid_utf8(cell->as_text) == cell->as_text.size;
}

static bool is_list_of(const eti_cell *cell, eti_cell_kind kind) {
    return cell->kind == kind && (cell->items || cell->n_items == 0);
}

static bool conforms(const eti_cell *cell, eti_column_type type) {
    if (cell->kind == ETI_CELL_NONE || cell->kind == ETI_CELL_NAN)
        return true;
    switch (type) {
    case ETI_TYPE_BOOL:
        return cell->kind == ETI_CELL_BOOL;
    case ETI_TYPE_INT32:
        return is_int_of(cell, INT32_MIN, INT32_MAX);
    case ETI_TYPE_INT64:
        return cell->kind == ETI_CELL_INT;
    case ETI_TYPE_UINT64:
        return is_uint(cell);
    case ETI_TYPE_FLOAT64:
        return cell->kind == ETI_CELL_DOUBLE;
    case ETI_TYPE_UTF8:
        return is_text(cell);
    case ETI_TYPE_LIST_INT64:
        return is_list_of(cell, ETI_CELL_INTS);
    case ETI_TYPE_LIST_UINT64:
        return is_list_of(cell, ETI_CELL_UINTS);
    case ETI_TYPE_LIST_FLOAT64:
        return is_list_of(cell, ETI_CELL_DOUBLES);
    case ETI_TYPE_LIST_UTF8:
        return is_list_of(cell, ETI_CELL_TEXTS) || (cell->kind == ETI_CELL_LIST && cell->items);
    case ETI_TYPE_LIST_LIST_INT64:
        return is_list_of(cell, ETI_CELL_INT_LISTS);
    }
    return false;
}

static void cells_of_other_kinds_are_noticed(void **state) {
    (void)state;
    static const int64_t ints[] = {1};
    static const eti_int_list list = {ints, 1};
    const eti_text one = eti__text_of("1");
    const struct {
        eti_cell cell;
        unsigned types; /* one bit for each type that the cell conforms to */
    } cases[] = {
        {{.kind = ETI_CELL_NONE}, (1u << N_TYPES) - 1},
        {{.kind = ETI_CELL_NAN}, (1u << N_TYPES) - 1},
        {eti__bool_cell(true), 1u << ETI_TYPE_BOOL},
        {eti__int_cell(1), 1u << ETI_TYPE_INT32 | 1u << ETI_TYPE_INT64 | 1u << ETI_TYPE_UINT64},
        {eti__int_cell(-1), 1u << ETI_TYPE_INT32 | 1u << ETI_TYPE_INT64},
        {eti__int_cell(INT32_MAX + INT64_C(1)), 1u << ETI_TYPE_INT64 | 1u << ETI_TYPE_UINT64},
        {eti__count_cell(INT64_MAX), 1u << ETI_TYPE_INT64 | 1u << ETI_TYPE_UINT64},
        {eti__count_cell((uint64_t)INT64_MAX + 1), 1u << ETI_TYPE_UINT64 | 1u << ETI_TYPE_FLOAT64},
        {eti__double_cell(1), 1u << ETI_TYPE_FLOAT64},
        {eti__text_cell(one), 1u << ETI_TYPE_UTF8},
        {eti__text_cell((eti_text){"\xff", 1}), 0},
        {{.kind = ETI_CELL_INT, .as_int = 1, .as_text = one},
         1u << ETI_TYPE_INT32 | 1u << ETI_TYPE_INT64 | 1u << ETI_TYPE_UINT64 | 1u << ETI_TYPE_UTF8},
        {{.kind = ETI_CELL_LIST, .as_text = one}, 1u << ETI_TYPE_UTF8},
        {{.kind = ETI_CELL_LIST, .as_text = one, .items = &one, .n_items = 1},
         1u << ETI_TYPE_UTF8 | 1u << ETI_TYPE_LIST_UTF8},
        {eti__list_cell(ETI_CELL_INTS, ints, 1), 1u << ETI_TYPE_LIST_INT64},
        {eti__list_cell(ETI_CELL_UINTS, ints, 1), 1u << ETI_TYPE_LIST_UINT64},
        {eti__list_cell(ETI_CELL_DOUBLES, NULL, 0), 1u << ETI_TYPE_LIST_FLOAT64},
        {eti__list_cell(ETI_CELL_DOUBLES, NULL, 1), 0},
        {eti__list_cell(ETI_CELL_TEXTS, &one, 1), 1u << ETI_TYPE_LIST_UTF8},
        {eti__list_cell(ETI_CELL_INT_LISTS, &list, 1), 1u << ETI_TYPE_LIST_LIST_INT64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found = 0;
        for (int type = 0; type < N_TYPES; type++)
            found |= (unsigned)conforms(&cases[i].cell, (eti_column_type)type) << type;
        if (found != cases[i].types)
            fail_msg("case %zu: expected %#x, found %#x", i, cases[i].types, found);
    }
}

/* ---- all tables of a profile ----------------------------------------------------------------- */

static size_t n_cells[N_TYPES]; /* cells with a value */
static size_t n_compared;       /* profiles */

static void check_cell(const eti_cell *cell, const eti_table *table, size_t column,
                       const char *of) {
    eti_column_type type = eti_table_column_type(table, column);
    if (!conforms(cell, type))
        fail_msg("%s: %.*s: a cell of kind %d in a column of type %d", of,
                 ETI_TEXT_ARGS(eti_table_column_name(table, column)), (int)cell->kind, (int)type);
    n_cells[type] += cell->kind != ETI_CELL_NONE && cell->kind != ETI_CELL_NAN;
}

static void check_table(const eti_table *table, const char *of) {
    eti_row_reader rows;
    assert_true(eti__row_reader_open(&rows, table));
    for (size_t row = 0; row < eti_table_row_count(table); row++) {
        const eti_cell *cells = eti__row_reader_read(&rows, row);
        assert_false(rows.failed);
        for (size_t column = 0; column < eti_table_column_count(table); column++)
            check_cell(&cells[column], table, column, of);
    }
    eti__row_reader_close(&rows);
}

/* Frees the report. */
static void check_report(eti_report *report, const char *of) {
    assert_true(eti_report_table_count(report) > 0);
    for (size_t i = 0; i < eti_report_table_count(report); i++)
        check_table(eti_report_table(report, i), of);
    eti_report_free(report);
}

static void check_view(const session *s, const char *view, const eti_view_options *options) {
    check_report(report_of(s, view, options), view);
}

static bool is_of_programs(const char *view) {
    return strcmp(view, "program") == 0 || strcmp(view, "memory") == 0 || strcmp(view, "size") == 0;
}

/* Values of tensors need their own file; see check_tensors(). */
static bool is_shown(const session *s, const char *view) {
    return strcmp(view, "tensors") != 0 && (s->inspector->n_programs > 0 || !is_of_programs(view));
}

static void check_views(const session *s) {
    static const char *const groups[] = {"op",     "backend", "module", "module:2",
                                         "source", "block",   "method"};
    static const char *const modules[] = {"L", "no such module"};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.modules = modules;
    options.n_modules = 2;
    options.table.include_delegate_debug_data = true;
    for (int with_all = 0; with_all < 2; with_all++) {
        options.samples = options.lines = options.split_variants = options.per_event = with_all;
        for (size_t i = 0; eti_view_name(i); i++) {
            if (is_shown(s, eti_view_name(i)))
                check_view(s, eti_view_name(i), &options);
        }
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        options.group = groups[i];
        check_view(s, "groups", &options);
    }
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&table, s->inspector, &options.table, &err));
    check_table(table, "table");
    eti_table_free(table);
    options.table.delegate_metadata = ETI_METADATA_JSON;
    check_view(s, "events", &options);
}

/* A rule about allocations needs recorded allocations. */
static void check_gate(const eti_profile *base, const eti_profile *new_side) {
    static const char *const rules[] = {"op:p50>+5%", "total:p50>+0%", "allocation:p50>+1%"};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate_outcome outcome;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    options.rules = rules;
    options.n_rules = sizeof rules / sizeof *rules;
    if (eti__gate_report(&report, &outcome, base, new_side, &options, &err) != ETI_OK) {
        assert_int_equal(err.status, ETI_ERROR_USAGE);
        options.n_rules--;
        assert_ok(eti__gate_report(&report, &outcome, base, new_side, &options, &err));
    }
    check_report(report, "gate");
}

static void check_comparison(const eti_profile *base, const eti_profile *new_side) {
    static const char *const groups[] = {NULL, "op", "module", "backend", "source"};
    eti_diff_options diff = ETI_DIFF_OPTIONS_DEFAULT;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        diff.group = groups[i];
        assert_ok(eti__diff_report(&report, base, new_side, &diff, &err));
        check_report(report, "diff");
    }
    check_gate(base, new_side);
}

/* Profiles without times cannot be compared. */
static void check_comparisons(const session *s) {
    eti_profile *profile, *warm;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    eti_profile_options options = ETI_PROFILE_OPTIONS_DEFAULT;
    if (eti__profile_from_inspector(&profile, s->inspector, &options, &err) != ETI_OK) {
        assert_int_equal(err.status, ETI_ERROR_DATA);
        return;
    }
    n_compared++;
    options.skip_first = 0;
    assert_ok(eti__profile_from_inspector(&warm, s->inspector, &options, &err));
    warm->files[0].size = 0; /* an unknown file may come from another process */
    check_comparison(profile, warm);
    assert_ok(eti__profile_report(&report, profile, true, &err));
    check_report(report, "baseline show");
    eti_profile_free(warm);
    eti_profile_free(profile);
}

/* One file contains no information about noise between files. */
static void check_history(void) {
    static const uint64_t ticks[] = {1000, 1010, 990, 500, 490, 505, 1, 1, 1};
    eti_profile *profile = profile_of_files(ticks, 3, 3, 0);
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__noise_report(&report, profile, NULL, &err));
    check_report(report, "noise");
    eti_profile_free(profile);
    profile = profile_of_files(ticks, 1, 9, 0);
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.diff.alpha = 0.5; /* with this alpha, a few files suffice */
    assert_ok(eti__trend_report(&report, profile, &options, &err));
    check_report(report, "trend");
    eti_profile_free(profile);
}

/* Uses the debug buffer, if there is one. */
static void check_tensors(eti_inputs inputs, const char *dump) {
    char path[256];
    const eti_source buffer = {.path = path};
    const eti_options without_comparing = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    snprintf(path, sizeof path, "%.*s/debug_buffer.bin", (int)(strrchr(dump, '/') - dump), dump);
    if (access(path, F_OK) == 0)
        inputs.debug_buffer = &buffer;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, &without_comparing, &err));
    check_view(&s, "tensors", &options);
    options.run = "all";
    check_view(&s, "tensors", &options);
    eti_inspector_close(s.inspector);
}

static void check_profile(const char *dump, const char *record) {
    const eti_source etdump = {.path = dump}, etrecord = {.path = record};
    const eti_inputs inputs = {
        .etdumps = &etdump, .n_etdumps = 1, .etrecord = record ? &etrecord : NULL};
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
    check_views(&s);
    check_comparisons(&s);
    eti_inspector_close(s.inspector);
    check_tensors(inputs, dump);
}

static void cells_conform_to_the_types_of_their_columns(void **state) {
    (void)state;
    glob_t found;
    memset(n_cells, 0, sizeof n_cells);
    assert_int_equal(glob(PROFILES, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *dump = found.gl_pathv[i];
        char record[256];
        snprintf(record, sizeof record, "%.*s/record.etrecord", (int)(strrchr(dump, '/') - dump),
                 dump);
        check_profile(dump, NULL);
        FILE *file = fopen(record, "rb");
        if (!file)
            continue;
        fclose(file);
        check_profile(dump, record);
    }
    globfree(&found);
    check_history();
    assert_true(n_compared > 0);
    for (int type = 0; type < N_TYPES; type++) {
        if (n_cells[type] == 0)
            fail_msg("no cell is of type %d", type);
    }
}

static void check_program(const char *path) {
    static const char *const groups[] = {"category", "dtype", "op", "module"};
    const eti_source program = {.path = path};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
    check_view(&s, "program", &options);
    check_view(&s, "memory", &options);
    options.at = 0;
    check_view(&s, "memory", &options);
    options.map = options.sha256 = true;
    check_view(&s, "memory", &options);
    check_view(&s, "size", &options);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        options.group = groups[i];
        check_view(&s, "size", &options);
    }
    eti_inspector_close(s.inspector);
}

static void cells_of_programs_conform_too(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/*pte", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 15);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_program(found.gl_pathv[i]);
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_other_kinds_are_noticed),
        cmocka_unit_test(cells_conform_to_the_types_of_their_columns),
        cmocka_unit_test(cells_of_programs_conform_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
