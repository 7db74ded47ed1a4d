/* Tests the views groups, tree, ops, graph and source. */
#include "account/account.h"
#include "rollup_fixture.h"
#include "table_cell.h"
#include "view/view.h"

#include <glob.h>
#include <math.h>

typedef struct showing {
    session s;
    eti_view_options options;
    eti_report *report;
} showing;

static void open_showing(showing *v) {
    v->options = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    v->options.source_root = "/nowhere";
    open_two_runs(&v->s);
}

static void close_showing(showing *v) {
    eti_report_free(v->report);
    close_session(&v->s);
    *v = (showing){.report = NULL};
}

static const eti_table *show(showing *v, const char *view) {
    eti_error err = ETI_ERROR_INIT;
    eti_report_free(v->report);
    v->report = NULL;
    if (eti__inspector_report(&v->report, v->s.inspector, view, &v->options, &err) != ETI_OK)
        fail_msg("%s", err.message);
    return eti_report_table(v->report, 0);
}

static const eti_table *group_by(showing *v, const char *key) {
    v->options.group = key;
    return show(v, "groups");
}

static size_t column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text found = eti_table_column_name(table, i);
        size_t size = strlen(name);
        if (eti__text_is(found, name) ||
            (found.size > size && memcmp(found.data, name, size) == 0 && found.data[size] == ' '))
            return i;
    }
    fail_msg("there is no column %s", name);
    return 0;
}

/* Returns the row whose first cell is `key` or ends with it. */
static size_t row(const eti_table *table, const char *key) {
    for (size_t i = 0; i < eti_table_row_count(table); i++) {
        eti_text found = table_cell(table, i, 0).as_text;
        size_t size = strlen(key);
        if (found.size >= size && memcmp(found.data + found.size - size, key, size) == 0)
            return i;
    }
    fail_msg("there is no row %s", key);
    return 0;
}

static double number(const eti_table *table, const char *key, const char *name) {
    eti_cell cell = table_cell(table, row(table, key), column(table, name));
    return cell.kind == ETI_CELL_INT ? (double)cell.as_int : cell.as_double;
}

static void assert_unknown(const eti_table *table, const char *key, const char *name) {
    assert_int_equal(table_cell(table, row(table, key), column(table, name)).kind, ETI_CELL_NONE);
}

static void assert_cell(const eti_table *table, const char *key, const char *name,
                        const char *expected) {
    eti_cell cell = table_cell(table, row(table, key), column(table, name));
    const eti_text *items = cell.items;
    eti_buffer text = {0};
    if (cell.kind == ETI_CELL_TEXT)
        eti__buffer_add_text(&text, cell.as_text);
    for (size_t i = 0; cell.kind == ETI_CELL_TEXTS && i < cell.n_items; i++) {
        eti__buffer_add_string(&text, i ? " " : "");
        eti__buffer_add_text(&text, items[i]);
    }
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
}

/* Adds self times only, so that nothing counts twice. */
static void assert_shares(const eti_table *table, bool first_level_only, const char *what) {
    double sum = 0;
    for (size_t i = 0; i < eti_table_row_count(table); i++) {
        if (first_level_only && table_cell(table, i, column(table, "level")).as_int > 0)
            continue;
        eti_cell cell = table_cell(table, i, column(table, "share"));
        sum += cell.kind == ETI_CELL_DOUBLE ? cell.as_double : 0;
    }
    if (eti_table_row_count(table) > 0 && fabs(sum - 1) > 1e-9 && sum != 0)
        fail_msg("%s: shares add up to %.17g", what, sum);
}

static void ops_are_groups_by_default(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = group_by(&v, NULL);
    assert_int_equal(eti_table_row_count(table), 6);
    /* events of one instruction have the nodes of its handle, and belong to the nodes that their kernels compute */
    assert_bits(number(table, "aten.permute.default", "total"), 32);
    assert_bits(number(table, "aten.mm.default", "total"), 16);
    assert_bits(number(table, "aten.mm.default", "events"), 1);
    assert_bits(number(table, "aten.mm.default", "calls"), 2);
    assert_bits(number(table, "conv", "total"), 64);
    assert_bits(number(table, "conv", "events"), 2);
    assert_bits(number(table, "(delegate, not logged)", "total"), 64);
    assert_bits(number(table, "aten.tan.default", "total"), 8);
    assert_bits(number(table, "(framework)", "total"), 74);
    assert_bits(number(table, "(framework)", "share"), 74.0 / 258);
    assert_shares(table, false, "op");
    close_showing(&v);
}

