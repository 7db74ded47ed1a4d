/* Tests the tables of a database; tests/cli/formats tests SQL queries about them. */
#include "report_fixture.h"
#include "rollup_fixture.h"

static void assert_op_type(const eti_table *events, size_t row, const char *name, const char *op) {
    eti_text found = cell_at(events, row, "name").as_text;
    if (!eti__text_is(found, name))
        fail_msg("row %zu is not %s", row, name);
    eti_cell cell = cell_at(events, row, "op_type");
    assert_int_equal(cell.kind, op ? ETI_CELL_TEXT : ETI_CELL_NONE);
    if (op)
        assert_text(cell.as_text, op);
}

static void events_have_the_operators_of_op_list(void **state) {
    (void)state;
    static const char *const expected[][2] = {
        {"native_call_permute.out", "aten.permute.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"native_call_mm.out", "aten.mm.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"conv #1", "conv"},
        {"conv #2", "conv"},
        {"DELEGATE_CALL", "(delegate, not logged)"},
        {"native_call_tan.out", "aten.tan.default"},
        {"OPERATOR_CALL", "(framework)"},
        {"Method::execute", "(framework)"},
    };
    session s = {0};
    open_two_runs(&s);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    size_t n_before =
        eti_table_row_count(events) - COUNT_OF(expected); /* events of the block that loads */
    assert_op_type(events, 0, "Method::init", "(framework)");
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_op_type(events, n_before + i, expected[i][0], expected[i][1]);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        bool is_listed = false;
        const eti_table *ops = table_of(report, "op_list");
        for (size_t row = 0; row < eti_table_row_count(ops); row++)
            is_listed |= eti__text_is(cell_at(ops, row, "op").as_text, expected[i][1]);
        assert_true(is_listed);
    }
    eti_report_free(report);
    close_session(&s);
}

static void assert_counted(const eti_table *events, size_t row, const char *module, double total) {
    eti_cell found = cell_at(events, row, "module");
    assert_int_equal(found.kind, module ? ETI_CELL_TEXT : ETI_CELL_NONE);
    assert_int_equal(cell_at(events, row, "total").kind, module ? ETI_CELL_DOUBLE : ETI_CELL_NONE);
    if (!module)
        return;
    assert_text(found.as_text, module);
    assert_near(cell_at(events, row, "total").as_double, total);
}

/* Times come from both runs, as with --group module, without the runs that it omits. */
static void events_have_the_modules_and_times_of_module_list(void **state) {
    (void)state;
    static const struct {
        const char *module;
        double total;
    } expected[] = {
        {"a.fc", 32},       {"(framework)", 2},  {"a.fc", 16},     {"(framework)", 0},
        {"my.Model", 32},   {"my.Model", 32},    {"my.Model", 64}, {"my.Model", 8},
        {"(framework)", 0}, {"(framework)", 72},
    };
    session s = {0};
    open_two_runs(&s);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    const eti_table *modules = table_of(report, "module_list");
    size_t n_before = eti_table_row_count(events) - COUNT_OF(expected);
    assert_counted(events, 0, NULL, 0); /* loading */
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_counted(events, n_before + i, expected[i].module, expected[i].total);
    for (size_t row = 0; row < eti_table_row_count(modules); row++) {
        double sum = 0;
        for (size_t i = 0; i < COUNT_OF(expected); i++)
            sum += eti__text_is(cell_at(modules, row, "module").as_text, expected[i].module)
                       ? expected[i].total
                       : 0;
        assert_near(cell_at(modules, row, "total").as_double, sum);
    }
    eti_report_free(report);
    close_session(&s);
}

