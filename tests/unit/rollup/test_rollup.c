#include "rollup_fixture.h"

#include "inspector_fixture.h"

#include "timed_events.h"

#include "account/account.h"
#include "rollup/grouping.h"
#include "rollup/rollup.h"

/* ==== overview ================================================================================ */

static void assert_backend(const eti_overview *overview, size_t i, const char *name,
                           uint64_t n_operators, uint64_t ms) {
    const eti_overview_backend *backend = &overview->backends.items[i];
    assert_text(backend->name, name);
    assert_int_equal(backend->n_operators, n_operators);
    assert_int_equal(backend->time.total.low, ms * 1000000);
}

static void assert_op(const eti_overview *overview, size_t group, const char *name, uint64_t ms) {
    assert_text(eti__op_type_name(&overview->names, overview->ops.items[group].op), name);
    assert_int_equal(overview->rollup.groups[group].time.total.low, ms * 1000000);
}

/* Operators are listed in the order in which they ran; a delegate's call counts as a whole, though two of its operators are
 * known. */
static void operators_are_counted_where_they_ran(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_overview overview;
    eti_error err = ETI_ERROR_INIT;
    open_two_runs(&s);
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.backends.count, 2);
    assert_backend(&overview, 0, ETI_GROUP_NOT_DELEGATED, 3, 56);
    assert_backend(&overview, 1, "Npu", 2, 128);
    assert_int_equal(overview.list.n_runs, 2);
    /* permute and mm of one handle, conv, the time that the delegate did not log, tan, the framework */
    assert_int_equal(overview.ops.count, 6);
    assert_int_equal(overview.rollup.n_groups, 6);
    assert_op(&overview, 0, "aten.permute.default", 2 * 16);
    assert_op(&overview, 1, ETI_GROUP_FRAMEWORK, 74);
    assert_op(&overview, 2, "aten.mm.default", 2 * 8);
    assert_op(&overview, 4, ETI_GROUP_NOT_LOGGED, 64);
    /* In half ticks. The payloads of Npu cannot be read, so no program would help. */
    assert_int_equal(overview.rollup.attributed.of[ETI_ATTRIBUTION_NONE].low, 2 * 64 * 1000000);
    assert_int_equal(overview.rollup.attributed.seen_by_program.low, 0);
    /* its 128 ms and 64 of these as logged, beside 56 of operators and 74 of the framework */
    assert_int_equal(overview.rollup.attributed.in_delegates.low, 2 * 128 * 1000000);
    assert_int_equal(overview.rollup.attributed.whole.low, 2 * (128 + 56 + 74) * 1000000);
    eti__overview_free(&overview);
    options.split_variants = true;
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.ops.count, 6);
    assert_op(&overview, 2, "aten.mm.default", 2 * 8);
    assert_text(overview.names.texts.texts[overview.ops.items[2].kernel], "native_call_mm.out");
    eti__overview_free(&overview);
    close_session(&s);
}

static void delegates_without_a_record_are_unknown(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    session s = {0};
    builder *b = &s.b;
    eti_overview overview;
    eti_error err = ETI_ERROR_INIT;
    open_session(&s, DUMP(b, put_one_run(b, 0)), NULL);
    assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
    assert_int_equal(overview.backends.count, 2);
    assert_backend(&overview, 1, ETI_GROUP_UNKNOWN, 2, 64);
    eti__overview_free(&overview);
    close_session(&s);
}

/* Two blocks of one method took different branches; its other operators count once, but their time twice. Without a known
 * method, the blocks are not known to have anything in common. */
static void operators_of_several_blocks_are_counted_once(void **state) {
    (void)state;
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    for (int with_record = 0; with_record < 2; with_record++) {
        session s = {0};
        builder *b = &s.b;
        eti_overview overview;
        eti_error err = ETI_ERROR_INIT;
        open_session(
            &s,
            DUMP(b,
                 RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 0, 1),
                     MS_CALL(b, "native_call_sin.out", 1, 1, 3), MS_DELEGATED(b, "conv", 3, 3, 4),
                     MS_CALL(b, "DELEGATE_CALL", 3, 3, 4)),
                 RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 10, 11),
                     MS_CALL(b, "native_call_add.out", 2, 11, 15),
                     MS_DELEGATED(b, "conv", 3, 15, 16), MS_DELEGATED(b, "tan", 3, 16, 18),
                     MS_CALL(b, "DELEGATE_CALL", 3, 15, 18))),
            with_record ? &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE}
                        : NULL);
        assert_ok(eti__overview_make(&overview, s.inspector, &options, &err));
        assert_int_equal(overview.rollup.runs.n_blocks, 2);
        assert_backend(&overview, 0, ETI_GROUP_NOT_DELEGATED, with_record ? 3 : 4, 3 + 5);
        assert_backend(&overview, 1, ETI_GROUP_UNKNOWN, with_record ? 2 : 3, 1 + 3);
        eti__overview_free(&overview);
        close_session(&s);
    }
}

