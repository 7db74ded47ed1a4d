#include "account_fixture.h"

#include "inspector_fixture.h"

#include "timed_events.h"

#include "rollup/rollup.h"

#include <glob.h>

/* ==== account ================================================================================= */

static size_t find(const accounting *a, const char *name) {
    const eti_event_block *block = a->account.block;
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__text_is(block->events[i].name, name))
            return i;
    }
    fail_msg("there is no event %s", name);
    return 0;
}

static uint64_t self(const accounting *a, const char *name, size_t run) {
    return eti__account_self(&a->account, find(a, name))[run];
}

static eti_event_account event_of(const accounting *a, const char *name) {
    return a->account.events[find(a, name)];
}

static void assert_parent(const accounting *a, const char *name, const char *parent) {
    uint32_t found = event_of(a, name).parent;
    assert_int_equal(found, parent ? (uint32_t)find(a, parent) : ETI_NO_EVENT);
}

/* ---- one run --------------------------------------------------------------------------------- */

static void own_times_of_portable_kernels(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "native_call_add.out", 1, 12, 18),
                                 CALL(b, "helper", 1, 14, 15), CALL(b, "OPERATOR_CALL", 1, 11, 20),
                                 CALL(b, "JF_CALL", 2, 21, 22), CALL(b, "OPERATOR_CALL", 3, 23, 29),
                                 EVENT(b, "Method::execute", 10, 50))));
    assert_int_equal(self(&a, "native_call_add.out", 0), 5);
    assert_int_equal(self(&a, "helper", 0), 1);
    assert_int_equal(self(&a, "OPERATOR_CALL", 0), 3);
    assert_int_equal(self(&a, "JF_CALL", 0), 1);
    assert_int_equal(self(&a, "Method::execute", 0), 24);
    assert_int_equal(a.account.whole[0], 40);
    assert_parent(&a, "native_call_add.out", "OPERATOR_CALL");
    assert_parent(&a, "OPERATOR_CALL", "Method::execute");
    assert_parent(&a, "Method::execute", NULL);
    assert_int_equal(event_of(&a, "native_call_add.out").role, ETI_ROLE_KERNEL);
    assert_int_equal(event_of(&a, "OPERATOR_CALL").role, ETI_ROLE_OPERATOR_CALL);
    assert_int_equal(event_of(&a, "JF_CALL").role, ETI_ROLE_INSTRUCTION);
    assert_int_equal(event_of(&a, "Method::execute").role, ETI_ROLE_EXECUTE);
    assert_false(event_of(&a, "OPERATOR_CALL").is_leaf);
    assert_true(event_of(&a, "JF_CALL").is_leaf);
    assert_true(a.account.events[4].is_leaf); /* the second OPERATOR_CALL */
    assert_int_equal(a.account.execute, find(&a, "Method::execute"));
    assert_int_equal(a.account.n_outside, 0);
    close_account(&a);
}

/* Holds whatever the stamps say, in each chain separately. */
/* A block with one event whose name comes from the runtime is a block of the runtime. */
static void other_engines_name_operators_as_they_like(void **state) {
    (void)state;
    static const char *const of_runtime[] = {NULL,        "JF_CALL",         "MOVE_CALL",
                                             "FREE_CALL", "Method::execute", "DELEGATE_CALL"};
    for (size_t i = 0; i < COUNT_OF(of_runtime); i++) {
        accounting a = {0};
        builder *b = &a.s.b;
        open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "conv", 1, 12, 18),
                                     EVENT(b, "timer", 18, 19), CALL(b, "infer", 0, 11, 20),
                                     CALL(b, of_runtime[i] ? of_runtime[i] : "dense", 2, 21, 22))));
        eti_role role = of_runtime[i] ? ETI_ROLE_INSTRUCTION : ETI_ROLE_KERNEL;
        assert_int_equal(event_of(&a, "conv").role, role);
        /* it belongs to no instruction */
        assert_int_equal(event_of(&a, "timer").role, ETI_ROLE_INSTRUCTION);
        /* other events are inside it */
        assert_int_equal(event_of(&a, "infer").role, ETI_ROLE_INSTRUCTION);
        assert_int_equal(self(&a, "conv", 0), 6);
        close_account(&a);
    }
}

/* An event of a delegate says nothing about who named the others. */
static void other_engines_have_delegates(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a, DUMP(b, RUN(b, "Execute", CALL(b, "conv", 1, 12, 18), DELEGATED(b, "npu", 2, 20, 26))));
    assert_int_equal(event_of(&a, "conv").role, ETI_ROLE_KERNEL);
    assert_int_equal(a.account.events[1].role, ETI_ROLE_DELEGATED);
    close_account(&a);
}

static void delegated_events_belong_to_the_call_of_their_instruction(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "first", 1, 0, 4),
                    CALL(b, "DELEGATE_CALL", 1, 1010, 1020), DELEGATED(b, "second", 2, 1011, 1017),
                    CALL(b, "DELEGATE_CALL", 2, 1030, 1040),
                    TIMED(b, .delegate_id_str = "third", .instruction_id = SOME(1),
                          .chain_index = SOME(1), .start_time = 7, .end_time = 8),
                    TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(1),
                          .chain_index = SOME(1), .start_time = 1050, .end_time = 1053),
                    EVENT(b, "Method::execute", 1000, 1100))));
    assert_int_equal(self(&a, "first", 0), 4);
    assert_int_equal(self(&a, "second", 0), 6);
    assert_int_equal(self(&a, "third", 0), 1);
    /* the Inspector does not distinguish chains: two calls are one Event */
    assert_int_equal(self(&a, "DELEGATE_CALL", 0), 6 + 2);
    assert_int_equal(self(&a, "Method::execute", 0), 77);
    assert_int_equal(a.account.whole[0], 100);
    assert_parent(&a, "first", "DELEGATE_CALL");
    assert_int_equal(event_of(&a, "third").role, ETI_ROLE_DELEGATED);
    assert_int_equal(a.account.n_full_calls, 0);
    assert_int_equal(a.account.n_outside, 0);
    assert_int_equal(a.account.n_lanes, 1); /* chains of a program run one after the other */
    close_account(&a);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Equal work in two threads is one Event of the Inspector. */
