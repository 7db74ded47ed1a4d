#include "support.h"

#include "inspector_fixture.h"

#include "timed_events.h"

#include "account/account.h"
#include "account/calls.h"

/* ==== nesting ================================================================================= */
/* Compares nesting with its definition, which assigns every tick to one interval. */

#define MOST 14
#define TICKS 24

/* Uses its own generator so that failures repeat. */
static uint64_t state_of_random = 88172645463325252u;

static uint32_t random_below(uint32_t n) {
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (uint32_t)(state_of_random >> 33) % n;
}

/* ---- the definition -------------------------------------------------------------------------- */

static bool is_before(const eti_nesting *x, size_t a, size_t b) {
    if (x->start[a] != x->start[b])
        return x->start[a] < x->start[b];
    if (x->end[a] != x->end[b])
        return x->end[a] > x->end[b];
    return a > b;
}

/* Returns the latest interval that contains `inner`; one that only touches it is a last resort, the earliest first. */
static uint32_t parent_by_definition(const eti_nesting *x, size_t inner) {
    uint32_t latest = ETI_NO_PARENT, touching = ETI_NO_PARENT;
    for (uint32_t i = 0; i < x->n; i++) {
        if (i == inner || !is_before(x, i, inner) || x->end[i] < x->end[inner])
            continue;
        if (x->end[i] == x->start[inner] && x->start[i] < x->start[inner]) {
            if (touching == ETI_NO_PARENT || is_before(x, i, touching))
                touching = i;
        } else if (latest == ETI_NO_PARENT || is_before(x, latest, i)) {
            latest = i;
        }
    }
    return latest != ETI_NO_PARENT ? latest : touching;
}

static uint32_t root_of(const eti_nesting *x, uint32_t i) {
    while (x->parent[i] != ETI_NO_PARENT)
        i = x->parent[i];
    return i;
}

/* Counts the ticks at which the interval is the latest open one in its tree. */
static uint64_t self_by_definition(const eti_nesting *x, uint32_t i) {
    uint64_t ticks = 0;
    for (uint64_t t = x->start[i]; t < x->end[i]; t++) {
        bool is_latest = true;
        for (uint32_t j = 0; j < x->n; j++) {
            bool is_open = x->start[j] <= t && t < x->end[j];
            if (j != i && is_open && is_before(x, i, j) && root_of(x, j) == root_of(x, i))
                is_latest = false;
        }
        ticks += is_latest;
    }
    return ticks;
}

static void assert_as_defined(const eti_nesting *x) {
    uint64_t sums[MOST] = {0};
    for (uint32_t i = 0; i < x->n; i++)
        sums[root_of(x, i)] += x->self[i];
    for (uint32_t i = 0; i < x->n; i++) {
        assert_int_equal(x->parent[i], parent_by_definition(x, i));
        assert_int_equal(x->self[i], self_by_definition(x, i));
        if (x->parent[i] == ETI_NO_PARENT)
            assert_int_equal(sums[i], x->end[i] - x->start[i]);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static eti_nesting nesting_of(const uint64_t (*intervals)[2], size_t n) {
    eti_nesting x;
    assert_int_equal(eti__nesting_init(&x, n, NULL), ETI_OK);
    for (size_t i = 0; i < n; i++) {
        x.start[i] = intervals[i][0];
        x.end[i] = intervals[i][1];
    }
    eti__nesting_find(&x);
    return x;
}

static void events_inside_are_subtracted(void **state) {
    (void)state;
    /* recorded as they end: kernel, call, kernel, call, execute */
    const uint64_t intervals[][2] = {{12, 18}, {11, 20}, {31, 39}, {30, 40}, {10, 50}};
    eti_nesting x = nesting_of(intervals, 5);
    const uint32_t parents[] = {1, 4, 3, 4, ETI_NO_PARENT};
    const uint64_t own[] = {6, 3, 8, 2, 21};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(x.parent[i], parents[i]);
        assert_int_equal(x.self[i], own[i]);
    }
    assert_int_equal(x.n_overlaps, 0);
    eti__nesting_free(&x);
}

static void of_equal_intervals_the_later_recorded_is_outside(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{5, 9}, {5, 9}, {5, 9}};
    eti_nesting x = nesting_of(intervals, 3);
    assert_int_equal(x.parent[0], 1);
    assert_int_equal(x.parent[1], 2);
    assert_int_equal(x.parent[2], ETI_NO_PARENT);
    assert_int_equal(x.self[0], 4);
    assert_int_equal(x.self[1] + x.self[2], 0);
    eti__nesting_free(&x);
}