static void statistics_are_those_of_sums_per_run(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = group_by(&v, "op");
    assert_bits(number(table, "conv", "p50"), 32);
    assert_bits(number(table, "(framework)", "min"), 36);
    assert_bits(number(table, "(framework)", "p50"), 37);
    assert_bits(number(table, "(framework)", "avg"), 37);
    assert_bits(number(table, "(framework)", "max"), 38);
    size_t last = eti_table_row_count(table) - 1;
    assert_bits(table_cell(table, last, column(table, "cumulative")).as_double, 1);
    close_showing(&v);
}

static void other_groupings_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {
        "", "ops", "op:1", "module:", "module:0", "module:x", "module:1x", "module:99999999999"};
    showing v = {0};
    eti_error err = ETI_ERROR_INIT;
    open_showing(&v);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        v.options.group = names[i];
        assert_int_equal(
            eti__inspector_report(&v.report, v.s.inspector, "groups", &v.options, &err),
            ETI_ERROR_USAGE);
        assert_null(v.report);
    }
    close_showing(&v);
}

static void modules_hold_the_time_of_those_inside(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    v.options.fold = 0;
    const eti_table *table = show(&v, "tree");
    assert_int_equal(eti_table_row_count(table), 4);
    assert_bits(number(table, "my.Model", "total"), 48 + 128 + 8);
    assert_bits(number(table, "my.Model", "self"), 128 + 8);
    assert_bits(number(table, "a", "total"), 48);
    assert_bits(number(table, "a", "self"), 0);
    assert_bits(number(table, "a.fc", "total"), 48);
    assert_bits(number(table, "a.fc", "level"), 2);
    assert_cell(table, "a.fc", "type", "Linear");
    assert_shares(table, true, "tree");
    v.options.lines = true;
    table = show(&v, "tree");
    (void)row(table, "└─ a");
    (void)row(table, "   └─ fc");
    v.options.depth = 1;
    assert_int_equal(eti_table_row_count(show(&v, "tree")), 3);
    close_showing(&v);
}

static void chains_of_modules_are_one_row(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = show(&v, "tree");
    assert_int_equal(eti_table_row_count(table), 3);
    assert_bits(number(table, "a.fc", "total"), 48);
    assert_bits(number(table, "a.fc", "level"), 1);
    assert_bits(number(table, "a.fc", "modules"), 1);
    assert_cell(table, "a.fc", "type", "Linear");
    assert_shares(table, true, "tree");
    v.options.lines = true;
    (void)row(show(&v, "tree"), "└─ a.fc");
    close_showing(&v);
}

static void operators_are_counted_in_graph_and_dump(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = show(&v, "ops");
    /* kernels are distinguished by their names */
    assert_bits(number(table, "aten.permute.default", "total"), 32);
    assert_bits(number(table, "aten.mm.default", "total"), 16);
    assert_bits(number(table, "aten.mm.default", "kernels"), 1);
    assert_bits(number(table, "aten.relu.default", "nodes"), 1);
    assert_bits(number(table, "aten.relu.default", "delegated"), 1);
    assert_bits(number(table, "aten.relu.default", "kernels"), 0);
    assert_bits(number(table, "aten.relu.default", "events"), 0);
    assert_unknown(table, "aten.relu.default", "total");
    assert_unknown(table, "aten.relu.default", "p50");
    assert_unknown(table, "aten.relu.default", "share");
    assert_cell(table, "aten.relu.default", "backends", "Npu");
    assert_cell(table, "aten.mm.default", "dtypes", "bfloat16");
    assert_cell(table, "aten.mm.default", "shapes", "[]");
    assert_cell(table, "aten.mm.default", "lines", "/m/a.py:7");
    assert_cell(table, "aten.mm.default", "modules", "a.fc");
    assert_bits(number(table, "conv", "nodes"), 0);
    assert_shares(table, false, "ops");
    close_showing(&v);
}

