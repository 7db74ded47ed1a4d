/* Finds the names that programs request, of payloads of XNNPACK and of tensors. */
#include "program_files.h"

#include "program/size_names.h"

static program_file program;
static eti_size_names names;

static void start(const char *path) {
    open_program(&program, path, NULL);
    names = (eti_size_names){.arena = &program.arena, .n_left = program.file.size};
}

static void end(void) {
    eti__size_names_free(&names);
    close_program(&program);
}

static eti_row_list ask(size_t delegate) {
    eti_error err = ETI_ERROR_INIT;
    eti_row_list rows;
    assert_ok(eti__size_names_ask_delegate(&names, &program.pte.plans[0].delegates[delegate], &rows,
                                           &err));
    return rows;
}

static void payloads_ask_for_their_weights(void **state) {
    (void)state;
    start("testdata/xnnpack-conv/model.pte");
    assert_true(program.pte.n_named_data > 0);
    for (uint32_t i = 0; i < program.pte.n_named_data; i++)
        assert_true(eti__size_names_add(&names, program.pte.named_data[i].key, i));
    assert_false(eti__size_names_is_asked_for(&names, program.pte.named_data[0].key));
    uint32_t n = ask(0).n + ask(1).n;
    assert_int_equal(ask(0).n + ask(1).n, n); /* a payload is read once */
    assert_int_equal(n, program.pte.n_named_data);
    for (uint32_t i = 0; i < program.pte.n_named_data; i++)
        assert_true(eti__size_names_is_asked_for(&names, program.pte.named_data[i].key));
    assert_int_equal(eti__size_names_count_missing(&names), 0);
    assert_false(names.is_unsure);
    end();
}

static void entries_in_no_file_are_missing(void **state) {
    (void)state;
    uint32_t row;
    start("testdata/xnnpack-conv/model.pte");
    assert_int_equal(ask(0).n + ask(1).n, 0);
    assert_int_equal(eti__size_names_count_missing(&names), program.pte.n_named_data);
    uint64_t before = names.n_missing;
    for (int i = 0; i < 2; i++) {
        assert_true(eti__size_names_ask(&names, eti__text_of("weight"), 12, &row));
        assert_int_equal(row, ETI_NO_ROW);
    }
    assert_int_equal(names.n_missing, before + 12);
    assert_true(eti__size_names_ask(&names, eti__text_of("bias"), ETI_PTE_UNKNOWN_SIZE, &row));
    assert_int_equal(names.n_missing, before + 12);
    end();
}

static void nothing_is_sure_of_payloads_that_are_not_read(void **state) {
    (void)state;
    start("testdata/xnnpack-conv/model.pte");
    names.n_left = 1;
    assert_int_equal(ask(0).n, 0);
    assert_true(names.is_unsure);
    end();
    start("testdata/delegate-ids/model.pte"); /* payloads of other backends */
    assert_int_equal(ask(0).n, 0);
    assert_true(names.is_unsure);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payloads_ask_for_their_weights),
        cmocka_unit_test(entries_in_no_file_are_missing),
        cmocka_unit_test(nothing_is_sure_of_payloads_that_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