static void empty_slices_are_not_inside_slices_that_end_there(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{2, 5}, {5, 5}, {10, 10}, {0, 10}};
    eti_nesting x = nesting_of(intervals, 4);
    assert_int_equal(x.parent[0], 3);
    assert_int_equal(x.parent[1], 3);
    assert_int_equal(x.parent[2], 3);
    assert_int_equal(x.self[3], 7);
    eti__nesting_free(&x);
}

static void partial_overlaps_count_for_the_later_event(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{1, 8}, {0, 8}, {2, 10}, {0, 20}, {15, 30}, {16, 18}};
    eti_nesting x = nesting_of(intervals, 6);
    const uint64_t own[] = {1, 1, 8, 10, 13, 2};
    const uint32_t parents[] = {1, 3, 3, ETI_NO_PARENT, ETI_NO_PARENT, 4};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(x.self[i], own[i]);
        assert_int_equal(x.parent[i], parents[i]);
    }
    assert_int_equal(x.n_overlaps, 2);
    assert_int_equal(x.overlaps[0], 1);
    assert_int_equal(x.overlaps[1], 0);
    eti__nesting_free(&x);
}

static void lanes_nest_each_by_itself(void **state) {
    (void)state;
    eti_nesting x;
    const uint64_t intervals[][2] = {{10, 50}, {20, 70}, {20, 30}, {30, 60}};
    const uint32_t parents[] = {ETI_NO_PARENT, ETI_NO_PARENT, 0, 1};
    const uint64_t own[] = {30, 20, 10, 30};
    assert_int_equal(eti__nesting_init(&x, 4, NULL), ETI_OK);
    for (size_t i = 0; i < 4; i++) {
        x.start[i] = intervals[i][0];
        x.end[i] = intervals[i][1];
        x.lane[i] = i % 2 ? 7 : 0;
    }
    eti__nesting_find(&x);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(x.parent[i], parents[i]);
        assert_int_equal(x.self[i], own[i]);
    }
    assert_int_equal(x.n_overlaps, 0);
    eti__nesting_free(&x);
}

static void the_largest_stamps_do_not_overflow(void **state) {
    (void)state;
    const uint64_t intervals[][2] = {{UINT64_MAX, UINT64_MAX}, {1, UINT64_MAX}, {0, UINT64_MAX}};
    eti_nesting x = nesting_of(intervals, 3);
    assert_true(x.self[0] == 0 && x.self[1] == UINT64_MAX - 1 && x.self[2] == 1);
    eti__nesting_free(&x);
}

static void nothing_is_nested_in_nothing(void **state) {
    (void)state;
    eti_nesting x = nesting_of(NULL, 0);
    assert_int_equal(x.n_overlaps, 0);
    eti__nesting_free(&x);
}

/* Computes several in a row with the same arrays, as for runs. */
static void random_intervals_nest_as_defined(void **state) {
    (void)state;
    for (size_t n = 1; n <= MOST; n++) {
        eti_nesting x;
        assert_int_equal(eti__nesting_init(&x, n, NULL), ETI_OK);
        for (int round = 0; round < 600; round++) {
            uint32_t longest = 1 + random_below(TICKS);
            for (size_t i = 0; i < n; i++) {
                x.start[i] = random_below(TICKS);
                x.end[i] = x.start[i] + random_below(longest);
            }
            eti__nesting_find(&x);
            assert_as_defined(&x);
        }
        eti__nesting_free(&x);
    }
}