static void events_of_different_lanes_do_not_nest(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a,
                 DUMP(b, RUN(b, "Execute", CALL(b, "conv", 0, 10, 50), CALL(b, "shared", 0, 20, 25),
                             ON_LANE(b, "half", 1u, 20, 70), ON_LANE(b, "inner", 1u, 30, 45),
                             ON_LANE(b, "shared", 2u, 12, 14))));
    assert_int_equal(a.account.n_lanes, 3);
    assert_int_equal(self(&a, "conv", 0), 40 - 5);
    assert_int_equal(self(&a, "half", 0), 50 - 15);
    assert_int_equal(self(&a, "inner", 0), 15);
    assert_int_equal(self(&a, "shared", 0), 5 + 2);
    assert_parent(&a, "half", NULL);
    assert_parent(&a, "inner", "half");
    assert_int_equal(a.account.whole[0], 40 + 50 + 2);
    assert_int_equal(a.account.elapsed[0], 60); /* from 10 to 70 */
    assert_true(eti__account_overlaps(&a.account, 0));
    assert_int_equal(a.account.faults.of[ETI_TIME_BESIDE].n, 0);
    assert_int_equal(a.account.faults.of[ETI_TIME_OVERLAPS].n, 0);
    close_account(&a);
}

/* A chain of the program, which the main thread runs, contains a scope of a user. With `start` the chain's operator begins
 * while the main lane's works: then another thread runs it. */
static void open_chain_with_scope(accounting *a, uint64_t start) {
    builder *b = &a->s.b;
    open_account(
        a, DUMP(b, RUN(b, "Execute", CALL(b, "OPERATOR_CALL", 1, 10, 40),
                       TIMED(b, .name = "scope", .chain_index = SOME(1), .instruction_id = SOME(1),
                             .start_time = 50, .end_time = 60),
                       TIMED(b, .name = "native_call_mul.out", .chain_index = SOME(1),
                             .instruction_id = SOME(1), .start_time = start + 1, .end_time = 89),
                       TIMED(b, .name = "OPERATOR_CALL", .chain_index = SOME(1),
                             .instruction_id = SOME(1), .start_time = start, .end_time = 90),
                       EVENT(b, "Method::execute", 0, 100))));
}

static void a_scope_leaves_a_chain_to_the_main_thread(void **state) {
    (void)state;
    accounting a = {0};
    open_chain_with_scope(&a, 40);
    assert_int_equal(a.account.n_lanes, 1);
    assert_int_equal(self(&a, "Method::execute", 0), 100 - 30 - 50);
    assert_int_equal(self(&a, "scope", 0), 10);
    assert_int_equal(self(&a, "native_call_mul.out", 0), 48 - 10);
    assert_int_equal(a.account.whole[0], 100);
    close_account(&a);
}

static void a_chain_beside_the_main_lane_is_a_thread(void **state) {
    (void)state;
    accounting a = {0};
    open_chain_with_scope(&a, 39);
    assert_int_equal(a.account.n_lanes, 2);
    assert_int_equal(self(&a, "Method::execute", 0), 100 - 30);
    assert_int_equal(a.account.whole[0], 100 + 51);
    close_account(&a);
}

/* The kernel begins in one event of the host and ends after the next began. */
static void a_kernel_of_a_queue_is_an_operator(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "submit", 0, 10, 20),
                                 TIMED(b, .name = "matmul", .chain_index = SOME(3),
                                       .instruction_id = SOME(0), .start_time = 15, .end_time = 60),
                                 CALL(b, "wait", 0, 20, 62), EVENT(b, "Method::execute", 5, 70))));
    assert_int_equal(event_of(&a, "matmul").role, ETI_ROLE_KERNEL);
    assert_int_equal(event_of(&a, "matmul").lane, 3);
    assert_int_equal(self(&a, "matmul", 0), 45);
    assert_int_equal(event_of(&a, "wait").role,
                     ETI_ROLE_INSTRUCTION); /* a name of the runtime is on its lane */
    assert_int_equal(self(&a, "Method::execute", 0), 65 - 10 - 42);
    assert_int_equal(a.account.elapsed[0], 65);
    assert_int_equal(a.account.whole[0], 65 + 45);
    assert_int_equal(a.account.n_outside, 0);
    close_account(&a);
}

/* An Event that a lane with names of the runtime shares with another is no kernel, in whatever order the lanes called it. */
static void the_order_of_lanes_does_not_decide_a_role(void **state) {
    (void)state;
    for (int swaps = 0; swaps < 2; swaps++) {
        accounting a = {0};
        builder *b = &a.s.b;
        place main_lane = CALL(b, "shared", 0, 10, 20), other = ON_LANE(b, "shared", 3u, 12, 30);
        open_account(
            &a, DUMP(b, RUN(b, "Execute", swaps ? other : main_lane, swaps ? main_lane : other,
                            ON_LANE(b, "alone", 3u, 40, 50), EVENT(b, "Method::execute", 0, 100))));
        assert_int_equal(a.account.n_lanes, 2);
        assert_int_equal(event_of(&a, "shared").role, ETI_ROLE_INSTRUCTION);
        assert_int_equal(event_of(&a, "alone").role, ETI_ROLE_KERNEL);
        close_account(&a);
    }
}

