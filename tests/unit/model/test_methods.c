/* Finds the method that each EventBlock ran, in real files with two methods. */
#include "support.h"

#include "model/methods.h"

#define FOLDER "testdata/multi-method/"

static eti_inspector *open_files(bool with_program, const char *record) {
    const eti_source dump = {.path = FOLDER "run.etdp"}, pte = {.path = FOLDER "model.pte"},
                     etrecord = {.path = record};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = &pte,
                               .n_programs = with_program};
    const eti_options options = {0};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

/* The first block loads; the others ran encode, with 3 kernels, and forward, with 6. */
static void check_blocks(const eti_inspector *inspector) {
    static const char *const names[] = {NULL, "encode", "forward"};
    assert_int_equal(eti_inspector_block_count(inspector), COUNT_OF(names));
    assert_null(eti__method_of(inspector, eti_inspector_block(inspector, 0)));
    for (size_t i = 1; i < COUNT_OF(names); i++) {
        const eti_method *method = eti__method_of(inspector, eti_inspector_block(inspector, i));
        assert_non_null(method);
        assert_true(eti__text_is(method->name, names[i]));
        assert_true(eti__method_ran(inspector, method));
    }
}

static void a_program_shows_the_method_of_each_block(void **state) {
    (void)state;
    eti_inspector *inspector = open_files(true, NULL);
    check_blocks(inspector);
    assert_true(eti__has_several_methods(inspector));
    eti_inspector_close(inspector);
}

static void a_record_shows_it_too(void **state) {
    (void)state;
    eti_inspector *inspector = open_files(false, FOLDER "record.etrecord");
    check_blocks(inspector);
    assert_true(eti__has_several_methods(inspector));
    assert_non_null(eti__methods_graph(inspector, 0));
    assert_non_null(eti__methods_graph(inspector, 1));
    eti_inspector_close(inspector);
}

static void without_either_no_method_is_known(void **state) {
    (void)state;
    eti_inspector *inspector = open_files(false, NULL);
    for (size_t i = 0; i < eti_inspector_block_count(inspector); i++)
        assert_null(eti__method_of(inspector, eti_inspector_block(inspector, i)));
    assert_false(eti__has_several_methods(inspector));
    eti_inspector_close(inspector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_shows_the_method_of_each_block),
        cmocka_unit_test(a_record_shows_it_too),
        cmocka_unit_test(without_either_no_method_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