/* ==== time faults ============================================================================= */

#define FAULT_EVENT(b, event_name, id, start, end)                                                 \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (start),              \
          .end_time = (end))
#define EXECUTE(b, start, end) FAULT_EVENT(b, "Method::execute", -1, start, end)

/* Describes the faults of the first block of a dump, one line per kind. */
static void assert_faults(session *s, place dump, const char *expected) {
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer text = {0};
    open_session(s, dump, NULL);
    assert_ok(eti__account_new(&account, eti_inspector_block(s->inspector, 0),
                               &s->inspector->options, &err));
    for (int kind = 0; kind < ETI_N_TIME_FAULTS; kind++) {
        eti__time_faults_describe(&account.faults, (eti_time_fault)kind, &text);
        if (account.faults.of[kind].n > 0)
            eti__buffer_add_char(&text, '\n');
    }
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    eti__account_free(&account);
    close_session(s);
}

static void events_of_instructions_lie_in_their_execute(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_faults(
        &s,
        DUMP(b,
             RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 100, 120), FAULT_EVENT(b, "b", 2, 120, 200),
                 EXECUTE(b, 100, 200), FAULT_EVENT(b, "c", 3, 100, 200),
                 FAULT_EVENT(b, "Method::init", 0, 0, 90), FAULT_EVENT(b, "profiler", -1, 0, 300),
                 TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(4), .start_time = 5,
                       .end_time = 900))),
        "");
    assert_faults(
        &s,
        DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "early", 1, 99, 120),
                    FAULT_EVENT(b, "before", 2, 10, 20), FAULT_EVENT(b, "late", 3, 190, 201),
                    FAULT_EVENT(b, "after", 4, 300, 301), EXECUTE(b, 100, 200))),
        "2 events of instructions start before their Method::execute: before (Execute, "
        "run 0), early (Execute, run 0)\n"
        "2 events of instructions end after their Method::execute: late (Execute, run "
        "0), after (Execute, run 0)\n");
    /* the beginning of a run without Method::execute is unknown */
    assert_faults(&s, DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 1, 2))), "");
}

/* The run has two calls, and each event lies in one of them. */
static void a_run_may_execute_twice(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 10, 20), EXECUTE(b, 10, 30),
                              FAULT_EVENT(b, "a", 1, 40, 50), EXECUTE(b, 40, 60))),
                  "");
    assert_faults(&s,
                  DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 10, 31), EXECUTE(b, 10, 30),
                              FAULT_EVENT(b, "b", 1, 40, 50), EXECUTE(b, 40, 60))),
                  "1 event of an instruction ends after its Method::execute: a (Execute, run 0)\n");
}

static void clocks_wrap_around_or_run_backwards(void **state) {
    (void)state;
    const uint64_t last = UINT32_MAX;
    session s = {0};
    builder *b = &s.b;
    assert_faults(
        &s,
        DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "a", 1, last - 5, 4),
                    TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(4), .start_time = last,
                          .end_time = 1),
                    EXECUTE(b, last - 10, 5))),
        "3 events end before they start, and are treated as if a 32-bit clock had wrapped around: "
        "a (Execute, run 0), d (Execute, run 0), Method::execute (Execute, run 0)\n");
    assert_faults(&s, DUMP(b, RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 120, 110))),
                  "1 event ends shortly before it starts: its time stamps run backwards, and its "
                  "time is wrong: a (Execute, run 0)\n");
}

static void the_first_of_many_are_named(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[4];
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(b, "Execute", FAULT_EVENT(b, "a", 1, 10, 30), FAULT_EVENT(b, "b", 2, 20, 40),
                      EXECUTE(b, 0, 100));
    assert_faults(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))),
                  "4 events partly overlap others; the shared time counts for the later one: a "
                  "(Execute, run 0), a (Execute, run 1), a (Execute, run 2), ...\n");
}

