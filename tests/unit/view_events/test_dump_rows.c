/* Rows of one ETDump: the text in all rows together is limited, in the columns that are written. */
#include "inspector_fixture.h"

#include "account/account.h"
#include "table/table.h"
#include "view_events/view_events.h"

#define N_EVENTS 300
#define LONG_SIZE ((size_t)1 << 20)

/* The form of rows of events, with all columns or only those listed. */
typedef struct forms {
    eti_arena arena;
    eti_rows_form whole, shown;
} forms;

static void make_forms(forms *of, const size_t *columns, size_t n) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__rows_form_make(&of->whole, &of->arena, ETI_PER_DUMP, NULL, 0, &err));
    of->shown = of->whole;
    if (n > 0)
        assert_true(eti__rows_form_choose(&of->shown, &of->arena, columns, n));
}

static size_t column_called(const eti_rows_form *form, const char *name) {
    for (size_t i = 0; i < form->n_columns; i++) {
        if (eti__text_is(form->columns[i].name, name))
            return i;
    }
    fail_msg("there is no column %s", name);
    return 0;
}

/* Opens N_EVENTS events, each of another instruction, in a run with this name; `record` may be NULL. */
static void open_events(session *s, const char *run_name, const record_spec *record) {
    place events[N_EVENTS];
    for (size_t i = 0; i < N_EVENTS; i++)
        events[i] = TIMED(&s->b, .name = "native_call_add.out", .instruction_id = SOME(i),
                          .start_time = i, .end_time = i + 1);
    place run = put_run(
        &s->b, &(run_spec){.name = run_name, .events = put_tables(&s->b, events, N_EVENTS)});
    open_session(s, DUMP(&s->b, run), record);
}

static eti_status view_rows(eti_table **out, const session *s, const forms *of, eti_error *err) {
    const eti_view_options options = {0};
    const eti_dump_name name = {.path = {"a.etdp", 6}};
    return eti__view_dump_rows(out, s->inspector, &of->whole, &of->shown, &name, &options,
                               (eti_kept){0}, err);
}

static char *long_text(size_t size) {
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memset(text, 'x', size);
    return text;
}

static void text_is_limited_in_columns_that_are_written(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    session s = {0};
    forms all = {0}, few = {0};
    eti_table *table;
    char *name = long_text(LONG_SIZE);
    make_forms(&all, NULL, 0);
    const size_t columns[] = {column_called(&all.whole, "event_name"),
                              column_called(&all.whole, "p50")};
    make_forms(&few, columns, COUNT_OF(columns));
    open_events(&s, name, NULL);
    assert_fails(view_rows(&table, &s, &all, &err), ETI_ERROR_LIMIT,
                 "test.etdp: names are repeated so often that its rows would have ");
    assert_null(table);
    assert_ok(view_rows(&table, &s, &few, &err));
    assert_int_equal(table->n_rows, N_EVENTS);
    eti_table_free(table);
    close_session(&s);
    eti__arena_free(&all.arena);
    eti__arena_free(&few.arena);
    free(name);
}

/* Opens events that have `n` operators with the same long name, and one that is theirs, so that the record is of their export. */
static void open_operators(session *s, size_t n, size_t name_size) {
    eti_buffer edge = {0};
    char *name = long_text(name_size);
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&edge, NODE("%s", "7", "") ",", name, name, name, name);
    eti__buffer_add_string(&edge, NODE("add", "7", ""));
    eti__buffer_add_char(&edge, '\0');
    eti_buffer program = {0};
    eti__buffer_printf(&program, EDGE_PROGRAM("%s"), edge.data);
    eti__buffer_add_char(&program, '\0');
    eti_buffer handles = {0};
    for (size_t i = 0; i < N_EVENTS; i++)
        eti__buffer_printf(&handles, "%s\"%zu\": [7]", i ? ", " : "{", i);
    eti__buffer_add(&handles, "}", 2);
    open_events(s, "Execute", &(record_spec){.handles = handles.data, .edge = program.data});
    eti__buffer_free(&handles);
    eti__buffer_free(&program);
    eti__buffer_free(&edge);
    free(name);
}

