/* Tests groups of events: their names, their sums, and which events are their level. */
#include "comparison_fixture.h"

static void groups_are_sums_of_runs(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, "module");
    assert_int_equal(c.diff.groups.n, 3);
    const eti_diff_row *x = row_of(&c.diff.groups, "m.x");
    assert_int_equal(x->base.n_events, 2);
    assert_double(x->base.p50, 159); /* 150, 152, ... 168 */
    assert_double(x->new_side.p50, 259);
    assert_near(x->base.location, 159);
    assert_near(x->new_side.location, 259);
    assert_true(eti__text_is(x->base.entry->name, "b")); /* the largest */
    assert_int_equal(row_of(&c.diff.groups, "m.y")->verdict, ETI_VERDICT_REMOVED);
    assert_int_equal(row_of(&c.diff.groups, "m.z")->verdict, ETI_VERDICT_ADDED);
    end(&c);
    c = compare(BASE, NEW, "source");
    assert_double(row_of(&c.diff.groups, "f.py:2")->base.p50, 114.5);
    assert_int_equal(row_of(&c.diff.groups, "(unknown or several lines)")->new_side.n_events, 1);
    end(&c);
    c = compare(BASE, NEW, "backend");
    assert_double(row_of(&c.diff.groups, "(not delegated)")->base.p50, 169);
    assert_double(row_of(&c.diff.groups, "X")->new_side.p50, 7);
    end(&c);
}

/* Each event is an operator of its own here, so groups give the same results as events. */
static void groups_are_judged_as_events_are(void **state) {
    (void)state;
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = "op";
    comparison c = compare_made(&m, 5, &options);
    const eti_diff_row *event = row_of(&c.diff.events, "e2"), *group = row_of(&c.diff.groups, "e2");
    assert_int_equal(c.diff.pairs[0].groups.n, N_EVENTS);
    assert_near(group->change.difference, event->change.difference);
    assert_near(group->adjusted_p, event->adjusted_p);
    assert_int_equal(group->verdict, ETI_VERDICT_SLOWER);
    end(&c);
}

static void an_unknown_grouping_is_refused(void **state) {
    (void)state;
    eti_profile *profile = read_profile(BASE);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = "color";
    eti_diff diff;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__diff_make(&diff, profile, profile, &options, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message, "there is no grouping by color: expected op, optype, module, "
                                     "backend, source or node");
    eti__diff_free(&diff);
    eti_profile_free(profile);
}

/* ---- operator types -------------------------------------------------------------------------- */

/* Five files per side of one run each: files differ by 0, 1 .. 4 %, and events a and b of type `x` take 1.5 times as long on the
 * new side. The others are of three types. Ticks are exact, so that results can be computed by hand; one more tick of event
 * g, which the total does not include, keeps the clock from having a step. */
static void add_events(eti_buffer *out, bool is_new) {
    static const struct {
        const char *name, *op;
        unsigned ticks;
    } events[] = {{"a", "x", 20000},  {"b", "x", 40000},  {"c", "y", 100000}, {"d", "y", 100000},
                  {"e", "z", 100000}, {"f", "z", 100000}, {"g", "w", 100000}};
    unsigned total[5] = {0};
    eti_buffer rows = {0};
    for (size_t e = 0; e < COUNT_OF(events); e++) {
        bool is_slow = is_new && e < 2;
        eti__buffer_printf(&rows, "kernel,%s,%s,,,,,,,,", events[e].name, events[e].op);
        for (unsigned f = 0; f < 5; f++) {
            unsigned ticks = events[e].ticks / 200 * (100 + f) * (is_slow ? 3 : 2);
            total[f] += ticks;
            eti__buffer_printf(&rows, "%s%u", f > 0 ? ";" : "", ticks + (e == 6));
        }
        eti__buffer_add_char(&rows, '\n');
    }
    eti__buffer_add_string(out, HEAD "block,E,,5,0,1;2;3;4\nexecute,total,,,,,,,,,");
    for (unsigned f = 0; f < 5; f++)
        eti__buffer_printf(out, "%s%u", f > 0 ? ";" : "", total[f]);
    eti__buffer_add_char(out, '\n');
    eti__buffer_add_text(out, eti__buffer_text(&rows));
    eti__buffer_add_char(out, '\0');
    eti__buffer_free(&rows);
}

