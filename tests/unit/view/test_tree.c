#include "account/account.h"
#include "inspector_fixture.h"
#include "table_cell.h"
#include "view/view.h"

#define EDGE EDGE_PROGRAM(NODE("c", "3", "other,o,Other"))

static void open_modules(session *s) {
    builder *b = &s->b;
    open_session(
        s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .name = "c", .instruction_id = SOME(1), .end_time = 4000000))),
        &(record_spec){.handles = "{\"1\": 3}", .edge = EDGE});
}

static void the_table_has_a_row_per_name_as_asked(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    char other[] = "other";
    const char *const names[] = {"nothing", other, "nothing"};
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__view_modules(&table, s.inspector, names, 3, NULL, &err));
    memset(other, 'x', 5); /* the names were copied */
    assert_int_equal(eti_table_row_count(table), 3);
    assert_int_equal(eti_table_column_count(table), 2);
    assert_text(eti_table_column_name(table, 0), "module");
    assert_text(eti_table_column_name(table, 1), "total (ms)");
    static const char *const shown[] = {"nothing", "other", "nothing"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(table_cell(table, i, 0).kind, ETI_CELL_TEXT);
        assert_text(table_cell(table, i, 0).as_text, shown[i]);
        assert_int_equal(table_cell(table, i, 1).kind, ETI_CELL_DOUBLE);
        assert_bits(table_cell(table, i, 1).as_double, i == 1 ? 4.0 : 0.0);
    }
    eti_table_free(table);

    assert_ok(eti__view_modules(&table, s.inspector, names, 0, &(eti_table_options){0}, &err));
    assert_int_equal(eti_table_row_count(table), 0);
    assert_text(eti_table_column_name(table, 1), "total");
    eti_table_free(table);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_a_row_per_name_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