/* ==== rollup ================================================================================== */

/* Groups events by the last letter of their names: 'a' is 0, ...; others and Method::execute are left out. */
static bool group_by_letter(void *context, const eti_account *account, uint32_t *groups) {
    (void)context;
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_text name = account->block->events[i].name;
        char last = name.data[name.size - 1];
        if (last >= 'a' && last <= 'e' && i != account->execute)
            groups[i] = (uint32_t)(last - 'a');
    }
    return true;
}

static void make(eti_rollup *out, const session *s) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__rollup_make(out, s->inspector, &options, group_by_letter, NULL, &err));
}

static place put_rollup_one_run(builder *b, uint64_t of_a, uint64_t of_b) {
    return RUN(b, "Execute", CALL(b, "MOVE_a", 3, 50, 51), CALL(b, "native_call_a", 1, 0, of_a),
               CALL(b, "native_call_b", 2, 20, 20 + of_b), CALL(b, "MOVE_e", 4, 60, 67),
               EVENT(b, "Method::execute", 0, 100));
}

/* Sums per run, of a: 11, 15; of b: 11, 16; of e: 7, 7. Another block has a run of b, one more a run of c. */
static void groups_are_added_up_over_runs_and_blocks(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_rollup rollup;
    eti_summary times;
    uint32_t order[8];
    double scratch[16];
    open_session(&s,
                 DUMP(b, put_rollup_one_run(b, 10, 11), put_rollup_one_run(b, 14, 16),
                      RUN(b, "Once", EVENT(b, "native_call_b", 0, 3)),
                      RUN(b, "Last", EVENT(b, "native_call_c", 0, 2))),
                 NULL);
    make(&rollup, &s);
    assert_int_equal(rollup.n_groups, 5);
    assert_int_equal(rollup.runs.n, 4);
    assert_int_equal(rollup.whole.total.low, 205);
    assert_int_equal(rollup.groups[0].time.total.low, 26);
    assert_int_equal(rollup.groups[1].time.total.low, 30);
    assert_int_equal(rollup.groups[3].n_events, 0);
    /* the framework's events count if there are no others */
    assert_int_equal(rollup.groups[0].n_events, 1);
    assert_int_equal(rollup.groups[0].n_calls, 2);
    assert_int_equal(rollup.groups[1].n_events, 2);
    assert_int_equal(rollup.groups[1].n_calls, 3);
    assert_int_equal(rollup.groups[4].n_events, 1);
    assert_bits(eti__rollup_share(&rollup, &rollup.groups[4].time), 14.0 / 205);
    assert_int_equal(eti__rollup_sort(&rollup, order), 4);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 0);
    assert_int_equal(order[2], 4);
    assert_int_equal(order[3], 2);
    assert_int_equal(rollup.most_runs, 3);
    assert_true(eti__rollup_summarize(&rollup, 1, scratch, &times));
    assert_bits(times.min, 3 / 1e6);
    assert_bits(times.p50, 11 / 1e6);
    assert_bits(times.max, 16 / 1e6);
    assert_true(eti__rollup_summarize(&rollup, 0, scratch, &times));
    assert_bits(times.min, 11 / 1e6);
    assert_bits(times.max, 15 / 1e6);
    assert_false(eti__rollup_summarize(&rollup, 3, scratch, &times));
    eti__rollup_free(&rollup);
    close_session(&s);
}

static void shares_of_an_empty_whole_are_zero(void **state) {
    (void)state;
    const eti_rollup nothing = {.factor = 1};
    const eti_time_sum five = {.total = eti__wide_of(5), .weight = eti__wide_of(10)};
    assert_bits(eti__rollup_share(&nothing, &five), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_counted_where_they_ran),
        cmocka_unit_test(delegates_without_a_record_are_unknown),
        cmocka_unit_test(operators_of_several_blocks_are_counted_once),
        cmocka_unit_test(groups_are_added_up_over_runs_and_blocks),
        cmocka_unit_test(shares_of_an_empty_whole_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