static void nodes_have_inputs_places_and_times(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = show(&v, "graph");
    assert_int_equal(eti_table_row_count(table), 5 + 3);
    assert_text(table_cell(table, 0, 0).as_text, "x");
    assert_cell(table, "x", "shape", "[2, s0]");
    assert_cell(table, "x", "dtype", "float32");
    assert_cell(table, "mm", "inputs", "permute");
    assert_cell(table, "permute", "inputs", "x");
    assert_cell(table, "mm", "source", "/m/a.py:7");
    assert_cell(table, "relu", "backend", "Npu");
    assert_bits(number(table, "mm", "total"), 16);
    assert_bits(number(table, "mm", "debug_handle"), 1);
    assert_unknown(table, "relu", "total");
    assert_unknown(table, "relu", "share");
    assert_bits(number(table, "relu", "shared"), 64);
    assert_unknown(table, "mm", "shared");
    assert_bits(number(table, "tan", "total"), 8);
    /* times that belong to no node, or to both nodes of the delegate */
    assert_cell(table, "(framework)", "op", "(framework)");
    assert_bits(number(table, "(framework)", "total"), 74);
    assert_cell(table, "conv (2 nodes)", "op", "conv");
    assert_cell(table, "conv (2 nodes)", "module", "my.Model");
    assert_cell(table, "conv (2 nodes)", "source", "(several lines)");
    assert_bits(number(table, "conv (2 nodes)", "total"), 64);
    assert_shares(table, false, "graph");
    close_showing(&v);
}

static void lines_have_the_code_that_traces_quote(void **state) {
    (void)state;
    showing v = {0};
    open_showing(&v);
    const eti_table *table = show(&v, "source");
    assert_int_equal(eti_table_row_count(table), 4);
    assert_text(table_cell(table, 0, column(table, "code")).as_text, "self.fc(x)");
    assert_bits(table_cell(table, 0, column(table, "total")).as_double, 48);
    assert_cell(table, "a.py", "path", "/m/a.py");
    assert_shares(table, false, "source");
    close_showing(&v);
}

/* ---- all groupings of all files -------------------------------------------------------------- */

static bool is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static void check_case(const char *dump, bool with_record) {
    static const char *const keys[] = {"op",     "backend", "module", "module:1",
                                       "source", "block",   "method"};
    char record[512];
    showing v = {.options = ETI_VIEW_OPTIONS_DEFAULT};
    snprintf(record, sizeof record, "%.*s/record.etrecord", (int)(strrchr(dump, '/') - dump), dump);
    const eti_source etdump = {dump, NULL, 0}, etrecord = {record, NULL, 0};
    const eti_inputs inputs = {
        .etdumps = &etdump, .n_etdumps = 1, .etrecord = with_record ? &etrecord : NULL};
    if (with_record && !is_there(record))
        return;
    if (eti__inspector_open(&v.s.inspector, &inputs, NULL, &v.s.err) != ETI_OK)
        fail_msg("%s", v.s.err.message);
    v.options.source_root = "/nowhere";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_shares(group_by(&v, keys[i]), false, dump);
    assert_shares(show(&v, "source"), false, dump);
    assert_shares(show(&v, "ops"), false, dump);
    assert_shares(show(&v, "graph"), false, dump);
    assert_shares(show(&v, "tree"), true, dump);
    (void)show(&v, "graph");
    eti_report_free(v.report);
    eti_inspector_close(v.s.inspector);
}

static void shares_add_up_in_every_grouping_of_every_case(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/run.etdp", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 8);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_case(found.gl_pathv[i], false);
        check_case(found.gl_pathv[i], true);
    }
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_are_groups_by_default),
        cmocka_unit_test(statistics_are_those_of_sums_per_run),
        cmocka_unit_test(other_groupings_are_refused),
        cmocka_unit_test(modules_hold_the_time_of_those_inside),
        cmocka_unit_test(chains_of_modules_are_one_row),
        cmocka_unit_test(operators_are_counted_in_graph_and_dump),
        cmocka_unit_test(nodes_have_inputs_places_and_times),
        cmocka_unit_test(lines_have_the_code_that_traces_quote),
        cmocka_unit_test(shares_add_up_in_every_grouping_of_every_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
