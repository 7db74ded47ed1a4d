/* Durations are powers of two, so that a sum shows which terms it has. */
#include "seen_fixture.h"

#include "rollup/rollup.h"

#include <time.h>

#define MS UINT64_C(1000000)
#define STEP(b, event_name, id, start, end)                                                        \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (start)*MS,           \
          .end_time = (end)*MS)
#define OF_DELEGATE(b, debug_id, id, start, end)                                                   \
    TIMED(b, .delegate_id_str = (debug_id), .instruction_id = SOME(id), .start_time = (start)*MS,  \
          .end_time = (end)*MS)
#define EXECUTE(b, start, end)                                                                     \
    TIMED(b, .name = "Method::execute", .start_time = (start)*MS, .end_time = (end)*MS)

static eti_status try_times(seen *s, eti_instruction_times *out, eti_error *err) {
    static const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    return eti__instruction_times_make(out, s->session.inspector, &options, err);
}

static void assert_row(const eti_instruction_times *times, size_t row, uint64_t n_calls,
                       uint64_t ms) {
    assert_int_equal(times->calls[row], n_calls);
    assert_int_equal(times->rollup.groups[row].time.total.low, ms * MS);
}

/* Adds a kernel, a delegate, and a kernel of a branch that is not taken. */
static void add_three(seen *s) {
    program_spec *p = &s->program;
    p->n_operators = 1;
    add_call(p, A_KERNEL_CALL, 0, I32S(&p->b, 0));
    add_payload(s, NODES(XNODE(TANH, 1), XNODE(SIN, 2)));
    add_call(p, A_KERNEL_CALL, 0, I32S(&p->b, 0));
}

static void all_of_a_call_is_of_its_instruction(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    eti_instruction_times times;
    eti_error err = ETI_ERROR_INIT;
    add_three(&s);
    /* the kernel runs twice, as in a loop: 1 + 1 in the kernel, and 2 around it; the delegate logs 8 + 16 of 32 */
    open_seen(
        &s,
        DUMP(b, RUN(b, "Execute", STEP(b, "native_call_add.out", 0, 0, 1),
                    STEP(b, "OPERATOR_CALL", 0, 0, 2), STEP(b, "native_call_add.out", 0, 2, 3),
                    STEP(b, "OPERATOR_CALL", 0, 2, 4), OF_DELEGATE(b, "TanH (NC) #1", 1, 4, 12),
                    OF_DELEGATE(b, "Sine (NC) #1", 1, 12, 28), STEP(b, "DELEGATE_CALL", 1, 4, 36),
                    EXECUTE(b, 0, 100))),
        NULL);
    assert_ok(try_times(&s, &times, &err));
    assert_int_equal(times.n_methods, 1);
    assert_ptr_equal(times.methods[0].plan, &s.session.inspector->programs[0].plans[0]);
    assert_row(&times, 0, 2, 4);
    assert_int_equal(times.kernels[0], 2);
    assert_row(&times, 1, 1, 32);
    assert_row(&times, 2, 0, 0);
    assert_int_equal(times.n_rows, 4);
    assert_int_equal(times.rollup.groups[3].time.total.low, (100 - 36) * MS); /* the framework */
    eti__instruction_times_free(&times);
    close_seen(&s);
}

/* Refuses a program whose payload has other operators than were logged, and one that calls other kernels. */
static void other_programs_are_refused(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    eti_instruction_times times;
    eti_error err = ETI_ERROR_INIT;
    add_three(&s);
    open_seen(&s, DUMP(b, RUN(b, "Execute", STEP(b, "native_call_mul.out", 0, 0, 1))), NULL);
    assert_fails(
        try_times(&s, &times, &err), ETI_ERROR_DATA,
        "its instruction 0 is native_call_mul.out, but in method forward it is aten::add.out");
    eti__instruction_times_free(&times);
    close_seen(&s);

    add_three(&s);
    open_seen(&s, DUMP(b, RUN(b, "Execute", STEP(b, "native_call_add.out", 3, 0, 1))), NULL);
    assert_fails(try_times(&s, &times, &err), ETI_ERROR_DATA,
                 "its instruction 3 is native_call_add.out, but in method forward it is no such "
                 "instruction");
    eti__instruction_times_free(&times);
    close_seen(&s);
}

static void programs_may_have_no_method(void **state) {
    (void)state;
    seen s = {.program.has_no_method = true};
    builder *b = &s.session.b;
    eti_instruction_times times;
    eti_error err = ETI_ERROR_INIT;
    add_three(&s);
    open_seen(&s, DUMP(b, RUN(b, "Execute", STEP(b, "native_call_add.out", 0, 0, 1))), NULL);
    assert_fails(try_times(&s, &times, &err), ETI_ERROR_DATA, "test.pte: has no method");
    eti__instruction_times_free(&times);
    close_seen(&s);
}

/* Loading belongs to no instruction, so any program fits it. */
static void loading_fits_any_program(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    eti_instruction_times times;
    eti_error err = ETI_ERROR_INIT;
    add_three(&s);
    open_seen(
        &s,
        DUMP(b, RUN(b, "Default",
                    TIMED(b, .name = "Method::init", .start_time = 1 * MS, .end_time = 2 * MS))),
        NULL);
    assert_ok(try_times(&s, &times, &err));
    eti__instruction_times_free(&times);
    close_seen(&s);
}

/* Looking through all chains for each Event would take more than 10 seconds. */
static void instructions_of_many_chains_are_found_quickly(void **state) {
    (void)state;
    enum { N_CHAINS = 300000, N = 50000 };
    static place events[N];
    seen s = {.program.n_empty_chains = N_CHAINS, .program.n_operators = 1};
    builder *b = &s.session.b;
    eti_instruction_times times;
    eti_error err = ETI_ERROR_INIT;
    for (int32_t i = 0; i < N; i++) {
        add_call(&s.program, A_KERNEL_CALL, 0, I32S(&s.program.b, 0));
        events[i] = TIMED(b, .name = "native_call_add.out", .chain_index = SOME(N_CHAINS),
                          .instruction_id = SOME(i), .start_time = 1, .end_time = 2);
    }
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, N)});
    open_seen(&s, DUMP(b, run), NULL);
    clock_t begin = clock();
    assert_ok(try_times(&s, &times, &err));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
    assert_int_equal(times.n_rows, N + 1);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(times.kernels[i], 1);
    eti__instruction_times_free(&times);
    close_seen(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_call_is_of_its_instruction),
        cmocka_unit_test(other_programs_are_refused),
        cmocka_unit_test(programs_may_have_no_method),
        cmocka_unit_test(loading_fits_any_program),
        cmocka_unit_test(instructions_of_many_chains_are_found_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