/* Two threads execute the method at the same time, from 0 to 100 and from 10 to 110. */
static void executions_of_a_method_may_overlap(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a,
                 DUMP(b, RUN(b, "Execute", CALL(b, "OPERATOR_CALL", 1, 20, 90),
                             EVENT(b, "Method::execute", 0, 100),
                             TIMED(b, .name = "OPERATOR_CALL", .chain_index = SOME(1),
                                   .instruction_id = SOME(1), .start_time = 30, .end_time = 105),
                             TIMED(b, .name = "Method::execute", .chain_index = SOME((uint32_t)-2),
                                   .start_time = 10, .end_time = 110))));
    assert_int_equal(self(&a, "OPERATOR_CALL", 0), 70 + 75);
    assert_int_equal(self(&a, "Method::execute", 0), 30 + 25);
    assert_int_equal(a.account.elapsed[0], 110);
    assert_int_equal(a.account.whole[0], 200);
    close_account(&a);
}

static void delegated_events_that_sum_up_to_more_than_the_call_share_it(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "a", 1, 0, 20),
                                 DELEGATED(b, "b", 1, 0, 10), DELEGATED(b, "c", 1, 0, 0),
                                 DELEGATED(b, "d", 1, 0, 70), CALL(b, "DELEGATE_CALL", 1, 101, 108),
                                 EVENT(b, "Method::execute", 100, 110))));
    /* 7 * 20 / 100 = 1.4, 7 * 30 / 100 = 2.1, 7: the part that is cut off is carried to the next */
    assert_int_equal(self(&a, "a", 0), 1);
    assert_int_equal(self(&a, "b", 0), 1);
    assert_int_equal(self(&a, "c", 0), 0);
    assert_int_equal(self(&a, "d", 0), 5);
    assert_int_equal(self(&a, "DELEGATE_CALL", 0), 0);
    assert_int_equal(self(&a, "Method::execute", 0), 3);
    assert_int_equal(a.account.n_full_calls, 1);
    close_account(&a);
}

static void hostile_delegates_do_not_overflow(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "a", 1, 0, UINT64_MAX),
                    DELEGATED(b, "b", 1, 0, UINT64_MAX), DELEGATED(b, "c", 1, 0, UINT64_MAX),
                    DELEGATED(b, "d", 1, 0, UINT64_MAX), CALL(b, "DELEGATE_CALL", 1, 1, UINT64_MAX),
                    EVENT(b, "Method::execute", 0, UINT64_MAX))));
    uint64_t sum = self(&a, "a", 0) + self(&a, "b", 0) + self(&a, "c", 0) + self(&a, "d", 0);
    assert_true(sum == UINT64_MAX - 1);
    assert_true(self(&a, "a", 0) >= sum / 4 - 4 && self(&a, "a", 0) <= sum / 4 + 4);
    assert_true(a.account.whole[0] == UINT64_MAX);
    close_account(&a);
}

static void delegates_without_a_call_stand_where_their_stamps_say(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "inside", 1, 101, 104),
                        DELEGATED(b, "outside", 2, 7, 12), EVENT(b, "Method::execute", 100, 110))));
    assert_parent(&a, "inside", "Method::execute");
    assert_parent(&a, "outside", NULL);
    assert_int_equal(self(&a, "Method::execute", 0), 7);
    assert_int_equal(a.account.whole[0], 15);
    assert_int_equal(a.account.n_outside, 1);
    close_account(&a);
}

static void a_delegates_own_scale_is_converted_or_shares_the_call(void **state) {
    (void)state;
    const eti_delegate_time_scale us = {NULL, ETI_SCALE_US, 0},
                                  cycles = {NULL, ETI_SCALE_CYCLES, 0};
    for (int counts_cycles = 0; counts_cycles < 2; counts_cycles++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        options.delegate_time_scales = counts_cycles ? &cycles : &us;
        options.n_delegate_time_scales = 1;
        accounting a = {.s.options = &options};
        builder *b = &a.s.b;
        open_account(&a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "a", 1, 3, 5),
                                     CALL(b, "DELEGATE_CALL", 1, 1000, 9000),
                                     EVENT(b, "Method::execute", 500, 9500))));
        assert_int_equal(self(&a, "a", 0), counts_cycles ? 8000 : 2000);
        assert_int_equal(self(&a, "DELEGATE_CALL", 0), counts_cycles ? 0 : 6000);
        assert_int_equal(a.account.cycles.n, counts_cycles);
        assert_int_equal(a.account.whole[0], 9000);
        close_account(&a);
    }
}

/* 3000 cycles of a clock of 500 MHz take 6 us. */
static void a_frequency_turns_a_delegates_cycles_into_time(void **state) {
    (void)state;
    const eti_delegate_time_scale clock = {"Npu", ETI_SCALE_CYCLES, 500e6};
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.delegate_time_scales = &clock;
    options.n_delegate_time_scales = 1;
    session s = {.options = &options};
    builder *b = &s.b;
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "a", 1, 1000, 4000),
                 CALL(b, "DELEGATE_CALL", 1, 1000, 9000), EVENT(b, "Method::execute", 500, 9500))),
        &(record_spec){.handles = "{\"1\": 1}", .delegates = "{\"1\": {\"name\": \"Npu\"}}"});
    assert_ok(eti__account_new(&account, eti_inspector_block(s.inspector, 0), &s.inspector->options,
                               &err));
    size_t event = eti__text_is(account.block->events[0].name, "a") ? 0 : 1;
    assert_int_equal(eti__account_self(&account, event)[0], 6000);
    assert_bits(eti__account_elapsed(&account, event, 0), 0.006);
    assert_int_equal(account.cycles.n, 0);
    eti__account_free(&account);
    close_session(&s);
}

/* Its cycles are those of the source unless the frequency of the source's clock is known; then they are cycles of another
 * clock. */