static comparison compare_types(const char *group) {
    eti_buffer base = {0}, new_side = {0};
    add_events(&base, false);
    add_events(&new_side, true);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = group;
    comparison c = compare_with(base.data, new_side.data, &options);
    eti__buffer_free(&base);
    eti__buffer_free(&new_side);
    return c;
}

/* Four groups have no level, so their files scatter like 1 + f %, alike on both sides, and x took 1.5 times as long. */
static void types_are_sums_of_the_events_that_they_are(void **state) {
    (void)state;
    comparison c = compare_types("optype");
    const eti_diff_row *x = row_of(&c.diff.groups, "x"), *y = row_of(&c.diff.groups, "y");
    assert_int_equal(c.diff.groups.n, 4);
    assert_int_equal(x->base.n_events, 2);
    assert_near(x->base.location, 60000 * 1.02);
    assert_near(x->new_side.location, 90000 * 1.02);
    assert_near(x->ratio, 1.5);
    assert_near(x->change.difference, log(1.5));
    double sum = 0, squares = 0;
    for (int f = 0; f < 5; f++) {
        sum += log(1 + 0.01 * f);
        squares += log(1 + 0.01 * f) * log(1 + 0.01 * f);
    }
    assert_true(fabs(x->change.error - sqrt((squares - sum * sum / 5) / 4 * 0.4)) < 1e-6);
    assert_near(x->delta, 30000 * 1.02);
    assert_near(x->impact, 30000.0 / 560000);
    assert_true(fabs(x->base.share - 60000.0 / 560000) < 1e-6); /* ticks are whole */
    assert_int_equal(x->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(y->verdict, ETI_VERDICT_NOISE);
    assert_near(y->ratio, 1);
    end(&c);
}

/* Version 1 has no operator types: an event without an operator is grouped by its name. */
static void operators_are_those_that_events_are(void **state) {
    (void)state;
    static const char *const groupings[] = {"op", "optype"};
    const char *text =
        HEAD "block,E,,1,0\nkernel,fused,add + mul,,,,,,,,7\nkernel,call_2,,,,,,,,,9\n";
    for (size_t i = 0; i < COUNT_OF(groupings); i++) {
        comparison c = compare(text, text, groupings[i]);
        assert_int_equal(row_of(&c.diff.groups, "(several operators)")->base.n_events, 1);
        assert_int_equal(row_of(&c.diff.groups, "call")->base.n_events, 1);
        end(&c);
    }
}

/* Small events are summed, though none of them is judged. */
static void groups_find_what_no_event_shows(void **state) {
    (void)state;
    eti_buffer sides[2] = {{0}, {0}};
    for (int side = 0; side < 2; side++) {
        eti__buffer_add_string(&sides[side], HEAD "block,E,,5,0,1;2;3;4\n"
                                                  "execute,total,,,,,,,,,1000000;1000001;1000002;"
                                                  "1000003;1000004\n");
        for (int e = 0; e < 6; e++)
            eti__buffer_printf(&sides[side],
                               "kernel,large%d,large%d,,,,,,,,100000;100001;100002;100003;100004\n",
                               e, e);
        for (int e = 0; e < 50; e++)
            eti__buffer_printf(&sides[side], "kernel,s%d,small,,,,,,,,%s\n", e,
                               side ? "1200;1201;1202;1203;1204" : "1000;1001;1002;1003;1004");
        eti__buffer_add_char(&sides[side], '\0');
    }
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = "optype";
    comparison c = compare_with(sides[0].data, sides[1].data, &options);
    assert_int_equal(c.diff.coverage.n_small, 50);
    assert_int_equal(row_of(&c.diff.events, "s7")->verdict, ETI_VERDICT_UNTESTED);
    const eti_diff_row *group = row_of(&c.diff.groups, "small");
    assert_int_equal(group->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(group->new_side.n_events, 50);
    end(&c);
    eti__buffer_free(&sides[0]);
    eti__buffer_free(&sides[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_sums_of_runs),
        cmocka_unit_test(groups_are_judged_as_events_are),
        cmocka_unit_test(an_unknown_grouping_is_refused),
        cmocka_unit_test(types_are_sums_of_the_events_that_they_are),
        cmocka_unit_test(operators_are_those_that_events_are),
        cmocka_unit_test(groups_find_what_no_event_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
