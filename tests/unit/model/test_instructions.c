/* Finds the instruction of a program that an event belongs to, and whether the event logs what the instruction calls. */
#include "model_fixture.h"

#include "model/associate.h"
#include "model/instructions.h"

#define KERNEL(n)                                                                                  \
    { .kind = ETI_PTE_KERNEL_CALL, .index = (n) }
#define DELEGATE                                                                                   \
    { .kind = ETI_PTE_DELEGATE_CALL }
#define MOVE                                                                                       \
    { .kind = ETI_PTE_MOVE_CALL }

enum { ADD, SCALAR, CLONE };

/* Two chains: aten::add.out, a delegate, a move, aten::add.Scalar; and aten::clone, without an overload. */
static eti_pte_operator operators[] = {{{"aten::add", 9}, {"out", 3}},
                                       {{"aten::add", 9}, {"Scalar", 6}},
                                       {{"aten::clone", 11}, {"", 0}}};
static eti_pte_instruction first[] = {KERNEL(ADD), DELEGATE, MOVE, KERNEL(SCALAR)};
static eti_pte_instruction second[] = {KERNEL(CLONE)};
static eti_pte_chain chains[] = {{.instructions = first, .n_instructions = COUNT_OF(first)},
                                 {.instructions = second, .n_instructions = COUNT_OF(second)}};

static eti_pte_plan plan_of(uint32_t n_chains) {
    return (eti_pte_plan){.name = {"forward", 7},
                          .chains = chains,
                          .n_chains = n_chains,
                          .operators = operators,
                          .n_operators = COUNT_OF(operators)};
}

#define EVENT(b, chain, id, event_name)                                                            \
    TIMED(b, .name = (event_name), .chain_index = SOME(chain), .instruction_id = SOME(id),         \
          .start_time = 1, .end_time = 2)
#define CALLED_BY_DELEGATE(b, id)                                                                  \
    TIMED(b, .delegate_id_str = "op", .instruction_id = SOME(id), .start_time = 1, .end_time = 2)
#define ONE(b, event) DUMP(b, RUN(b, "Execute", event))

static const eti_event *only_event(model *m, place dump) {
    build_model(m, dump);
    assert_int_equal(m->blocks.blocks[0].n_events, 1);
    return &m->blocks.blocks[0].events[0];
}

/* ---- which instruction ----------------------------------------------------------------------- */

static void events_of_the_framework_and_of_loading_have_none(void **state) {
    (void)state;
    const eti_pte_plan plan = plan_of(1);
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute", EVENT(b, 0, 0, "Method::execute"),
                                TIMED(b, .name = "native_call_add.out", .start_time = 1))));
    const eti_event_block *block = &m.blocks.blocks[0];
    const eti_pte_instruction *instruction;
    assert_int_equal(block->n_events, 2);
    assert_false(eti__block_has_instructions(block));
    assert_null(eti__event_instruction(&block->events[0], &plan));
    assert_null(eti__event_instruction(&block->events[1], &plan));
    assert_null(eti__first_misfit(block, &plan, &instruction));
    free_model(&m);
}

static void assert_names_instruction(bool expected, int chain, int id, const char *name) {
    model m = {0};
    const eti_event *event = only_event(&m, ONE(&m.b, EVENT(&m.b, chain, id, name)));
    assert_int_equal(eti__event_names_instruction(event), expected);
    free_model(&m);
}

static void outside_of_instructions_the_number_0_names_none(void **state) {
    (void)state;
    assert_names_instruction(true, 0, 0, "op");
    assert_names_instruction(true, 1, 3, "op");
    assert_names_instruction(true, -1, 3, "op"); /* as loggers write it that know only one chain */
    assert_names_instruction(false, -1, 0, "op");
    assert_names_instruction(false, 0, -1, "op");
    assert_names_instruction(false, 0, 0, "Method::execute");
}

static void one_event_of_an_instruction_is_enough(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute", EVENT(b, 0, 0, "Method::execute"),
                                EVENT(b, 0, 0, "native_call_add.out"))));
    assert_true(eti__block_has_instructions(&m.blocks.blocks[0]));
    free_model(&m);
}

static void assert_instruction(int chain, int id, uint32_t n_chains,
                               const eti_pte_instruction *expected) {
    const eti_pte_plan plan = plan_of(n_chains);
    model m = {0};
    const eti_event *event = only_event(&m, ONE(&m.b, EVENT(&m.b, chain, id, "op")));
    assert_ptr_equal(eti__event_instruction(event, &plan), expected);
    free_model(&m);
}

static void the_number_counts_within_the_chain(void **state) {
    (void)state;
    assert_instruction(0, 0, 2, &first[0]);
    assert_instruction(0, 3, 2, &first[3]);
    assert_instruction(1, 0, 2, &second[0]);
    assert_instruction(0, 4, 2, NULL);
    assert_instruction(1, 1, 2, NULL);
    assert_instruction(2, 0, 2, NULL); /* the program has no such chain */
    assert_instruction(0, -2, 2, NULL);
}

static void the_only_chain_is_that_of_all_events(void **state) {
    (void)state;
    assert_instruction(1, 2, 1, &first[2]);
    assert_instruction(-1, 1, 1, &first[1]);
    assert_instruction(1, 4, 1, NULL);
}