static void a_delegates_own_cycles_count_beside_cycles_of_no_known_clock(void **state) {
    (void)state;
    const eti_delegate_time_scale cycles = {NULL, ETI_SCALE_CYCLES, 0};
    for (int is_known = 0; is_known < 2; is_known++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        options.source_time_scale = ETI_SCALE_CYCLES;
        options.target_time_scale = is_known ? ETI_SCALE_MS : ETI_SCALE_CYCLES;
        options.clock_hz = is_known ? 400e6 : 0;
        options.delegate_time_scales = &cycles;
        options.n_delegate_time_scales = 1;
        accounting a = {.s.options = &options};
        builder *b = &a.s.b;
        open_account(&a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "a", 1, 300, 500),
                                     CALL(b, "DELEGATE_CALL", 1, 1000, 9000),
                                     EVENT(b, "Method::execute", 500, 9500))));
        assert_int_equal(self(&a, "a", 0), is_known ? 8000 : 200);
        assert_int_equal(self(&a, "DELEGATE_CALL", 0), is_known ? 0 : 8000 - 200);
        assert_int_equal(self(&a, "Method::execute", 0), 1000);
        assert_int_equal(a.account.cycles.n, is_known);
        close_account(&a);
    }
}

/* The Inspector keeps only the last call of a loop. */
static void all_calls_of_a_loop_count(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a, DUMP(b, RUN(b, "Execute", CALL(b, "native_call_a", 1, 11, 13),
                        CALL(b, "OPERATOR_CALL", 1, 10, 15), DELEGATED(b, "d", 2, 0, 1),
                        CALL(b, "DELEGATE_CALL", 2, 16, 18), CALL(b, "native_call_a", 1, 21, 24),
                        CALL(b, "OPERATOR_CALL", 1, 20, 25), DELEGATED(b, "d", 2, 0, 5),
                        CALL(b, "DELEGATE_CALL", 2, 26, 29), EVENT(b, "Method::execute", 0, 40))));
    assert_int_equal(eti_event_block_event_count(a.account.block), 5);
    assert_int_equal(self(&a, "native_call_a", 0), 2 + 3);
    assert_int_equal(self(&a, "OPERATOR_CALL", 0), 3 + 2);
    assert_int_equal(self(&a, "d", 0), 1 + 3);
    assert_int_equal(self(&a, "DELEGATE_CALL", 0), 1 + 0);
    assert_int_equal(self(&a, "Method::execute", 0), 40 - 10 - 5);
    assert_int_equal(event_of(&a, "native_call_a").n_calls, 2);
    assert_int_equal(event_of(&a, "Method::execute").n_calls, 1);
    assert_int_equal(a.account.n_repeated, 4);
    assert_int_equal(a.account.n_full_calls, 1);
    assert_int_equal(a.account.whole[0], 40);
    close_account(&a);
}

static void events_that_hold_each_other_in_turns_are_no_ring(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    /* the last b is inside an a, the last a inside a b */
    open_account(
        &a, DUMP(b, RUN(b, "r", CALL(b, "b", 1, 2, 3), CALL(b, "a", 1, 1, 4),
                        CALL(b, "a", 1, 12, 13), CALL(b, "b", 1, 11, 14), CALL(b, "b", 1, 22, 23),
                        CALL(b, "a", 1, 21, 24), CALL(b, "b", 1, 20, 25), CALL(b, "a", 1, 20, 26),
                        CALL(b, "b", 1, 21, 22), CALL(b, "a", 1, 21, 22))));
    size_t at = 0, steps = 0;
    for (; a.account.events[at].parent != ETI_NO_EVENT && steps < 9; steps++)
        at = a.account.events[at].parent;
    assert_true(steps < 9);
    assert_int_equal(a.account.whole[0], 3 + 3 + 6);
    close_account(&a);
}

static void a_clock_of_32_bits_may_wrap_around_inside(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    const uint64_t top = 4294967295u;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "native_call_before", 1, top - 90, top - 80),
                                 CALL(b, "native_call_across", 2, top - 5, 3),
                                 CALL(b, "native_call_after", 3, 10, 30),
                                 EVENT(b, "Method::execute", top - 100, 50))));
    assert_int_equal(self(&a, "native_call_before", 0), 10);
    assert_int_equal(self(&a, "native_call_across", 0), 8);
    assert_int_equal(self(&a, "native_call_after", 0), 20);
    assert_int_equal(self(&a, "Method::execute", 0), 150 - 38);
    assert_int_equal(a.account.whole[0], 150);
    assert_parent(&a, "native_call_after", "Method::execute");
    close_account(&a);
}

/* Tests the last stamp of such a clock, at which it wraps, and the first stamp that needs another clock. */
static void a_clock_of_32_bits_wraps_at_its_last_stamp(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    const uint64_t top = 4294967295u;
    open_account(
        &a,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "last", 1, top, 5),
                    DELEGATED(b, "beyond", 1, top + 1, 5), DELEGATED(b, "nothing", 1, 7, 7),
                    CALL(b, "DELEGATE_CALL", 1, top, 30), DELEGATED(b, "no_call", 9, top + 1, 6),
                    EVENT(b, "Method::execute", top, 50))));
    assert_int_equal(self(&a, "last", 0), 5);
    assert_int_equal(self(&a, "beyond", 0), 0);
    assert_int_equal(self(&a, "nothing", 0), 0);
    assert_int_equal(self(&a, "no_call", 0), 0);
    assert_int_equal(self(&a, "DELEGATE_CALL", 0), 30 - 5);
    assert_int_equal(self(&a, "Method::execute", 0), 50 - 30);
    close_account(&a);
}

/* Events that start together with the one that wraps precede the wrap; all that start earlier follow it, up to the last
 * stamp. */
