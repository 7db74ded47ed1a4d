#include "rollup_fixture.h"

#include "account/account.h"
#include "rollup/grouping.h"
#include "rollup/rollup.h"

/* ==== grouping ================================================================================ */

typedef struct grouped {
    session s;
    eti_groups groups;
} grouped;

static void group_with(grouped *g, const char *text, bool per_block) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_grouping grouping;
    options.per_block = per_block;
    uint32_t depth;
    eti_error err = ETI_ERROR_INIT;
    eti__groups_free(&g->groups);
    assert_true(eti__grouping_parse(text, &grouping, &depth));
    assert_ok(eti__groups_make(&g->groups, g->s.inspector, &options, grouping, depth, &err));
}

static void group_by(grouped *g, const char *text) {
    group_with(g, text, false);
}

static void close_grouped(grouped *g) {
    eti__groups_free(&g->groups);
    close_session(&g->s);
}

static double share_at(const grouped *g, size_t at) {
    return eti__time_sum_share(&g->groups.rollup.groups[g->groups.order[at]].time,
                               &g->groups.wholes[at]);
}

/* Checks the name of the group at this position, and its total in ms over both runs. */
static void assert_group(const grouped *g, size_t at, const char *name, uint64_t total) {
    eti_buffer found = {0};
    assert_true(at < g->groups.n);
    uint32_t group = g->groups.order[at];
    eti__groups_add_name(&g->groups, group, &found);
    assert_text(eti__buffer_text(&found), name);
    assert_int_equal(g->groups.rollup.groups[group].time.total.low, total * 1000000);
    eti__buffer_free(&found);
}

static void names_lose_what_counts_calls(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"conv #1", "conv"},  {"conv#12", "conv"},
        {"conv_3", "conv"},   {"conv 3", "conv 3"},
        {"conv2d", "conv2d"}, {"add.out", "add.out"},
        {"_1", "_1"},         {"#1", "#1"},
        {"a  #0", "a"},       {"", ""},
        {"12", "12"},         {" #1", " "},
        {"a_1_2", "a_1"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_text(eti__fold_op_name(eti__text_of(names[i][0])), names[i][1]);
}

static void groupings_are_found_by_their_names(void **state) {
    (void)state;
    static const char *const refused[] = {
        "",          "ops",       "op:1",      "module:",           "module:0", "module:x",
        "module:1x", "module:-1", "module: 1", "module:4294967295", "source:2", "Op"};
    eti_grouping found;
    uint32_t depth;
    for (int i = 0; i < ETI_N_GROUPINGS; i++) {
        assert_true(eti__grouping_parse(eti__grouping_name((eti_grouping)i), &found, &depth));
        assert_int_equal(found, i);
        assert_int_equal(depth, UINT32_MAX);
    }
    assert_true(eti__grouping_parse("module:12", &found, &depth));
    assert_int_equal(found, ETI_BY_MODULE);
    assert_int_equal(depth, 12);
    assert_true(eti__grouping_parse("module:9", &found, &depth));
    assert_int_equal(depth, 9);
    assert_true(eti__grouping_parse("module:4294967294", &found, &depth));
    assert_int_equal(depth, UINT32_MAX - 1);
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        assert_false(eti__grouping_parse(refused[i], &found, &depth));
}

static void the_most_expensive_group_comes_first(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    group_by(&g, "op");
    assert_int_equal(g.groups.n, 6);
    assert_group(&g, 0, ETI_GROUP_FRAMEWORK, 74);
    /* of equal groups the one that ran first */
    assert_group(&g, 1, "conv", 64);
    assert_group(&g, 2, ETI_GROUP_NOT_LOGGED, 64);
    /* events of one instruction have the nodes of its handle, and belong to the nodes that their kernels compute */
    assert_group(&g, 3, "aten.permute.default", 32);
    assert_group(&g, 4, "aten.mm.default", 16);
    assert_group(&g, 5, "aten.tan.default", 8);
    assert_bits(g.groups.cumulative[0], 74.0 / 258);
    assert_bits(g.groups.cumulative[3], 234.0 / 258);
    assert_bits(g.groups.cumulative[5], 1);
    close_grouped(&g);
}

