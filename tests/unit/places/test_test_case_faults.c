/* Checks the test cases of an exported program against changed copies of its method. */
#include "places/test_case_faults.h"

#include "program_files.h"

#define PATH "testdata/bundled-inputs/bundle.bpte"
#define AGAIN "; bundle the program again (etinspect bundle)"

/* A program, a copy of its method that tests change, and an inspector that receives the notes. */
typedef struct bundled {
    program_file program;
    eti_pte pte;
    eti_pte_plan plan;
    eti_inspector inspector;
} bundled;

static void start(bundled *b) {
    *b = (bundled){.inspector = {.n_programs = 1}};
    open_program(&b->program, PATH, NULL);
    b->pte = b->program.pte;
    assert_int_equal(b->pte.n_plans, 1);
    b->plan = b->pte.plans[0];
    b->pte.plans = &b->plan;
    b->inspector.programs = &b->pte;
}

/* Expects a single note, and frees all. */
static void expect_note(bundled *b, eti_note_kind kind, const char *text) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__test_case_faults_note(&b->inspector, &err));
    assert_int_equal(b->inspector.n_notes, 1);
    assert_text(b->inspector.notes[0].text, text);
    assert_int_equal(b->inspector.notes[0].kind, kind);
    free(b->inspector.notes);
    eti__arena_free(&b->inspector.arena);
    close_program(&b->program);
}

#define FAULTS(n) PATH ": 2 test cases with " n " that the runtime rejects or cannot compare: "

static void test_cases_are_counted(void **state) {
    (void)state;
    bundled b;
    start(&b);
    expect_note(&b, ETI_NOTE_INFO, PATH ": 2 test cases");
    start(&b);
    b.inspector.n_programs = 0;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__test_case_faults_note(&b.inspector, &err));
    assert_int_equal(b.inspector.n_notes, 0);
    close_program(&b.program);
}

static void each_value_has_one_of_the_method(void **state) {
    (void)state;
    bundled b;
    const int32_t none[] = {-1, -1};
    start(&b);
    b.plan.inputs.n = 0;
    expect_note(&b, ETI_NOTE_WARNING,
                FAULTS("2 values") "input 0 of test case 0 of forward is too many: the method has "
                                   "0, the test case 1, and others" AGAIN);
    start(&b);
    const int32_t outputs[] = {b.plan.outputs.items[0], -1};
    b.plan.outputs = (eti_pte_indices){outputs, 2};
    expect_note(&b, ETI_NOTE_WARNING,
                FAULTS("2 values") "output 1 of test case 0 of forward is missing: the method has "
                                   "2, the test case 1, and others" AGAIN);
    start(&b);
    b.plan.inputs = (eti_pte_indices){none, 2}; /* two faults in each test case */
    expect_note(&b, ETI_NOTE_WARNING,
                FAULTS("4 values") "input 0 of test case 0 of forward is not of the kind that the "
                                   "method expects, and others" AGAIN);
}

static void tensors_are_compared_with_those_of_the_method(void **state) {
    (void)state;
    bundled b;
    start(&b);
    eti_pte_tensor tensor = *eti__pte_tensor_at(&b.plan, b.plan.outputs.items[0]);
    eti_pte_value *values = calloc(b.plan.n_values, sizeof *values);
    assert_non_null(values);
    memcpy(values, b.plan.values, b.plan.n_values * sizeof *values);
    values[b.plan.inputs.items[0]] = (eti_pte_value){.kind = ETI_PTE_INT};
    values[b.plan.outputs.items[0]].of.as_tensor = &tensor;
    tensor.scalar_type = 7;
    b.plan.values = values;
    expect_note(&b, ETI_NOTE_WARNING,
                FAULTS("4 values") "input 0 of test case 0 of forward is not of the kind that the "
                                   "method expects, and others" AGAIN);
    start(&b);
    tensor = *eti__pte_tensor_at(&b.plan, b.plan.inputs.items[0]);
    memcpy(values, b.plan.values, b.plan.n_values * sizeof *values);
    values[b.plan.inputs.items[0]].of.as_tensor = &tensor;
    tensor.scalar_type = 7;
    b.plan.values = values;
    expect_note(&b, ETI_NOTE_WARNING,
                FAULTS("2 values") "input 0 of test case 0 of forward is not what the method "
                                   "expects: expected float64 [1, 8], found float32 [1, 8], and "
                                   "others" AGAIN);
    free(values);
}

/* The method counts as one value, whatever its test cases hold. */
static void a_method_must_exist(void **state) {
    (void)state;
    bundled b;
    start(&b);
    b.plan.name = eti__text_of("other");
    expect_note(&b, ETI_NOTE_WARNING, FAULTS("1 value") "the program has no method forward" AGAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_counted),
        cmocka_unit_test(each_value_has_one_of_the_method),
        cmocka_unit_test(tensors_are_compared_with_those_of_the_method),
        cmocka_unit_test(a_method_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