static void events_before_the_wrapping_one_come_after(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    const uint64_t top = 4294967295u;
    open_account(&a, DUMP(b, RUN(b, "r", CALL(b, "early", 1, top - 5, top - 2),
                                 CALL(b, "across", 1, top - 5, 3), CALL(b, "late", 2, 20, 30),
                                 CALL(b, "after", 2, 10, top))));
    assert_parent(&a, "early", "across");
    assert_parent(&a, "late", "after");
    assert_parent(&a, "after", NULL);
    assert_int_equal(self(&a, "early", 0), 3);
    assert_int_equal(self(&a, "across", 0), 8 - 3);
    assert_int_equal(self(&a, "late", 0), 10);
    assert_true(self(&a, "after", 0) == top - 10 - 10);
    assert_true(a.account.whole[0] == 8 + (top - 10));
    close_account(&a);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void loading_is_no_part_of_the_whole_unless_it_is_all(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", EVENT(b, "Program::load_method", 1, 90),
                                 EVENT(b, "Method::init", 10, 80), EVENT(b, "inner", 20, 30),
                                 EVENT(b, "Method::execute", 100, 110))));
    assert_int_equal(a.account.whole[0], 10);
    assert_false(event_of(&a, "inner").is_counted);
    assert_int_equal(event_of(&a, "Method::init").role, ETI_ROLE_LOAD);
    assert_int_equal(a.account.n_outside, 0);
    close_account(&a);
    b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Default", EVENT(b, "Program::load_method", 1, 90),
                                 EVENT(b, "Method::init", 10, 80))));
    assert_int_equal(a.account.whole[0], 89);
    assert_true(event_of(&a, "Method::init").is_counted);
    close_account(&a);
}

static void without_an_execute_the_whole_is_the_outermost_together(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(
        &a, DUMP(b, RUN(b, "r", CALL(b, "native_call_a", 1, 11, 13),
                        CALL(b, "OPERATOR_CALL", 1, 10, 15), CALL(b, "OPERATOR_CALL", 2, 20, 27),
                        LOGGED(b, .name = "value", .value = INT_VALUE(b, 1)))));
    assert_int_equal(a.account.whole[0], 12);
    assert_int_equal(a.account.execute, ETI_NO_EVENT);
    assert_int_equal(a.account.n_outside, 0);
    assert_int_equal(event_of(&a, "value").role, ETI_ROLE_UNTIMED);
    close_account(&a);
}

static void runs_without_events_have_nothing(void **state) {
    (void)state;
    accounting a = {0};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, put_run(b, &(run_spec){.name = "e", .events = put_tables(b, NULL, 0)}),
                          put_run(b, &(run_spec){.name = "e", .events = put_tables(b, NULL, 0)})));
    assert_int_equal(a.account.block->n_runs, 2);
    assert_int_equal(a.account.whole[0] + a.account.whole[1], 0);
    close_account(&a);
}

/* ---- any run --------------------------------------------------------------------------------- */

static uint64_t state_of_random = 2463534242u;

static uint32_t random_below(uint32_t n) {
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (uint32_t)(state_of_random >> 33) % n;
}

/* The self times of Method::execute and of everything inside it add up to its elapsed time, in each run. The
 * time scale is ns to ns. */
static void assert_adds_up(const eti_account *account) {
    const eti_event_block *block = account->block;
    for (size_t run = 0; run < block->n_runs; run++) {
        uint64_t counted = 0, inside = 0, before = account->n_outside;
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event_account *event = &account->events[i];
            uint64_t own = eti__account_self(account, i)[run];
            assert_true(own == 0 || event->role != ETI_ROLE_UNTIMED);
            uint32_t root = (uint32_t)i;
            while (account->events[root].parent != ETI_NO_EVENT)
                root = account->events[root].parent;
            inside += root == account->execute ? own : 0;
            counted += event->is_counted ? own : 0;
        }
        assert_true(counted == account->whole[run]);
        if (account->execute == ETI_NO_EVENT)
            continue;
        double elapsed = eti_event_raw(&block->events[account->execute])[run];
        assert_true((double)inside == elapsed);
        assert_true(before > 0 || counted == inside);
    }
}

/* Adds consecutive calls in [start, end), some of them nested, and their events, which are recorded as they end. */
static size_t add_calls(builder *b, place *events, size_t n, uint64_t start, uint64_t end,
                        int32_t *id) {
    while (n < 60 && end > start + 2 && random_below(4) != 0) {
        uint64_t from = start + random_below((uint32_t)(end - start));
        uint64_t to = from + random_below((uint32_t)(end - from) + 1);
        int32_t own = (*id)++;
        if (random_below(3) == 0) {
            for (uint32_t i = random_below(4); i > 0; i--) {
                char name[16];
                uint64_t at = random_below(2) ? from : random_below(1000);
                snprintf(name, sizeof name, "d%u", i);
                events[n++] =
                    DELEGATED(b, name, own, at, at + random_below((uint32_t)(to - from) + 2));
            }
            events[n++] = CALL(b, "DELEGATE_CALL", own, from, to);
        } else {
            n = add_calls(b, events, n, from, to, id);
            events[n++] =
                CALL(b, random_below(2) ? "OPERATOR_CALL" : "native_call_x", own, from, to);
        }
        start = to;
    }
    return n;
}

static void random_runs_add_up(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    for (int round = 0; round < 300; round++) {
        accounting a = {.s.options = &options};
        builder *b = &a.s.b;
        place events[80];
        int32_t id = 1;
        uint64_t start = random_below(100000), end = start + 1 + random_below(100000);
        size_t n = add_calls(b, events, 0, start, end, &id);
        events[n++] = EVENT(b, "Method::execute", start, end);
        place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n)});
        open_account(&a, DUMP(b, run, run));
        assert_adds_up(&a.account);
        assert_int_equal(a.account.n_outside, 0);
        assert_int_equal(a.account.faults.of[ETI_TIME_OVERLAPS].n, 0);
        assert_int_equal(a.account.faults.of[ETI_TIME_OUTLASTS].n, 0);
        close_account(&a);
    }
}

static void real_dumps_add_up(void **state) {
    (void)state;
    glob_t found;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    assert_int_equal(glob("testdata/*/run.etdp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const eti_source dump = {.path = found.gl_pathv[i]};
        const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1};
        accounting a = {0};
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__inspector_open(&a.s.inspector, &inputs, &options, &err));
        for (size_t block = 0; block < eti_inspector_block_count(a.s.inspector); block++) {
            take_account(&a, block);
            assert_adds_up(&a.account);
            eti__account_free(&a.account);
        }
        close_session(&a.s);
    }
    assert_true(found.gl_pathc >= 10);
    globfree(&found);
}