static void delegate_events_belong_to_their_call(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    group_by(&g, "backend");
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 0, "Npu", 128);
    assert_group(&g, 1, ETI_GROUP_FRAMEWORK, 74);
    assert_group(&g, 2, ETI_GROUP_NOT_DELEGATED, 56);
    group_by(&g, "source");
    assert_int_equal(g.groups.n, 4);
    assert_group(&g, 0, ETI_GROUP_SEVERAL_LINES, 128);
    assert_group(&g, 2, "/m/a.py:7", 48);
    assert_group(&g, 3, "/m/b.py:3", 8);
    close_grouped(&g);
}

/* Kernels and the time that a delegate did not log are the host's; a delegate whose hardware is unknown has no unit. */
static void kernels_and_compute_units_have_groups(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    group_by(&g, "kernel");
    assert_int_equal(g.groups.n, 6);
    assert_group(&g, 0, ETI_GROUP_FRAMEWORK, 74);
    assert_group(&g, 1, "conv", 64);
    assert_group(&g, 2, ETI_GROUP_NOT_LOGGED, 64);
    assert_group(&g, 3, "native_call_permute.out", 32);
    group_by(&g, "compute_unit");
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 0, "CPU", 120);
    assert_group(&g, 1, ETI_GROUP_FRAMEWORK, 74);
    assert_group(&g, 2, ETI_GROUP_UNKNOWN, 64);
    close_grouped(&g);
}

static void modules_are_cut_at_their_depth(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    group_by(&g, "module");
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 0, "my.Model", 128 + 8); /* relu belongs to a, tan does not */
    assert_group(&g, 2, "a.fc", 48);
    group_by(&g, "module:1");
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 2, "a", 48);
    close_grouped(&g);
}

/* Blocks include the framework's self time; methods do not, since the method it belongs to is unknown. */
static void blocks_and_methods_have_all_that_ran(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    group_by(&g, "block");
    assert_int_equal(g.groups.n, 1);
    assert_group(&g, 0, "Execute", 258);
    group_by(&g, "method");
    assert_int_equal(g.groups.n, 2);
    assert_group(&g, 0, "forward", 258 - 74);
    assert_group(&g, 1, ETI_GROUP_FRAMEWORK, 74);
    close_grouped(&g);
}

static void without_a_record_groups_are_unknown(void **state) {
    (void)state;
    grouped g = {0};
    builder *b = &g.s.b;
    open_session(&g.s, DUMP(b, put_one_run(b, 0)), NULL);
    group_by(&g, "source");
    assert_int_equal(g.groups.n, 2);
    assert_group(&g, 0, ETI_GROUP_UNKNOWN, 92);
    group_by(&g, "backend");
    assert_group(&g, 0, ETI_GROUP_UNKNOWN, 64);
    group_by(&g, "method");
    assert_group(&g, 0, ETI_GROUP_UNKNOWN, 92);
    group_by(&g, "op");
    assert_group(&g, 1, "conv", 32);
    assert_group(&g, 3, "native_call_permute.out", 16);
    close_grouped(&g);
}

