#include "inspector_fixture.h"

#include "rollup/steps.h"

/* Adds a kernel of 1 ms. */
#define KERNEL(b, event_name, id)                                                                  \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id),                                     \
          .start_time = (id)*UINT64_C(1000000), .end_time = ((id) + 1) * UINT64_C(1000000))

static eti_steps make_steps(const eti_inspector *inspector) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_steps out;
    assert_ok(eti__steps_make(&out, inspector, &options, &err));
    return out;
}

static const eti_step *step_called(const eti_steps *steps, const char *name) {
    for (size_t i = 0; i < steps->all.count; i++) {
        const eti_step *step = &steps->all.items[i];
        if (eti__text_is(steps->names.texts.texts[step->key.name], name))
            return step;
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static void copies_are_known_by_their_names(void **state) {
    (void)state;
    static const char *const copies[] = {"native_call__to_dim_order_copy.out",
                                         "native_call__clone_dim_order.out",
                                         "native_call__to_copy.out",
                                         "native_call_clone.out",
                                         "native_call_quantize_per_tensor.out",
                                         "native_call_dequantize_per_channel.out"};
    static const char *const others[] = {"native_call_permute_copy.out", "native_call_clones.out",
                                         "native_call_slice_copy.Tensor_out"};
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", KERNEL(b, copies[0], 0), KERNEL(b, copies[1], 1),
                    KERNEL(b, copies[2], 2), KERNEL(b, copies[3], 3), KERNEL(b, copies[4], 4),
                    KERNEL(b, copies[5], 5), KERNEL(b, others[0], 6), KERNEL(b, others[1], 7),
                    KERNEL(b, others[2], 8))),
        NULL);
    eti_steps steps = make_steps(s.inspector);
    assert_true(steps.has_times);
    assert_int_equal(steps.all.count, 9);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        assert_true(step_called(&steps, copies[i])->is_copy);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(step_called(&steps, others[i])->is_copy);
    eti__steps_free(&steps);
    close_session(&s);
}

/* Work that a run does once for each of two inputs counts as one step. */
static void blocks_of_one_method_share_steps(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/bundled-inputs/run.etdp"};
    const eti_source record = {.path = "testdata/bundled-inputs/record.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    for (int with_record = 0; with_record < 2; with_record++) {
        eti_inputs of = inputs;
        eti_inspector *inspector;
        eti_error err = ETI_ERROR_INIT;
        if (!with_record)
            of.etrecord = NULL;
        assert_ok(eti__inspector_open(&inspector, &of, NULL, &err));
        eti_steps steps = make_steps(inspector);
        size_t n_blocks = steps.rollup.runs.n_blocks, n_barriers = 0;
        assert_true(n_blocks > 1);
        for (size_t i = 0; i < steps.n_order; i++)
            n_barriers += steps.order[i] == ETI_FIRST_STEP;
        assert_int_equal(n_barriers, n_blocks);
        /* each block has all steps in order */
        assert_int_equal((steps.n_order - n_barriers) / (with_record ? n_blocks : 1),
                         steps.all.count);
        eti__steps_free(&steps);
        eti_inspector_close(inspector);
    }
}

/* Instructions of all methods are listed; jumps and moves are barriers, and instructions that free a value are ignored. */
static void programs_have_steps(void **state) {
    (void)state;
    const eti_source program = {.path = "testdata/control-flow/model.pte"};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    eti_steps steps = make_steps(inspector);
    const eti_pte_plan *plan = &inspector->programs[0].plans[0];
    size_t n_kernels = 0, n_barriers = 0, n = 0;
    for (uint32_t i = 0; i < plan->chains[0].n_instructions; i++) {
        uint8_t kind = plan->chains[0].instructions[i].kind;
        n_kernels += kind == ETI_PTE_KERNEL_CALL;
        n_barriers += kind == ETI_PTE_MOVE_CALL || kind == ETI_PTE_JUMP_FALSE_CALL;
    }
    assert_true(n_barriers > 0);
    assert_false(steps.has_times);
    assert_int_equal(steps.all.count, n_kernels);
    for (size_t i = 0; i < steps.n_order; i++)
        n += steps.order[i] == ETI_NO_STEP;
    assert_int_equal(n, n_barriers);
    assert_int_equal(steps.order[0], ETI_FIRST_STEP);
    assert_int_equal(steps.n_order, 1 + n_kernels + n_barriers);
    eti__steps_free(&steps);
    eti_inspector_close(inspector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_known_by_their_names),
        cmocka_unit_test(blocks_of_one_method_share_steps),
        cmocka_unit_test(programs_have_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