/* ==== repeated calls ========================================================================== */
/* Adds up the calls of Events that a run calls several times. */

static void assert_calls(const accounting *a, size_t event, size_t run, uint64_t n, double elapsed,
                         uint64_t start) {
    assert_int_equal(eti__account_calls(&a->account, event, run), n);
    assert_true(eti__account_elapsed(&a->account, event, run) == elapsed);
    assert_int_equal(eti__account_start(&a->account, event, run), start);
}

static eti_options in_nanoseconds(void) {
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    return options;
}

static void each_run_has_the_sum_of_its_calls(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, 10, 13), CALL(b, "b", 2, 20, 21)),
                          RUN(b, "Execute", CALL(b, "a", 1, 30, 32), CALL(b, "a", 1, 40, 45),
                              CALL(b, "a", 1, 50, 51), CALL(b, "b", 2, 60, 64)),
                          RUN(b, "Execute", CALL(b, "a", 1, 70, 71), CALL(b, "b", 2, 80, 82),
                              CALL(b, "a", 1, 90, 97))));
    assert_int_equal(a.account.block->n_events, 2);
    assert_int_equal(a.account.repeated.n, 1);
    assert_calls(&a, 0, 0, 1, 3, 10);
    assert_calls(&a, 0, 1, 3, 2 + 5 + 1, 30);
    assert_calls(&a, 0, 2, 2, 1 + 7, 70);
    assert_calls(&a, 1, 0, 1, 1, 20);
    assert_calls(&a, 1, 1, 1, 4, 60);
    assert_calls(&a, 1, 2, 1, 2, 80);
    assert_true(eti_event_raw(&a.account.block->events[0])[1] == 1); /* as in the Inspector */
    close_account(&a);
}

static void calls_contain_what_is_inside_them(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "inner", 1, 11, 13),
                                 CALL(b, "outer", 1, 10, 20), CALL(b, "inner", 1, 31, 34),
                                 CALL(b, "outer", 1, 30, 35), CALL(b, "whole", 0, 0, 50))));
    assert_calls(&a, 0, 0, 2, 2 + 3, 11);
    assert_calls(&a, 1, 0, 2, 10 + 5, 10);
    assert_calls(&a, 2, 0, 1, 50, 0);
    assert_int_equal(eti__account_self(&a.account, 0)[0], 5);
    assert_int_equal(eti__account_self(&a.account, 1)[0], 10);
    close_account(&a);
}

static void a_delegate_may_have_its_own_scale(void **state) {
    (void)state;
    const eti_delegate_time_scale us = {NULL, ETI_SCALE_US, 0};
    eti_options options = in_nanoseconds();
    options.delegate_time_scales = &us;
    options.n_delegate_time_scales = 1;
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", DELEGATED(b, "d", 1, 3, 5),
                                 CALL(b, "DELEGATE_CALL", 1, 0, 9000), DELEGATED(b, "d", 1, 6, 7),
                                 CALL(b, "DELEGATE_CALL", 1, 10000, 15000))));
    assert_calls(&a, 0, 0, 2, 2000 + 1000, 3);
    assert_calls(&a, 1, 0, 2, 9000 + 5000, 0);
    close_account(&a);
}

static void a_32_bit_clock_wraps_around_as_in_the_samples(void **state) {
    (void)state;
    const eti_options options = in_nanoseconds();
    accounting a = {.s.options = &options};
    builder *b = &a.s.b;
    open_account(&a, DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, UINT32_MAX - 5, 10),
                                 CALL(b, "a", 1, 20, 24))));
    assert_calls(&a, 0, 0, 2, 15 + 4, UINT32_MAX - 5);
    close_account(&a);
}

/* ==== summed methods ========================================================================== */

#define N_BLOCKS 20
#define KERNEL(b, id, length)                                                                      \
    TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(id), .end_time = (length))

static eti_method two_methods[2];

/* Opens blocks of one run each, the first of 1 tick, the second of 2, ...; each with its own instruction. */
static void open_blocks(session *s, size_t n) {
    builder *b = &s->b;
    place runs[N_BLOCKS];
    for (size_t i = 0; i < n; i++)
        runs[i] = RUN(b, "Execute", KERNEL(b, (int32_t)i, i + 1));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
    assert_int_equal(s->inspector->blocks.n_blocks, n);
    s->inspector->methods = two_methods;
    s->inspector->n_methods = COUNT_OF(two_methods);
}

static void close_blocks(session *s) {
    s->inspector->methods = NULL;
    s->inspector->n_methods = 0;
    close_session(s);
}

static void name_block(session *s, size_t block, const char *method) {
    s->inspector->blocks.blocks[block].method_name = eti__text_of(method);
}

static void find_summed(eti_summed_methods *out, const session *s,
                        const eti_view_options *options) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__summed_methods_find(out, s->inspector, options, &err));
}

static void assert_one(const session *s, const eti_view_options *options) {
    eti_summed_methods methods;
    find_summed(&methods, s, options);
    assert_int_equal(methods.n, 1);
    assert_null(methods.items[0].name.data);
    assert_null(methods.items[0].options.like);
    assert_null(methods.items[0].options.whole);
    assert_true(methods.items[0].options.block == options->block);
    eti__summed_methods_free(&methods);
}

static void blocks_of_a_method_are_together_in_the_order_of_the_first(void **state) {
    (void)state;
    session s = {0};
    open_blocks(&s, 5);
    name_block(&s, 1, "decode");
    name_block(&s, 2, "prefill");
    name_block(&s, 4, "decode");
    const eti_event_block *blocks = s.inspector->blocks.blocks;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.top = 7;
    eti_summed_methods methods;
    find_summed(&methods, &s, &options);
    /* blocks 0 and 3 have no method, and are not merged into one */
    static const size_t first[] = {0, 1, 2, 3};
    static const uint32_t chosen[] = {0x01, 0x12, 0x04, 0x08};
    assert_int_equal(methods.n, 4);
    assert_text(methods.items[1].name, "decode");
    assert_text(methods.items[2].name, "prefill");
    for (size_t i = 0; i < methods.n; i++) {
        const eti_summed_method *method = &methods.items[i];
        assert_int_equal(method->options.top, 7);
        assert_true(method->options.like == &blocks[first[i]]);
        for (size_t b = 0; b < 5; b++)
            assert_int_equal(eti__block_is_chosen(&method->options, &blocks[b]),
                             chosen[i] >> b & 1);
    }
    for (size_t i = 0; i < 4; i += 3)
        assert_true(eti__text_equal(methods.items[i].name, blocks[first[i]].label));
    eti__summed_methods_free(&methods);
    close_blocks(&s);
}

