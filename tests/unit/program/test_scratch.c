/* Lists the memory that delegates take beside the arenas. */
#include "program_files.h"

#include "program/program.h"

#include "support.h"

static void open_calls(program_file *program, const char *path, eti_calls *calls) {
    eti_error err = ETI_ERROR_INIT;
    open_program(program, path, NULL);
    assert_ok(eti__calls_make(calls, &program->arena, &program->pte.plans[0], &err));
}

static void payloads_of_ethos_u_ask_for_memory(void **state) {
    (void)state;
    program_file program;
    eti_calls calls;
    eti_scratches scratches;
    eti_error err = ETI_ERROR_INIT;
    open_calls(&program, "testdata/backends/ethosu_cnn/model.pte", &calls);
    assert_ok(eti__scratches_list(&scratches, &program.arena, &calls, &err));
    assert_int_equal(scratches.n, 1);
    assert_int_equal(scratches.items[0].instruction, 1);
    assert_int_equal(scratches.items[0].delegate, 0);
    assert_int_equal(scratches.items[0].bytes, 85312);
    assert_int_equal(scratches.most, 85312);
    assert_int_equal(scratches.n_damaged, 0);
    close_program(&program);
}

static void other_payloads_do_not_say(void **state) {
    static const char *const paths[] = {"testdata/backends/vgf_cnn/model.pte",
                                        "testdata/xnnpack-conv/model.pte",
                                        "testdata/mlp/model.pte"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        program_file program;
        eti_calls calls;
        eti_scratches scratches;
        eti_error err = ETI_ERROR_INIT;
        open_calls(&program, paths[i], &calls);
        assert_ok(eti__scratches_list(&scratches, &program.arena, &calls, &err));
        assert_int_equal(scratches.n, 0);
        assert_int_equal(scratches.n_damaged, 0);
        close_program(&program);
    }
}

/* Two calls of one delegate count its payload once. */
static void damaged_payloads_are_counted(void **state) {
    (void)state;
    program_file program;
    eti_calls calls;
    eti_scratches scratches;
    eti_error err = ETI_ERROR_INIT;
    open_calls(&program, "testdata/backends/ethosu_cnn/model.pte", &calls);
    eti_pte_delegate delegate = program.pte.plans[0].delegates[0];
    delegate.payload.size -= 64;
    eti_pte_plan plan = program.pte.plans[0];
    plan.delegates = &delegate;
    const eti_pte_instruction *twice[] = {calls.items[1], calls.items[1]};
    const eti_calls damaged = {.plan = &plan, .items = twice, .n = 2};
    assert_ok(eti__scratches_list(&scratches, &program.arena, &damaged, &err));
    assert_int_equal(scratches.n, 0);
    assert_int_equal(scratches.n_damaged, 1);
    assert_non_null(strstr(scratches.damage.message, "Vela"));
    close_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payloads_of_ethos_u_ask_for_memory),
        cmocka_unit_test(other_payloads_do_not_say),
        cmocka_unit_test(damaged_payloads_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