static void events_have_their_attribution(void **state) {
    (void)state;
    static const struct {
        eti_attribution attribution;
        const char *name;
    } kinds[] = {
        {ETI_ATTRIBUTION_NONE, NULL},           {ETI_ATTRIBUTION_RECORDED, "recorded"},
        {ETI_ATTRIBUTION_EXACT, "exact"},       {ETI_ATTRIBUTION_ALIGNED, "aligned"},
        {ETI_ATTRIBUTION_INFERRED, "inferred"}, {ETI_ATTRIBUTION_CALL, "call"},
    };
    session s = {0};
    open_two_runs(&s);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        eti_event *event = (eti_event *)&s.inspector->blocks.blocks[1].events[4];
        const eti_event_record *before = event->known;
        eti_event_record known = *event->known;
        known.attribution = (uint8_t)kinds[i].attribution;
        event->known = &known;
        eti_report *report = report_of(&s, "database", NULL);
        eti_cell found = cell_at(table_of(report, "events"), 5, "attribution");
        assert_int_equal(found.kind, kinds[i].name ? ETI_CELL_TEXT : ETI_CELL_NONE);
        if (kinds[i].name)
            assert_text(found.as_text, kinds[i].name);
        eti_report_free(report);
        event->known = before;
    }
    close_session(&s);
}

static void events_without_times_have_no_operator(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Debug",
                             LOGGED(b, .name = "native_call_add.out", .value = INT_VALUE(b, 1)))),
                 NULL);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    assert_int_equal(eti_table_row_count(events), 1);
    assert_op_type(events, 0, "native_call_add.out", NULL);
    assert_counted(events, 0, NULL, 0);
    eti_report_free(report);
    close_session(&s);
}

/* Both instructions of a.fc have the same nodes, each in a list of its own. */
static void operators_are_stored_once(void **state) {
    (void)state;
    session s = {0};
    open_two_runs(&s);
    const eti_event *events_of = s.inspector->blocks.blocks[1].events;
    assert_ptr_not_equal(events_of[0].record, events_of[2].record);
    assert_ptr_equal(events_of[0].record->op_nodes, events_of[2].record->op_nodes);
    eti_report *report = report_of(&s, "database", NULL);
    const eti_table *events = table_of(report, "events");
    assert_int_equal(cell_at(events, 1, "record_id").as_int,
                     cell_at(events, 3, "record_id").as_int);
    assert_int_equal(eti_table_row_count(table_of(report, "ops")), 2 + 2 + 1);
    assert_int_equal(eti_table_row_count(table_of(report, "record_nodes")), 2 + 2 + 1);
    eti_report_free(report);
    close_session(&s);
}

static eti_status view_database(const session *s, eti_error *err) {
    eti_report *report;
    eti_status status = eti__inspector_report(&report, s->inspector, "database", NULL, err);
    if (status == ETI_OK)
        eti_report_free(report);
    return status;
}

static void names_are_limited_by_the_inputs(void **state) {
    (void)state;
    static const char expected[] =
        "test.etdp: names are repeated so often that a table of them would have more than 32 times "
        "the text of the inputs";
    eti_error err = ETI_ERROR_INIT;
    session s = {0};
    open_two_runs(&s);
    const size_t size = (size_t)1 << 20;
    char *name = calloc(size, 1);
    assert_non_null(name);
    memset(name, 'x', size);
    eti_event *event = (eti_event *)&s.inspector->blocks.blocks[1].events[4];
    const eti_event before = *event;
    event->name = (eti_text){name, size};
    assert_fails(view_database(&s, &err), ETI_ERROR_LIMIT, expected);
    *event = before;
    assert_ok(view_database(&s, &err));
    eti_event_record record = *event->record;
    const eti_text ops[] = {{name, size}};
    record.op_types = ops;
    record.n_op_types = 1;
    event->record = &record;
    assert_fails(view_database(&s, &err), ETI_ERROR_LIMIT, expected);
    *event = before;
    close_session(&s);
    free(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_the_operators_of_op_list),
        cmocka_unit_test(events_have_the_modules_and_times_of_module_list),
        cmocka_unit_test(events_have_their_attribution),
        cmocka_unit_test(events_without_times_have_no_operator),
        cmocka_unit_test(operators_are_stored_once),
        cmocka_unit_test(names_are_limited_by_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