static bool group_all(void *context, const eti_account *account, uint32_t *groups) {
    (void)context;
    for (size_t i = 0; i < account->block->n_events; i++)
        groups[i] = 0;
    return true;
}

static void shares_are_of_the_time_of_all(void **state) {
    (void)state;
    session s = {0};
    open_blocks(&s, 3);
    name_block(&s, 0, "prefill");
    name_block(&s, 1, "decode");
    name_block(&s, 2, "prefill");
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_summed_methods methods;
    find_summed(&methods, &s, &options);
    static const double ticks[] = {4, 2};
    eti_rollup counts = {0};
    assert_int_equal(methods.n, 2);
    assert_int_equal(methods.whole.total.low, 6);
    for (size_t i = 0; i < 2; i++) {
        eti_rollup rollup;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__rollup_make(&rollup, s.inspector, &methods.items[i].options, group_all, NULL,
                                   &err));
        assert_int_equal(rollup.groups[0].time.total.low, ticks[i]);
        assert_true(eti__rollup_share(&rollup, &rollup.groups[0].time) == ticks[i] / 6);
        eti__rollup_join_counts(&counts, &rollup);
        eti__rollup_free(&rollup);
    }
    assert_int_equal(counts.runs.n, 3);
    assert_int_equal(counts.runs.n_blocks, 3);
    eti__summed_methods_free(&methods);
    close_blocks(&s);
}

static void single_items_are_not_distinguished(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_blocks(&s, 3);
    for (size_t i = 0; i < 3; i++)
        name_block(&s, i, i == 2 ? "decode" : "prefill");
    options.block = "prefill";
    assert_one(&s, &options);
    options.block = NULL;
    options.per_block = true;
    assert_one(&s, &options);
    options.per_block = false;
    s.inspector->n_methods = 1; /* only an ETDump, or a record of one method */
    assert_one(&s, &options);
    close_blocks(&s);
}

static void the_number_of_methods_is_bounded(void **state) {
    (void)state;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    for (size_t n = ETI_MOST_METHODS; n <= N_BLOCKS; n++) {
        session s = {0};
        open_blocks(&s, n);
        if (n > ETI_MOST_METHODS) {
            assert_one(&s, &options);
        } else {
            eti_summed_methods methods;
            find_summed(&methods, &s, &options);
            assert_int_equal(methods.n, n);
            eti__summed_methods_free(&methods);
        }
        close_blocks(&s);
    }
}

/* ==== event times ============================================================================= */

static place put_branch(builder *b, const char *kernel) {
    return RUN(b, "Execute", EVENT(b, kernel, 1, 4),
               LOGGED(b, .name = "value", .instruction_id = SOME(99), .value = INT_VALUE(b, 1)),
               EVENT(b, "Method::execute", 0, 5));
}

/* Blocks are the inspector's, which puts runs of one kind together. */
static void times_come_by_block_run_and_event(void **state) {
    (void)state;
    static const struct {
        const char *event;
        size_t run;
        uint64_t self;
    } expected[] = {
        {"a", 0, 3}, {"Method::execute", 0, 2}, {"a", 1, 3}, {"Method::execute", 1, 2},
        {"b", 0, 3}, {"Method::execute", 0, 2},
    };
    session s = {0};
    builder *b = &s.b;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_event_times times;
    eti_error err = ETI_ERROR_INIT;
    open_session(&s,
                 DUMP(b, put_branch(b, "a"), put_branch(b, "a"),
                      RUN(b, "Logged", LOGGED(b, .name = "v", .value = INT_VALUE(b, 1))),
                      put_branch(b, "b")),
                 NULL);
    assert_ok(eti__event_times_make(&times, s.inspector, &options, &err));
    assert_int_equal(times.n, COUNT_OF(expected));
    for (size_t i = 0; i < times.n; i++) {
        eti_event_time time = eti__event_times_at(&times, i);
        assert_text(time.event->name, expected[i].event);
        assert_int_equal(time.run, expected[i].run);
        assert_true(&time.account->block->events[time.number] == time.event);
        assert_int_equal(eti__account_self(time.account, time.number)[time.run], expected[i].self);
    }
    /* "Execute" six times, with "a", "a", "b" and three times "Method::execute" */
    assert_int_equal(times.n_bytes, 6 * 7 + 3 * 1 + 3 * 15);
    eti__event_times_free(&times);
    options.block = "Logged";
    assert_ok(eti__event_times_make(&times, s.inspector, &options, &err));
    assert_int_equal(times.n, 0);
    eti__event_times_free(&times);
    close_session(&s);
}

/* ==== module total ============================================================================ */

/* Modules nest: "L__self__" holds "L__self___fc"; "c" belongs to another one. */
#define EDGE                                                                                       \
    EDGE_PROGRAM(NODE("a", "1", "L__self__,,M;L__self___fc,fc,Linear") "," NODE(                   \
        "b", "2", "L__self__,,M") "," NODE("c", "3", "other,o,Other"))
#define HANDLES "{\"1\": 1, \"2\": 2, \"3\": 3, \"4\": [1, 1, 2], \"5\": [77]}"
#define MODULE_CALL(b, call_name, id, ms)                                                          \
    TIMED(b, .name = (call_name), .instruction_id = SOME(id), .end_time = (ms)*UINT64_C(1000000))