static void faults_of_blocks_are_joined(void **state) {
    (void)state;
    const eti_event_block block = {.name = eti__text_of("x")};
    eti_time_faults all = {0}, one = {0};
    eti__time_faults_add(&one, ETI_TIME_EARLY, (eti_faulty_event){&block, 1, 2});
    eti__time_faults_add(&one, ETI_TIME_EARLY, (eti_faulty_event){&block, 3, 4});
    eti__time_faults_join(&all, &one);
    eti__time_faults_join(&all, &one);
    assert_int_equal(all.of[ETI_TIME_EARLY].n, 4);
    assert_int_equal(all.of[ETI_TIME_EARLY].first[1].run, 3);
    assert_int_equal(all.of[ETI_TIME_EARLY].first[2].event, 2);
    assert_int_equal(all.of[ETI_TIME_OUTLASTS].n, 0);
    assert_true(eti__time_fault_is_serious(ETI_TIME_EARLY));
    assert_false(eti__time_fault_is_serious(ETI_TIME_WRAPPED));
}

/* ==== role ==================================================================================== */

static void names_say_most_roles(void **state) {
    (void)state;
    static const struct {
        const char *name;
        eti_role role;
    } expected[] = {
        {"Method::execute", ETI_ROLE_EXECUTE},     {"Method::init", ETI_ROLE_LOAD},
        {"Method::execute_", ETI_ROLE_LOAD},       {"Program::load_method", ETI_ROLE_LOAD},
        {"Method:", ETI_ROLE_INSTRUCTION},         {"OPERATOR_CALL", ETI_ROLE_OPERATOR_CALL},
        {"DELEGATE_CALL", ETI_ROLE_DELEGATE_CALL}, {"DELEGATE_CALL2", ETI_ROLE_INSTRUCTION},
        {"native_call_add.out", ETI_ROLE_KERNEL},  {"native_cal", ETI_ROLE_INSTRUCTION},
        {"MOVE_CALL", ETI_ROLE_INSTRUCTION},
    };
    session s = {0};
    builder *b = &s.b;
    place events[COUNT_OF(expected) + 2];
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        events[i] = EVENT(b, expected[i].name, i, i + 1);
    /* whatever they are called */
    events[COUNT_OF(expected)] = DELEGATED(b, "native_call_mul.out", 1, 1, 2);
    events[COUNT_OF(expected) + 1] =
        LOGGED(b, .name = "value", .instruction_id = SOME(99), .value = INT_VALUE(b, 1));
    place run =
        put_run(b, &(run_spec){.name = "r", .events = put_tables(b, events, COUNT_OF(events))});
    open_session(&s, DUMP(b, run), NULL);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_int_equal(eti__role_by_name(event_named(s.inspector, expected[i].name)),
                         expected[i].role);
    assert_int_equal(eti__role_by_name(event_named(s.inspector, "native_call_mul.out")),
                     ETI_ROLE_DELEGATED);
    assert_int_equal(eti__role_by_name(event_named(s.inspector, "value")), ETI_ROLE_UNTIMED);
    close_session(&s);
}

static void questions_about_roles_have_one_answer(void **state) {
    (void)state;
    assert_text(eti__role_name(ETI_ROLE_OVERHEAD), "wrapper");
    static const struct {
        eti_role role;
        bool is_work, is_delegate, is_framework, is_running;
    } expected[ETI_N_ROLES] = {
        {ETI_ROLE_KERNEL, true, false, false, true},
        {ETI_ROLE_DELEGATED, true, true, false, true},
        {ETI_ROLE_DEVICE, true, true, false, true},
        {ETI_ROLE_TRANSFER, false, true, false, true},
        {ETI_ROLE_OVERHEAD, false, true, false, true},
        {ETI_ROLE_PROFILING, false, true, false, true},
        {ETI_ROLE_DELEGATE_CALL, true, true, false, true},
        {ETI_ROLE_NOT_LOGGED, false, true, false, true},
        {ETI_ROLE_OPERATOR_CALL, false, false, true, true},
        {ETI_ROLE_INSTRUCTION, false, false, true, true},
        {ETI_ROLE_EXECUTE, false, false, true, true},
        {ETI_ROLE_LOAD, false, false, true, false},
        {ETI_ROLE_UNTIMED, false, false, true, false},
        {ETI_ROLE_COUNTER, false, false, false, false},
    };
    for (size_t i = 0; i < ETI_N_ROLES; i++) {
        eti_role role = expected[i].role;
        assert_int_equal(role, i);
        assert_int_equal(eti__role_is_work(role), expected[i].is_work);
        assert_int_equal(eti__role_is_delegate(role), expected[i].is_delegate);
        assert_int_equal(eti__role_is_framework(role), expected[i].is_framework);
        assert_int_equal(eti__role_is_running(role), expected[i].is_running);
    }
}

