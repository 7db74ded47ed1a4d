/* Tests figures of real programs. Those of memory are the numbers that the tests of liveness and arenas expect. */
#include "program/program.h"

#include "program_files.h"

static void assert_figures(const char *path, const char *data, const uint64_t *expected) {
    program_file program;
    eti_figures figures;
    eti_error err = ETI_ERROR_INIT;
    open_program(&program, path, data);
    assert_ok(eti__figures_make(&figures, &program.pte, &err));
    for (int i = 0; i < ETI_N_FIGURES; i++) {
        assert_true(figures.are_known[i]);
        if (figures.values[i] != expected[i])
            fail_msg("%s: %s is %llu", path, eti__figure_names[i],
                     (unsigned long long)figures.values[i]);
    }
    assert_int_equal(figures.values[ETI_FIGURE_FILE_SIZE], program.file.size);
    close_program(&program);
}

/* file_size, arena_size, arena_peak, waste, constants, delegate_blobs, instructions, operators */
static void programs_have_figures(void **state) {
    (void)state;
    static const uint64_t mlp[] = {3792, 704, 704, 0, 976, 0, 6, 4};
    static const uint64_t methods[] = {3948, 224, 208, 16, 236, 0, 9, 4};
    assert_figures("testdata/mlp/model.pte", NULL, mlp);
    assert_figures("testdata/multi-method/model.pte", NULL, methods);
}

static void names_are_found(void **state) {
    (void)state;
    eti_figure figure;
    assert_true(eti__figure_find(eti__text_of("waste"), &figure));
    assert_int_equal(figure, ETI_FIGURE_WASTE);
    assert_false(eti__figure_find(eti__text_of("wast"), &figure));
    assert_false(eti__figure_is_count(ETI_FIGURE_DELEGATE_BLOBS));
    assert_true(eti__figure_is_count(ETI_FIGURE_INSTRUCTIONS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_have_figures),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
