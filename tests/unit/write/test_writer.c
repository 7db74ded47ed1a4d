#include "table_text.h"

static void test_order(void **state) {
    (void)state;
    assert_ptr_equal(eti_writer_at(0), &eti_writer_fancy_grid);
    assert_ptr_equal(eti_writer_at(1), &eti_writer_tsv);
    assert_ptr_equal(eti_writer_at(2), &eti_writer_csv);
}

static void test_past_the_end(void **state) {
    (void)state;
    size_t n = 0;
    while (eti_writer_at(n))
        n++;
    assert_null(eti_writer_at(n + 1));
    assert_null(eti_writer_at(SIZE_MAX));
}

static void test_every_writer_is_found_by_its_name(void **state) {
    (void)state;
    for (size_t i = 0; eti_writer_at(i); i++)
        assert_ptr_equal(eti_writer_find(eti_writer_at(i)->name), eti_writer_at(i));
}

static void test_names(void **state) {
    (void)state;
    assert_ptr_equal(eti_writer_find("table"), &eti_writer_fancy_grid);
    assert_ptr_equal(eti_writer_find("tsv"), &eti_writer_tsv);
    assert_ptr_equal(eti_writer_find("csv"), &eti_writer_csv);
    assert_null(eti_writer_find("TSV"));
    assert_null(eti_writer_find(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_past_the_end),
        cmocka_unit_test(test_every_writer_is_found_by_its_name),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