static eti_role role_in(const eti_account *account, const session *s, const char *name) {
    return eti__account_role(account,
                             (size_t)(event_named(s->inspector, name) - account->block->events));
}

static void open_account(eti_account *account, session *s, place dump) {
    eti_error err = ETI_ERROR_INIT;
    open_session(s, dump, NULL);
    assert_ok(eti__account_new(account, eti_inspector_block(s->inspector, 0),
                               &s->inspector->options, &err));
}

/* A delegate call is an operator unless its delegate logs something. */
static void calls_are_what_is_logged_inside_of_them(void **state) {
    (void)state;
    eti_account account;
    session s = {0};
    builder *b = &s.b;
    open_account(&account, &s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "DELEGATE_CALL", 1, 1, 2),
                             EVENT(b, "Method::execute", 0, 9))));
    assert_int_equal(role_in(&account, &s, "DELEGATE_CALL"), ETI_ROLE_DELEGATE_CALL);
    eti__account_free(&account);
    close_session(&s);
    open_account(
        &account, &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, 50, 51),
                    CALL(b, "DELEGATE_CALL", 1, 1, 2), EVENT(b, "Method::execute", 0, 9))));
    assert_int_equal(role_in(&account, &s, "conv"), ETI_ROLE_DELEGATED);
    assert_int_equal(role_in(&account, &s, "DELEGATE_CALL"), ETI_ROLE_NOT_LOGGED);
    eti__account_free(&account);
    close_session(&s);
}

/* An event of an unknown backend is overhead if there is time inside of it, at whatever depth; lengths of zero are beside. */
static void time_inside_an_event_makes_it_overhead(void **state) {
    (void)state;
    eti_account account;
    session s = {0};
    builder *b = &s.b;
    open_account(
        &account, &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "zero", 1, 18, 18),
                    DELEGATED(b, "beside", 1, 12, 18), DELEGATED(b, "inner", 1, 20, 30),
                    DELEGATED(b, "middle", 1, 20, 30), DELEGATED(b, "outer", 1, 20, 80),
                    CALL(b, "DELEGATE_CALL", 1, 11, 91), EVENT(b, "Method::execute", 1, 100))));
    assert_int_equal(role_in(&account, &s, "zero"), ETI_ROLE_DELEGATED);
    assert_int_equal(role_in(&account, &s, "beside"), ETI_ROLE_DELEGATED);
    assert_int_equal(role_in(&account, &s, "inner"), ETI_ROLE_DELEGATED);
    assert_int_equal(role_in(&account, &s, "middle"), ETI_ROLE_OVERHEAD);
    assert_int_equal(role_in(&account, &s, "outer"), ETI_ROLE_OVERHEAD);
    eti__account_free(&account);
    close_session(&s);
}