static size_t count_ops(const session *s, const forms *of) {
    eti_error err = ETI_ERROR_INIT;
    eti_table *table;
    eti_row_reader reader;
    assert_ok(view_rows(&table, s, of, &err));
    assert_true(eti__row_reader_open(&reader, table));
    size_t n = eti__row_reader_read(&reader, 0)[column_called(&of->whole, "op_types")].n_items;
    eti__row_reader_close(&reader);
    eti_table_free(table);
    return n;
}

/* Many steps of a loop share a debug handle: the operators of each event are all of them. */
static void long_lists_have_each_operator_once(void **state) {
    (void)state;
    forms all = {0};
    session s = {0};
    make_forms(&all, NULL, 0);
    open_operators(&s, 31, 100);
    assert_int_equal(count_ops(&s, &all), 32);
    close_session(&s);
    open_operators(&s, 32, 100);
    assert_int_equal(count_ops(&s, &all), 2);
    close_session(&s);
    open_operators(&s, 2000, 1000);
    assert_int_equal(count_ops(&s, &all), 2);
    close_session(&s);
    eti__arena_free(&all.arena);
}

/* A delegate may log other numbers than times: these are in no column of times. */
static void numbers_that_are_no_times_are_values(void **state) {
    (void)state;
    static const struct {
        uint8_t unit;
        const char *name;
        bool has_time;
        double time; /* in ms */
    } cases[] = {
        {ETI_UNIT_TICKS, "ns", true, 0.005}, {ETI_UNIT_NS, "ns", true, 0.005},
        {ETI_UNIT_US, "us", true, 5},        {ETI_UNIT_CYCLES, "cycles", false, 0},
        {ETI_UNIT_BYTES, "bytes", false, 0},
    };
    static const char *const times[] = {"p50", "min", "max", "avg", "elapsed"};
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        const eti_delegate_event logged = {.unit = cases[i / 2].unit};
        forms of = {0};
        session s = {0};
        builder *b = &s.b;
        eti_table *table;
        eti_row_reader reader;
        eti_error err = ETI_ERROR_INIT;
        eti_granularity granularity = i % 2 ? ETI_PER_SAMPLE : ETI_PER_DUMP;
        assert_ok(eti__rows_form_make(&of.whole, &of.arena, granularity, NULL, 0, &err));
        of.shown = of.whole;
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute",
                        TIMED(b, .delegate_id_str = "x", .start_time = 2000, .end_time = 7000))),
            NULL);
        s.inspector->blocks.blocks[0].events[0].logged = &logged;
        assert_ok(view_rows(&table, &s, &of, &err));
        assert_true(eti__row_reader_open(&reader, table));
        const eti_cell *cells = eti__row_reader_read(&reader, 0);
        assert_text(cells[column_called(&of.whole, "unit")].as_text, cases[i / 2].name);
        assert_true(cells[column_called(&of.whole, "value")].as_double == 5000);
        for (size_t k = i % 2 ? 4 : 0; k < (i % 2 ? 5u : 4u); k++) {
            const eti_cell *cell = &cells[column_called(&of.whole, times[k])];
            assert_int_equal(cell->kind, cases[i / 2].has_time ? ETI_CELL_DOUBLE : ETI_CELL_NONE);
            assert_true(fabs(cell->as_double - cases[i / 2].time) < 1e-12);
        }
        eti__row_reader_close(&reader);
        eti_table_free(table);
        close_session(&s);
        eti__arena_free(&of.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_limited_in_columns_that_are_written),
        cmocka_unit_test(long_lists_have_each_operator_once),
        cmocka_unit_test(numbers_that_are_no_times_are_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