/* Where blocks have groups of their own, groups with the same name stay separate, and shares are relative to the block. */
static void blocks_may_have_groups_of_their_own(void **state) {
    (void)state;
    grouped g = {0};
    builder *b = &g.s.b;
    open_session(
        &g.s,
        DUMP(b, put_one_run(b, 0),
             RUN(b, "Other", MS_EVENT(b, "native_call_a", 1, 31),
                 MS_EVENT(b, "native_call_b", 31, 32), MS_EVENT(b, "Method::execute", 0, 40))),
        NULL);
    group_with(&g, "backend", false);
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 0, ETI_GROUP_UNKNOWN, 64);
    assert_group(&g, 1, ETI_GROUP_NOT_DELEGATED, 28 + 31);
    assert_bits(share_at(&g, 0), 64.0 / 168);
    assert_bits(g.groups.cumulative[2], 1);

    group_with(&g, "backend", true);
    assert_int_equal(g.groups.n, 5);
    assert_group(&g, 0, ETI_GROUP_UNKNOWN, 64);
    assert_group(&g, 1, ETI_GROUP_FRAMEWORK, 36);
    assert_group(&g, 2, ETI_GROUP_NOT_DELEGATED, 28);
    assert_group(&g, 3, ETI_GROUP_NOT_DELEGATED, 31);
    assert_group(&g, 4, ETI_GROUP_FRAMEWORK, 9);
    static const double shares[] = {64.0 / 128, 36.0 / 128, 28.0 / 128, 31.0 / 40, 9.0 / 40};
    static const double cumulative[] = {64.0 / 128, 100.0 / 128, 1, 31.0 / 40, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(eti__groups_block(&g.groups, g.groups.order[i]), i < 3 ? 0 : 1);
        assert_bits(share_at(&g, i), shares[i]);
        assert_bits(g.groups.cumulative[i], cumulative[i]);
    }
    close_grouped(&g);
}

/* Where one of several methods is wanted, a block whose method is not known is a group with its own name, and it holds the
 * framework's time. */
static void blocks_of_one_method_have_their_names(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    grouped g = {0};
    open_session(
        &s,
        DUMP(b, RUN(b, "Load", MS_EVENT(b, "Method::init", 0, 8)),
             RUN(b, "Execute", MS_EVENT(b, "native_call_a", 1, 31),
                 MS_EVENT(b, "native_call_b", 31, 32), MS_EVENT(b, "Method::execute", 0, 40))),
        NULL);
    const eti_event_block *blocks = s.inspector->blocks.blocks;
    assert_int_equal(s.inspector->blocks.n_blocks, 2);
    options.like = &blocks[1];
    assert_ok(eti__groups_make(&g.groups, s.inspector, &options, ETI_BY_METHOD, UINT32_MAX, &err));
    assert_int_equal(g.groups.n, 1);
    assert_group(&g, 0, "Execute", 40);
    assert_int_equal(g.groups.n_bytes, strlen("Execute"));
    eti__groups_free(&g.groups);
    g.groups = (eti_groups){.n = 0};
    assert_ok(eti__groups_make(&g.groups, s.inspector, &options, ETI_BY_OP, UINT32_MAX, &err));
    assert_int_equal(g.groups.n, 3);
    assert_group(&g, 0, "native_call_a", 30);
    assert_group(&g, 1, ETI_GROUP_FRAMEWORK, 9);
    eti__groups_free(&g.groups);
    close_session(&s);
}

/* Fixed names such as "(framework)" do not count. */
static void names_are_measured(void **state) {
    (void)state;
    grouped g = {0};
    open_two_runs(&g.s);
    static const struct {
        const char *grouping;
        size_t n_bytes;
    } expected[] = {
        {"op", sizeof "conv" ETI_GROUP_NOT_LOGGED "aten.permute.default"
                      "aten.mm.default"
                      "aten.tan.default"},
        {"backend", sizeof "Npu"},
        {"compute_unit", sizeof "CPU"},
        {"module", sizeof "my.Model"
                          "a.fc"},
        {"source", sizeof "/m/a.py"
                          "/m/b.py"}, /* the files */
        {"method", sizeof "forward"},
        {"block", sizeof "Execute"},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        group_by(&g, expected[i].grouping);
        if (g.groups.n_bytes != expected[i].n_bytes - 1)
            fail_msg("%s: %zu bytes, expected %zu", expected[i].grouping, (size_t)g.groups.n_bytes,
                     expected[i].n_bytes - 1);
    }
    close_grouped(&g);
}