/* Without any kernel in the log, OPERATOR_CALL is the only record of an operator. */
static void calls_are_kernels_where_none_is_logged(void **state) {
    (void)state;
    eti_account account;
    session s = {0};
    builder *b = &s.b;
    open_account(&account, &s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "OPERATOR_CALL", 1, 1, 2),
                             CALL(b, "JF_CALL", 2, 3, 4), EVENT(b, "Method::execute", 0, 9))));
    assert_int_equal(role_in(&account, &s, "OPERATOR_CALL"), ETI_ROLE_KERNEL);
    assert_int_equal(role_in(&account, &s, "JF_CALL"), ETI_ROLE_INSTRUCTION);
    eti__account_free(&account);
    close_session(&s);
    open_account(
        &account, &s,
        DUMP(b, RUN(b, "Execute", CALL(b, "OPERATOR_CALL", 1, 1, 2), CALL(b, "anything", 2, 4, 5),
                    CALL(b, "OPERATOR_CALL", 2, 3, 6), EVENT(b, "Method::execute", 0, 9))));
    assert_int_equal(role_in(&account, &s, "anything"), ETI_ROLE_KERNEL);
    assert_int_equal(eti__account_role(&account, 0), ETI_ROLE_OPERATOR_CALL);
    eti__account_free(&account);
    close_session(&s);
    /* around a delegate call it is not a kernel either */
    open_account(
        &account, &s,
        DUMP(b, RUN(b, "Execute", CALL(b, "DELEGATE_CALL", 2, 2, 3),
                    CALL(b, "OPERATOR_CALL", 1, 1, 4), EVENT(b, "Method::execute", 0, 9))));
    assert_int_equal(role_in(&account, &s, "OPERATOR_CALL"), ETI_ROLE_OPERATOR_CALL);
    eti__account_free(&account);
    close_session(&s);
}

/* The record has instruction 1; by the stamps everything is inside its call. */
static void only_delegated_events_have_the_backend_of_their_call(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "own", 1, 2, 3), DELEGATED(b, "unknown", 7, 4, 5),
                    CALL(b, "native_call_a", 8, 6, 7), CALL(b, "DELEGATE_CALL", 1, 1, 8),
                    EVENT(b, "Method::execute", 0, 9))),
        &(record_spec){.handles = "{\"1\": 1}", .delegates = "{\"1\": {\"name\": \"Npu\"}}"});
    assert_ok(eti__account_new(&account, eti_inspector_block(s.inspector, 0), &s.inspector->options,
                               &err));
    const eti_event *events = account.block->events;
    size_t own = (size_t)(event_named(s.inspector, "own") - events),
           unknown = (size_t)(event_named(s.inspector, "unknown") - events),
           kernel = (size_t)(event_named(s.inspector, "native_call_a") - events),
           call = (size_t)(event_named(s.inspector, "DELEGATE_CALL") - events);
    assert_int_equal(account.events[kernel].parent, call);
    assert_int_equal(eti__account_call_of(&account, own), call);
    assert_int_equal(eti__account_call_of(&account, unknown), call);
    assert_int_equal(eti__account_call_of(&account, kernel), kernel);
    assert_int_equal(eti__account_call_of(&account, call), call);
    assert_text(eti__account_backend(&account, own), "Npu");
    assert_text(eti__account_backend(&account, unknown), "Npu");
    assert_text(eti__account_backend(&account, call), "Npu");
    assert_int_equal(eti__account_backend(&account, kernel).size, 0);
    eti__account_free(&account);
    close_session(&s);
}

/* ---- inside delegate calls ------------------------------------------------------------------- */

#define MOST_INSIDE 14
#define LISTS 40

/* The calls 1 and 2 are [100, 300) and [400, 700) of a run of 1000 ticks. */
static uint64_t length_of_call(size_t number) {
    return number == 1 ? 200 : 300;
}

/* Writes an event of one of the calls with stamps of that call, or of any clock. */
static place put_inside(builder *b, int number) {
    uint32_t call = 1 + random_below(2);
    uint64_t first = call == 1 ? 100 : 400, length = length_of_call(call);
    uint64_t start = first + random_below((uint32_t)length + 1);
    uint64_t end = start + random_below((uint32_t)(first + length - start + 1));
    if (random_below(3) == 0) {
        start = random_below(4) > 0 ? random_below(5000) : UINT64_C(1) << (20 + random_below(43));
        end = start + random_below(1000);
    }
    char name[16];
    (void)snprintf(name, sizeof name, "e%d", number);
    return DELEGATED(b, name, call, start + 1, end + 1);
}