static void the_chain_is_what_the_event_says(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    assert_int_equal(eti__event_chain(only_event(&m, ONE(b, EVENT(b, 3, 0, "op")))), 3);
    free_model(&m);
    assert_int_equal(eti__event_chain(only_event(
                         &m, ONE(b, LOGGED(b, .name = "op", .chain_index = SOME(2),
                                           .instruction_id = SOME(0), .value = INT_VALUE(b, 1))))),
                     2);
    free_model(&m);
}

/* ---- the called kernel or delegate ----------------------------------------------------------- */

static void assert_fit(place dump, model *m, const eti_pte_instruction *instruction,
                       bool expected) {
    const eti_pte_plan plan = plan_of(2);
    assert_int_equal(eti__event_fits(only_event(m, dump), &plan, instruction), expected);
    free_model(m);
}

static void assert_named_fit(const char *name, const eti_pte_instruction *instruction,
                             bool expected) {
    model m = {0};
    assert_fit(ONE(&m.b, EVENT(&m.b, 0, 0, name)), &m, instruction, expected);
}

static void kernels_fit_calls_of_their_overload(void **state) {
    (void)state;
    assert_named_fit("native_call_add.out", &first[0], true);
    assert_named_fit("native_call_add.Scalar", &first[0], false);
    assert_named_fit("native_call_add.Scalar", &first[3], true);
    assert_named_fit("native_call_mul.out", &first[0], false);
    assert_named_fit("native_call_clone", &second[0], true);
    assert_named_fit("native_call_add.out", &first[1], false);
    assert_named_fit("native_call_add.out", &first[2], false);
}

static void delegates_fit_calls_of_delegates(void **state) {
    (void)state;
    model m = {0};
    assert_named_fit("DELEGATE_CALL", &first[1], true);
    assert_named_fit("DELEGATE_CALL", &first[0], false);
    assert_named_fit("DELEGATE_CALL", &first[2], false);
    assert_fit(ONE(&m.b, CALLED_BY_DELEGATE(&m.b, 0)), &m, &first[1], true);
    assert_fit(ONE(&m.b, CALLED_BY_DELEGATE(&m.b, 0)), &m, &first[0], false);
}

static void operator_calls_fit_any_kernel_and_other_names_anything(void **state) {
    (void)state;
    assert_named_fit("OPERATOR_CALL", &first[0], true);
    assert_named_fit("OPERATOR_CALL", &second[0], true);
    assert_named_fit("OPERATOR_CALL", &first[1], false);
    assert_named_fit("OPERATOR_CALL", &first[2], false);
    assert_named_fit("something", &first[0], true);
    assert_named_fit("something", &first[1], true);
    assert_named_fit("something", &first[2], true);
}

/* ---- the first unfit event ------------------------------------------------------------------- */

static void the_first_misfit_comes_with_what_it_should_log(void **state) {
    (void)state;
    const eti_pte_plan plan = plan_of(2);
    const eti_pte_instruction *instruction = NULL;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "Execute", EVENT(b, 0, 0, "native_call_add.out"),
                        EVENT(b, 0, 3, "native_call_add.out"), EVENT(b, 1, 7, "DELEGATE_CALL"))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_ptr_equal(eti__first_misfit(block, &plan, &instruction), &block->events[1]);
    assert_ptr_equal(instruction, &first[3]);
    free_model(&m);
}

static void an_event_of_no_instruction_of_the_plan_is_a_misfit(void **state) {
    (void)state;
    const eti_pte_plan plan = plan_of(2);
    const eti_pte_instruction *instruction = &first[0];
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "Execute", EVENT(b, 0, 0, "native_call_add.out"),
                                EVENT(b, 0, 9, "native_call_add.out"))));
    const eti_event_block *block = &m.blocks.blocks[0];
    assert_ptr_equal(eti__first_misfit(block, &plan, &instruction), &block->events[1]);
    assert_null(instruction);
    free_model(&m);
}

static void there_is_no_misfit_where_all_log_what_is_called(void **state) {
    (void)state;
    const eti_pte_plan plan = plan_of(2);
    const eti_pte_instruction *instruction;
    model m = {0};
    builder *b = &m.b;
    build_model(&m,
                DUMP(b, RUN(b, "Execute", EVENT(b, 0, 0, "native_call_add.out"),
                            EVENT(b, 0, 1, "DELEGATE_CALL"), EVENT(b, 1, 0, "native_call_clone"))));
    assert_null(eti__first_misfit(&m.blocks.blocks[0], &plan, &instruction));
    free_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_framework_and_of_loading_have_none),
        cmocka_unit_test(outside_of_instructions_the_number_0_names_none),
        cmocka_unit_test(one_event_of_an_instruction_is_enough),
        cmocka_unit_test(the_number_counts_within_the_chain),
        cmocka_unit_test(the_only_chain_is_that_of_all_events),
        cmocka_unit_test(the_chain_is_what_the_event_says),
        cmocka_unit_test(kernels_fit_calls_of_their_overload),
        cmocka_unit_test(delegates_fit_calls_of_delegates),
        cmocka_unit_test(operator_calls_fit_any_kernel_and_other_names_anything),
        cmocka_unit_test(the_first_misfit_comes_with_what_it_should_log),
        cmocka_unit_test(an_event_of_no_instruction_of_the_plan_is_a_misfit),
        cmocka_unit_test(there_is_no_misfit_where_all_log_what_is_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