/* Powers of two: a sum shows which terms it has. */
static void open_modules(session *s) {
    builder *b = &s->b;
    open_session(
        s,
        DUMP(b,
             RUN(b, "Execute", MODULE_CALL(b, "a", 1, 1), MODULE_CALL(b, "b", 2, 2),
                 MODULE_CALL(b, "c", 3, 4), MODULE_CALL(b, "several", 4, 8),
                 MODULE_CALL(b, "unknown", 5, 16), MODULE_CALL(b, "OPERATOR_CALL", 1, 32),
                 MODULE_CALL(b, "an OPERATOR_CALL", 1, 64), MODULE_CALL(b, "Method::init", 1, 128)),
             RUN(b, "Again", MODULE_CALL(b, "a", 1, 256))),
        &(record_spec){.handles = HANDLES, .edge = EDGE});
}

static void events_of_a_module_are_added_once_each(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    const eti_inspector *inspector = s.inspector;
    assert_bits(eti_inspector_find_total_for_module(inspector, "L__self___fc"), 1 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "L__self__"), 1 + 2 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "other"), 4);
    close_session(&s);
}

static void any_part_of_a_key_will_do_but_not_paths_or_types(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    const eti_inspector *inspector = s.inspector;
    assert_bits(eti_inspector_find_total_for_module(inspector, "the"), 4);
    assert_bits(eti_inspector_find_total_for_module(inspector, ""), 1 + 2 + 4 + 8 + 64 + 256);
    assert_bits(eti_inspector_find_total_for_module(inspector, "Linear"), 0);
    assert_bits(eti_inspector_find_total_for_module(inspector, "nothing"), 0);
    close_session(&s);
}

static void a_module_is_there_when_an_event_belongs_to_it(void **state) {
    (void)state;
    session s = {0};
    open_modules(&s);
    assert_true(eti_inspector_has_module(s.inspector, "fc"));
    assert_true(eti_inspector_has_module(s.inspector, ""));
    assert_false(eti_inspector_has_module(s.inspector, "nothing"));
    close_session(&s);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", MODULE_CALL(&s.b, "a", 1, 1))), NULL);
    assert_false(eti_inspector_has_module(s.inspector, ""));
    close_session(&s);
}

static void averages_are_added(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s, DUMP(b, RUN(b, "r", MODULE_CALL(b, "a", 1, 1)), RUN(b, "r", MODULE_CALL(b, "a", 1, 2))),
        &(record_spec){.handles = HANDLES, .edge = EDGE});
    assert_bits(eti_inspector_find_total_for_module(s.inspector, "fc"), 1.5);
    close_session(&s);
}

static void events_without_samples_add_nothing(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s, DUMP(b, RUN(b, "r", LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 1)))),
        &(record_spec){.handles = HANDLES, .edge = EDGE});
    assert_bits(eti_inspector_find_total_for_module(s.inspector, "fc"), 0.0);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_times_of_portable_kernels),
        cmocka_unit_test(other_engines_name_operators_as_they_like),
        cmocka_unit_test(other_engines_have_delegates),
        cmocka_unit_test(delegated_events_belong_to_the_call_of_their_instruction),
        cmocka_unit_test(events_of_different_lanes_do_not_nest),
        cmocka_unit_test(the_order_of_lanes_does_not_decide_a_role),
        cmocka_unit_test(a_scope_leaves_a_chain_to_the_main_thread),
        cmocka_unit_test(a_chain_beside_the_main_lane_is_a_thread),
        cmocka_unit_test(a_kernel_of_a_queue_is_an_operator),
        cmocka_unit_test(executions_of_a_method_may_overlap),
        cmocka_unit_test(delegated_events_that_sum_up_to_more_than_the_call_share_it),
        cmocka_unit_test(hostile_delegates_do_not_overflow),
        cmocka_unit_test(delegates_without_a_call_stand_where_their_stamps_say),
        cmocka_unit_test(a_delegates_own_scale_is_converted_or_shares_the_call),
        cmocka_unit_test(a_frequency_turns_a_delegates_cycles_into_time),
        cmocka_unit_test(a_delegates_own_cycles_count_beside_cycles_of_no_known_clock),
        cmocka_unit_test(all_calls_of_a_loop_count),
        cmocka_unit_test(events_that_hold_each_other_in_turns_are_no_ring),
        cmocka_unit_test(a_clock_of_32_bits_may_wrap_around_inside),
        cmocka_unit_test(a_clock_of_32_bits_wraps_at_its_last_stamp),
        cmocka_unit_test(events_before_the_wrapping_one_come_after),
        cmocka_unit_test(loading_is_no_part_of_the_whole_unless_it_is_all),
        cmocka_unit_test(without_an_execute_the_whole_is_the_outermost_together),
        cmocka_unit_test(runs_without_events_have_nothing),
        cmocka_unit_test(random_runs_add_up),
        cmocka_unit_test(real_dumps_add_up),
        cmocka_unit_test(each_run_has_the_sum_of_its_calls),
        cmocka_unit_test(calls_contain_what_is_inside_them),
        cmocka_unit_test(a_delegate_may_have_its_own_scale),
        cmocka_unit_test(a_32_bit_clock_wraps_around_as_in_the_samples),
        cmocka_unit_test(blocks_of_a_method_are_together_in_the_order_of_the_first),
        cmocka_unit_test(shares_are_of_the_time_of_all),
        cmocka_unit_test(single_items_are_not_distinguished),
        cmocka_unit_test(the_number_of_methods_is_bounded),
        cmocka_unit_test(times_come_by_block_run_and_event),
        cmocka_unit_test(events_of_a_module_are_added_once_each),
        cmocka_unit_test(any_part_of_a_key_will_do_but_not_paths_or_types),
        cmocka_unit_test(a_module_is_there_when_an_event_belongs_to_it),
        cmocka_unit_test(averages_are_added),
        cmocka_unit_test(events_without_samples_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