static place put_list(builder *b, int list) {
    char name[32];
    place events[MOST_INSIDE + 3];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "list %d", list);
    size_t n_inside = random_below(MOST_INSIDE + 1);
    for (; n < n_inside; n++)
        events[n] = put_inside(b, (int)n);
    events[n++] = CALL(b, "DELEGATE_CALL", 1, 101, 301);
    events[n++] = CALL(b, "DELEGATE_CALL", 2, 401, 701);
    events[n++] = EVENT(b, "Method::execute", 1, 1001);
    return put_run(b, &(run_spec){.name = name, .events = put_tables(b, events, n)});
}

/* Gives the events of a block meanings that adapters could find, and others. */
static void give_meanings(eti_event_block *block, eti_delegate_event *meanings) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (!block->events[i].is_timed_as_delegated)
            continue;
        meanings[i] = (eti_delegate_event){
            .backend = (uint8_t)random_below(ETI_N_BACKENDS),
            .role = (uint8_t)random_below(ETI_DELEGATE_LOAD),
            .unit = (uint8_t)(random_below(2) ? random_below(ETI_N_UNITS) : ETI_UNIT_TICKS),
            .clock = (uint8_t)random_below(ETI_CLOCK_NONE + 1),
            .level = (uint8_t)(random_below(2) ? random_below(ETI_MOST_LEVELS + 1) : 0),
            .is_total = random_below(4) == 0,
            .wraps_at_32 = random_below(4) == 0,
        };
        block->events[i].logged = &meanings[i];
    }
}

static void check_calls(const eti_account *account) {
    uint64_t sums[3] = {0}, all = 0;
    const eti_event *events = account->block->events;
    for (size_t i = 0; i < account->block->n_events; i++) {
        const eti_event_account *of = &account->events[i];
        uint64_t own = eti__account_self(account, i)[0];
        bool is_call = eti__text_is(events[i].name, "DELEGATE_CALL");
        all += of->is_counted ? own : 0;
        if (!of->is_counted)
            assert_int_equal(own, 0);
        if (!is_call && of->call == ETI_NO_EVENT)
            continue;
        sums[events[i].instruction_id] += own;
        size_t at = i, n_steps = 0;
        while (!eti__text_is(events[at].name, "DELEGATE_CALL")) {
            at = account->events[at].parent;
            assert_true(at != ETI_NO_EVENT && n_steps++ < account->block->n_events);
            assert_int_equal(events[at].instruction_id, events[i].instruction_id);
        }
    }
    assert_int_equal(all, 1000);
    for (size_t call = 1; call <= 2; call++)
        assert_int_equal(sums[call], length_of_call(call));
}

/* Whatever a delegate logs, no time is lost, and none counts twice. LISTS_OF_EVENTS may ask for more lists. */
static void times_inside_calls_add_up(void **state) {
    (void)state;
    const char *asked = getenv("LISTS_OF_EVENTS");
    for (long left = asked ? strtol(asked, NULL, 10) : 2000; left > 0; left -= LISTS) {
        session s = {0};
        eti_error err = ETI_ERROR_INIT;
        place runs[LISTS];
        for (int i = 0; i < LISTS; i++)
            runs[i] = put_list(&s.b, i);
        open_session(&s, put_dump(&s.b, (optional){0}, put_tables(&s.b, runs, LISTS)), NULL);
        for (size_t i = 0; i < s.inspector->blocks.n_blocks; i++) {
            eti_event_block *block = &s.inspector->blocks.blocks[i];
            eti_delegate_event meanings[MOST_INSIDE + 3];
            eti_account account;
            give_meanings(block, meanings);
            assert_ok(eti__account_new(&account, block, &s.inspector->options, &err));
            check_calls(&account);
            eti__account_free(&account);
        }
        close_session(&s);
    }
}

/* Returns the ticks of a second of a scale, where cycles have a frequency; 0: unknown. */
static double ticks_of_second(eti_time_scale scale, double hz) {
    return scale == ETI_SCALE_CYCLES ? hz : (double)eti__scale_ticks(scale);
}

