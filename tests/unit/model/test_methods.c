#include "support.h"

#include "model_fixture.h"

#include "model/parts.h"

/* ==== methods ================================================================================= */
/* Finds the method that each EventBlock ran, in real files with two methods. */

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

/* ==== method fit ============================================================================== */
/* Tests how well methods of programs and ETRecords fit the events of a block. The program has the methods encode (3
 * kernels) and forward (6 kernels, the first three of which are those of encode). Each kernel is an event, and so is the
 * tensor that it logged. */

enum { ENCODE, FORWARD };

typedef struct files {
    eti_inspector *inspector;
    const eti_event_block *blocks[2]; /* one of each method */
} files;

static files open_fit_files(bool with_program, const char *record) {
    files of = {0};
    const eti_source dump = {.path = FOLDER "run.etdp"}, pte = {.path = FOLDER "model.pte"},
                     etrecord = {.path = record};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = &pte,
                               .n_programs = with_program};
    const eti_options options = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&of.inspector, &inputs, &options, &err));
    assert_int_equal(eti_inspector_block_count(of.inspector), 3); /* the first block loads */
    of.blocks[ENCODE] = eti_inspector_block(of.inspector, 1);
    of.blocks[FORWARD] = eti_inspector_block(of.inspector, 2);
    return of;
}

static void check_fit(const eti_method_fit *fit, uint64_t n_compared, uint64_t n_unlike,
                      uint64_t n_contrary, uint64_t n_missing) {
    assert_int_equal(fit->n_compared, n_compared);
    assert_int_equal(fit->n_unlike, n_unlike);
    assert_int_equal(fit->n_contrary, n_contrary);
    assert_int_equal(fit->n_missing, n_missing);
}

static void a_plan_fits_the_block_that_ran_it(void **state) {
    (void)state;
    files of = open_fit_files(true, NULL);
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method_fit fit;
    assert_true(eti__fit_plan(of.blocks[ENCODE], &pte->plans[ENCODE], &fit));
    check_fit(&fit, 6, 0, 0, 0);
    assert_true(eti__fit_plan(of.blocks[FORWARD], &pte->plans[FORWARD], &fit));
    check_fit(&fit, 12, 0, 0, 0);
    eti_inspector_close(of.inspector);
}

static void a_longer_plan_misses_events_and_a_shorter_one_instructions(void **state) {
    (void)state;
    files of = open_fit_files(true, NULL);
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method_fit fit;
    assert_true(eti__fit_plan(of.blocks[ENCODE], &pte->plans[FORWARD], &fit));
    check_fit(&fit, 6, 0, 0, 3);
    assert_true(eti__fit_plan(of.blocks[FORWARD], &pte->plans[ENCODE], &fit));
    check_fit(&fit, 12, 6, 0, 0);
    eti_inspector_close(of.inspector);
}

static void a_record_fits_by_its_instructions(void **state) {
    (void)state;
    files of = open_fit_files(false, FOLDER "record.etrecord");
    eti_method_fit fit;
    assert_true(eti__fit_record(of.inspector, of.blocks[ENCODE], ENCODE, &fit));
    check_fit(&fit, 6, 0, 0, 0);
    assert_true(eti__fit_record(of.inspector, of.blocks[ENCODE], FORWARD, &fit));
    check_fit(&fit, 6, 0, 0, 3);
    assert_true(eti__fit_record(of.inspector, of.blocks[FORWARD], ENCODE, &fit));
    check_fit(&fit, 12, 6, 0, 0);
    eti_inspector_close(of.inspector);
}

static void files_of_one_export_fit(void **state) {
    (void)state;
    files of = open_fit_files(true, FOLDER "record.etrecord");
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method method = {.number = ENCODE, .plan = &pte->plans[ENCODE]};
    eti_method_fit fit;
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 3, 0, 0, 0);
    method.plan = &pte->plans[FORWARD]; /* three more calls than encode has in the record */
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 3, 0, 0, 3);
    method = (eti_method){.number = FORWARD, .plan = &pte->plans[ENCODE]};
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 6, 0, 3, 0);
    eti_inspector_close(of.inspector);
}

static void kernels_are_compared_with_operators_of_their_handles(void **state) {
    (void)state;
    files of = open_fit_files(true, FOLDER "record.etrecord");
    size_t left = ETI_NAMES_COMPARED;
    uint64_t n_compared = 0;
    assert_int_equal(eti__count_unlike_kernels(of.blocks[FORWARD], &left, &n_compared), 0);
    assert_int_equal(n_compared, 6);
    assert_true(left < ETI_NAMES_COMPARED);
    left = 0; /* no name may be examined */
    n_compared = 0;
    assert_int_equal(eti__count_unlike_kernels(of.blocks[FORWARD], &left, &n_compared), 0);
    assert_int_equal(n_compared, 0);
    eti_inspector_close(of.inspector);
}

/* ==== instructions ============================================================================ */
/* Finds the instruction of a program that an event belongs to, and whether the event logs what the instruction calls. */

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
        cmocka_unit_test(a_program_shows_the_method_of_each_block),
        cmocka_unit_test(a_record_shows_it_too),
        cmocka_unit_test(without_either_no_method_is_known),
        cmocka_unit_test(a_plan_fits_the_block_that_ran_it),
        cmocka_unit_test(a_longer_plan_misses_events_and_a_shorter_one_instructions),
        cmocka_unit_test(a_record_fits_by_its_instructions),
        cmocka_unit_test(files_of_one_export_fit),
        cmocka_unit_test(kernels_are_compared_with_operators_of_their_handles),
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
