#include "inspector_fixture.h"
#include "timed_events.h"

#include "account/account.h"
#include "account/role.h"

static const eti_event *find(const session *s, const char *name) {
    const eti_event_block *block = eti_inspector_block(s->inspector, 0);
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__text_is(block->events[i].name, name))
            return &block->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

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
        assert_int_equal(eti__role_by_name(find(&s, expected[i].name)), expected[i].role);
    assert_int_equal(eti__role_by_name(find(&s, "native_call_mul.out")), ETI_ROLE_DELEGATED);
    assert_int_equal(eti__role_by_name(find(&s, "value")), ETI_ROLE_UNTIMED);
    close_session(&s);
}

static void questions_about_roles_have_one_answer(void **state) {
    (void)state;
    static const struct {
        eti_role role;
        bool is_work, is_delegate, is_framework, is_running;
    } expected[ETI_N_ROLES] = {
        {ETI_ROLE_KERNEL, true, false, false, true},
        {ETI_ROLE_DELEGATED, true, true, false, true},
        {ETI_ROLE_DELEGATE_CALL, true, true, false, true},
        {ETI_ROLE_NOT_LOGGED, false, true, false, true},
        {ETI_ROLE_OPERATOR_CALL, false, false, true, true},
        {ETI_ROLE_INSTRUCTION, false, false, true, true},
        {ETI_ROLE_EXECUTE, false, false, true, true},
        {ETI_ROLE_LOAD, false, false, true, false},
        {ETI_ROLE_UNTIMED, false, false, true, false},
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
    return eti__account_role(account, (size_t)(find(s, name) - account->block->events));
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
    size_t own = (size_t)(find(&s, "own") - events),
           unknown = (size_t)(find(&s, "unknown") - events),
           kernel = (size_t)(find(&s, "native_call_a") - events),
           call = (size_t)(find(&s, "DELEGATE_CALL") - events);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_most_roles),
        cmocka_unit_test(questions_about_roles_have_one_answer),
        cmocka_unit_test(calls_are_what_is_logged_inside_of_them),
        cmocka_unit_test(calls_are_kernels_where_none_is_logged),
        cmocka_unit_test(only_delegated_events_have_the_backend_of_their_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
