#include "table_text.h"

static void test_order(void **state) {
    (void)state;
    assert_ptr_equal(eti__writer_at(0), &eti__writer_fancy_grid);
    assert_ptr_equal(eti__writer_at(1), &eti__writer_tsv);
    assert_ptr_equal(eti__writer_at(2), &eti__writer_csv);
}

static void test_past_the_end(void **state) {
    (void)state;
    size_t n = 0;
    while (eti__writer_at(n))
        n++;
    assert_null(eti__writer_at(n + 1));
    assert_null(eti__writer_at(SIZE_MAX));
}

static void test_every_writer_is_found_by_its_name(void **state) {
    (void)state;
    for (size_t i = 0; eti__writer_at(i); i++)
        assert_ptr_equal(eti__writer_find(eti__writer_at(i)->name), eti__writer_at(i));
}

static void test_names(void **state) {
    (void)state;
    assert_ptr_equal(eti__writer_find("table"), &eti__writer_fancy_grid);
    assert_ptr_equal(eti__writer_find("tsv"), &eti__writer_tsv);
    assert_ptr_equal(eti__writer_find("csv"), &eti__writer_csv);
    assert_null(eti__writer_find("TSV"));
    assert_null(eti__writer_find(""));
}

/* A form that takes a gate or a graph refuses reports without one, and needs no columns. */
static void test_what_each_takes(void **state) {
    (void)state;
    const eti_report tables = {.view = "x"};
    for (size_t i = 0; eti__writer_at(i); i++) {
        const eti_writer *writer = eti__writer_at(i);
        bool takes_tables = writer->takes == ETI_TAKES_TABLES;
        assert_true(takes_tables || writer->takes == ETI_TAKES_GATE ||
                    writer->takes == ETI_TAKES_GRAPH);
        assert_int_equal(eti__writer_check(writer, &tables, NULL),
                         takes_tables ? ETI_OK : ETI_ERROR_USAGE);
        assert_true((writer->write_table != NULL) != (writer->write_report != NULL));
    }
    assert_int_equal(eti__writer_find("junit")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("github")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("benchmark")->takes, ETI_TAKES_GATE);
    assert_int_equal(eti__writer_find("dot")->takes, ETI_TAKES_GRAPH);
    assert_int_equal(eti__writer_find("json")->takes, ETI_TAKES_TABLES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_past_the_end),
        cmocka_unit_test(test_every_writer_is_found_by_its_name),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_each_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