/* Shares of nothing are 0, not undefined. */
static void groups_without_time_have_no_shares(void **state) {
    (void)state;
    grouped g = {0};
    builder *b = &g.s.b;
    open_session(
        &g.s,
        DUMP(b, RUN(b, "Execute", MS_EVENT(b, "native_call_a", 1, 1),
                    MS_EVENT(b, "native_call_b", 1, 1), MS_EVENT(b, "Method::execute", 1, 1))),
        NULL);
    for (int per_block = 0; per_block < 2; per_block++) {
        group_with(&g, "op", per_block == 1);
        assert_int_equal(g.groups.n, 3);
        for (size_t i = 0; i < g.groups.n; i++) {
            assert_bits(share_at(&g, i), 0);
            assert_bits(g.groups.cumulative[i], 0);
        }
    }
    close_grouped(&g);
}

static void the_most_similar_grouping_is_found(void **state) {
    (void)state;
    assert_string_equal(eti__grouping_near("modul:2"), "module");
    assert_string_equal(eti__grouping_near("blok"), "block");
    assert_string_equal(eti__grouping_near("sorce"), "source");
    assert_null(eti__grouping_near("something else"));
    assert_string_equal(eti__grouping_of_record(ETI_BY_MODULE), "modules");
    assert_string_equal(eti__grouping_of_record(ETI_BY_SOURCE), "source lines");
    assert_null(eti__grouping_of_record(ETI_BY_OP));
}

/* ==== op type ================================================================================= */

/* Checks the types of the last block's events. */
static void assert_op_types(const session *s, const char *const *expected, size_t n) {
    eti_account account;
    eti_error err = ETI_ERROR_INIT;
    const eti_event_block *block =
        eti_inspector_block(s->inspector, eti_inspector_block_count(s->inspector) - 1);
    assert_ok(eti__account_new(&account, block, &s->inspector->options, &err));
    assert_int_equal(block->n_events, n);
    for (size_t i = 0; i < n; i++) {
        eti_op_type op = eti__op_type_of(&account, i);
        assert_text(op.name, expected[i]);
        assert_int_equal(op.kind == ETI_OP_TYPE_NAMED, expected[i][0] != '(');
    }
    eti__account_free(&account);
}

/* Of the nodes that an instruction stands for, the kernel gets the one that it computes. */
static void kernels_are_the_operators_that_they_compute(void **state) {
    (void)state;
    static const char *const expected[] = {"aten.permute.default",
                                           ETI_GROUP_FRAMEWORK,
                                           "aten.mm.default",
                                           ETI_GROUP_FRAMEWORK,
                                           "conv",
                                           "conv",
                                           ETI_GROUP_NOT_LOGGED,
                                           "aten.tan.default",
                                           ETI_GROUP_FRAMEWORK,
                                           ETI_GROUP_FRAMEWORK};
    session s = {0};
    open_two_runs(&s);
    assert_op_types(&s, expected, COUNT_OF(expected));
    close_session(&s);
}

static void events_of_several_operators_are_none_of_them(void **state) {
    (void)state;
    static const char *const expected[] = {ETI_GROUP_SEVERAL_OPS, "native_call_unknown"};
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", MS_CALL(b, "DELEGATE_CALL", 2, 0, 1),
                             MS_CALL(b, "native_call_unknown #7", 9, 1, 2))),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_op_types(&s, expected, COUNT_OF(expected));
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lose_what_counts_calls),
        cmocka_unit_test(groupings_are_found_by_their_names),
        cmocka_unit_test(the_most_expensive_group_comes_first),
        cmocka_unit_test(delegate_events_belong_to_their_call),
        cmocka_unit_test(kernels_and_compute_units_have_groups),
        cmocka_unit_test(modules_are_cut_at_their_depth),
        cmocka_unit_test(blocks_and_methods_have_all_that_ran),
        cmocka_unit_test(without_a_record_groups_are_unknown),
        cmocka_unit_test(blocks_may_have_groups_of_their_own),
        cmocka_unit_test(blocks_of_one_method_have_their_names),
        cmocka_unit_test(names_are_measured),
        cmocka_unit_test(groups_without_time_have_no_shares),
        cmocka_unit_test(the_most_similar_grouping_is_found),
        cmocka_unit_test(kernels_are_the_operators_that_they_compute),
        cmocka_unit_test(events_of_several_operators_are_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