/* Checks the time of an event of 60 of its own ticks in a call of 200 ticks that logs nothing else. */
static void check_scale(eti_time_scale source, double source_hz, eti_delegate_time_scale own) {
    session s = {0};
    builder *b = &s.b;
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    bool is_countable;
    const eti_time_scale target =
        source == ETI_SCALE_CYCLES && source_hz == 0 ? ETI_SCALE_CYCLES : ETI_SCALE_US;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "e", 1, 2, 62),
                    CALL(b, "DELEGATE_CALL", 1, 101, 301), EVENT(b, "Method::execute", 1, 1001))),
        NULL);
    eti_options options = s.inspector->options;
    options.source_time_scale = source;
    options.target_time_scale = target;
    options.clock_hz = source_hz;
    options.delegate_time_scales = &own;
    options.n_delegate_time_scales = 1;
    assert_ok(eti__account_new(&account, eti_inspector_block(s.inspector, 0), &options, &err));
    const eti_event *event = event_named(s.inspector, "e");
    uint64_t time = eti__account_self(&account, (size_t)(event - account.block->events))[0];
    bool is_one_clock =
        own.scale == source && own.hz == 0 && (source != ETI_SCALE_CYCLES || source_hz == 0);
    double there = ticks_of_second(own.scale, own.hz), here = ticks_of_second(source, source_hz);
    (void)eti__event_scale(&options, event, &is_countable);
    assert_int_equal(is_countable, is_one_clock || (there > 0 && here > 0));
    double right = is_one_clock ? 60 : is_countable ? 60 * here / there : 200;
    assert_int_equal(time, (uint64_t)(right < 200 ? right : 200));
    eti__account_free(&account);
    close_session(&s);
}

/* Whichever frequencies are known, an event has its length, or its portion of the call: never nothing. */
static void scales_convert_or_divide(void **state) {
    (void)state;
    static const eti_time_scale scales[] = {ETI_SCALE_NS, ETI_SCALE_US, ETI_SCALE_MS,
                                            ETI_SCALE_CYCLES};
    static const double frequencies[] = {0, 1e6, 6e8, 1e9};
    for (size_t i = 0; i < 16; i++) {
        for (size_t k = 0; k < 16; k++) {
            double source_hz = frequencies[i % 4], own_hz = frequencies[k % 4];
            if ((source_hz > 0 && scales[i / 4] != ETI_SCALE_CYCLES) ||
                (own_hz > 0 && scales[k / 4] != ETI_SCALE_CYCLES))
                continue;
            check_scale(scales[i / 4], source_hz,
                        (eti_delegate_time_scale){NULL, scales[k / 4], own_hz});
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_inside_are_subtracted),
        cmocka_unit_test(of_equal_intervals_the_later_recorded_is_outside),
        cmocka_unit_test(empty_slices_are_not_inside_slices_that_end_there),
        cmocka_unit_test(partial_overlaps_count_for_the_later_event),
        cmocka_unit_test(lanes_nest_each_by_itself),
        cmocka_unit_test(the_largest_stamps_do_not_overflow),
        cmocka_unit_test(nothing_is_nested_in_nothing),
        cmocka_unit_test(random_intervals_nest_as_defined),
        cmocka_unit_test(events_of_instructions_lie_in_their_execute),
        cmocka_unit_test(a_run_may_execute_twice),
        cmocka_unit_test(clocks_wrap_around_or_run_backwards),
        cmocka_unit_test(the_first_of_many_are_named),
        cmocka_unit_test(faults_of_blocks_are_joined),
        cmocka_unit_test(names_say_most_roles),
        cmocka_unit_test(questions_about_roles_have_one_answer),
        cmocka_unit_test(times_inside_calls_add_up),
        cmocka_unit_test(scales_convert_or_divide),
        cmocka_unit_test(calls_are_what_is_logged_inside_of_them),
        cmocka_unit_test(time_inside_an_event_makes_it_overhead),
        cmocka_unit_test(calls_are_kernels_where_none_is_logged),
        cmocka_unit_test(only_delegated_events_have_the_backend_of_their_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
