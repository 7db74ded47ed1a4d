/* Tests the verdicts of families: by limit and margin, with two readings, and of events in other units. Sides are made of
 * files whose times are known, so that the right verdict follows from them. */
#include "comparison_fixture.h"

#include <math.h>

enum { FILES = 8, EVENTS = 8 };

/* Names, units and factors of events of the new side; every second file of the new side takes the time `apart` times. */
typedef struct made_event {
    const char *name, *op_type, *unit;
    double factor, apart;
} made_event;

/* Appends the times of an entry, which scatter by half a percent, in all files. */
static void add_times(eti_buffer *out, double usual, double apart, size_t seed) {
    for (size_t f = 0; f < FILES; f++)
        eti__buffer_printf(out, "%s%.0f", f > 0 ? ";" : "",
                           usual * (f % 2 == 1 ? apart : 1) *
                               (1 + 0.001 * (double)((3 * f * f + 7 * seed + f * seed) % 6)));
}

static eti_profile *make_family_side(const made_event *events, size_t n, bool is_new) {
    eti_buffer out = {0};
    eti__buffer_add_string(&out, "etinspect-baseline,4\ntime_scale,ns\n");
    for (size_t f = 0; f < FILES; f++)
        eti__buffer_printf(&out, "file,%c%zu,,\n", is_new ? 'n' : 'b', f);
    eti__buffer_add_string(&out,
                           "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,"
                           "code,step,fast,p50,p90,p95,p99,avg,min,max,node,unit\n"
                           "block,E,,1;1;1;1;1;1;1;1,0;0;0;0;0;0;0;0\nexecute,total,,,,,,,,,,1");
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += 100003 * (is_new ? events[i].factor : 1);
    for (size_t k = 0; k < 8; k++) {
        eti__buffer_add_char(&out, ',');
        add_times(&out, total, 1, 90);
    }
    eti__buffer_add_char(&out, '\n');
    for (size_t i = 0; i < n; i++) {
        eti__buffer_printf(&out, "kernel,%s,,%s,,,,,,,,1", events[i].name, events[i].op_type);
        for (size_t k = 0; k < 8; k++) {
            eti__buffer_add_char(&out, ',');
            add_times(&out, 100003 * (is_new ? events[i].factor : 1), is_new ? events[i].apart : 1,
                      i);
        }
        eti__buffer_printf(&out, ",,%s\n", events[i].unit ? events[i].unit : "");
    }
    eti__buffer_add_char(&out, '\0');
    eti_profile *profile = read_profile(out.data);
    eti__buffer_free(&out);
    return profile;
}

static comparison compare_events(const made_event *events, size_t n, bool in_turns) {
    comparison c = {make_family_side(events, n, false), make_family_side(events, n, true), {0}};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    options.in_turns = in_turns;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    return c;
}

static void expect_verdicts(const comparison *c, const made_event *events, size_t n,
                            const eti_verdict *expected) {
    for (size_t i = 0; i < n; i++) {
        if (row_of(&c->diff.events, events[i].name)->verdict != expected[i])
            fail_msg(
                "%s is %s", events[i].name,
                eti__verdict_name((eti_verdict)row_of(&c->diff.events, events[i].name)->verdict));
    }
}

#define ADDMM(factor)                                                                              \
    {"m1", "addmm", NULL, factor, 1}, {"m2", "addmm", NULL, factor, 1},                            \
        {"m3", "addmm", NULL, factor, 1}, {"m4", "addmm", NULL, factor, 1}, {                      \
        "m5", "addmm", NULL, factor, 1                                                             \
    }
#define OTHERS(factor)                                                                             \
    {"t", "tanh", NULL, factor, 1}, {"s", "softmax", NULL, factor, 1}, {                           \
        "p", "permute", NULL, factor, 1                                                            \
    }

/* Five of eight events are of one of four kinds: most events changed, and most kinds did not. */
static void a_kind_of_most_events_can_be_read_in_two_ways(void **state) {
    (void)state;
    const made_event slower[] = {ADDMM(1.25), OTHERS(1)}, faster[] = {ADDMM(0.8), OTHERS(1)};
    comparison c = compare_events(slower, EVENTS, false);
    const eti_family *family = &c.diff.pairs[0].events;
    assert_true(family->has_two_readings);
    assert_text(family->kind, "addmm");
    assert_int_equal(family->n_of_kind, 5);
    assert_true(fabs(family->kind_difference - log(1.25)) < 0.01);
    assert_int_equal(c.diff.events.judgement.outcome, ETI_OUTCOME_CANNOT_TELL);
    assert_int_equal(c.diff.events.judgement.doubt, ETI_DOUBT_TWO_READINGS);
    assert_int_equal(c.diff.totals.judgement.outcome, ETI_OUTCOME_SLOWER);
    for (size_t i = 0; i < EVENTS; i++)
        assert_int_equal(c.diff.events.rows[i].verdict, ETI_VERDICT_UNDECIDED);
    end(&c);
    c = compare_events(slower, EVENTS, true); /* the machine favours no side */
    static const eti_verdict as_measured[] = {
        ETI_VERDICT_SLOWER, ETI_VERDICT_SLOWER, ETI_VERDICT_SLOWER, ETI_VERDICT_SLOWER,
        ETI_VERDICT_SLOWER, ETI_VERDICT_NOISE,  ETI_VERDICT_NOISE,  ETI_VERDICT_NOISE};
    expect_verdicts(&c, slower, EVENTS, as_measured);
    end(&c);
    c = compare_events(faster, EVENTS, false); /* nobody else is blamed */
    assert_int_equal(c.diff.events.judgement.outcome, ETI_OUTCOME_CANNOT_TELL);
    end(&c);
    c = compare_events(faster, EVENTS, true);
    assert_int_equal(c.diff.events.judgement.outcome, ETI_OUTCOME_NOT_SLOWER);
    end(&c);
}

/* A change of all events alike is that of the level: it fails only if the machine favours no side. */
static void all_events_alike_are_a_check_of_sides_in_turns(void **state) {
    (void)state;
    const made_event slower[] = {ADDMM(1.2), OTHERS(1.2)};
    for (int in_turns = 0; in_turns < 2; in_turns++) {
        comparison c = compare_events(slower, EVENTS, in_turns);
        const eti_diff_row *level = row_of(&c.diff.totals, "all events alike");
        assert_false(c.diff.pairs[0].events.has_two_readings);
        assert_true(fabs(level->shift.estimate - log(1.2)) < 0.005);
        assert_int_equal(level->verdict, in_turns ? ETI_VERDICT_SLOWER : ETI_VERDICT_UNTESTED);
        assert_int_equal(c.diff.events.judgement.outcome,
                         in_turns ? ETI_OUTCOME_SLOWER : ETI_OUTCOME_NOT_SLOWER);
        for (size_t i = 0; i < EVENTS; i++)
            assert_int_equal(c.diff.events.rows[i].verdict, ETI_VERDICT_NOISE);
        end(&c);
    }
}

/* One event is faster by 20 %, which 3 of 8 others seem to be slower than, but nobody fails who was not slower. */
static void an_event_is_compared_with_most_others(void **state) {
    (void)state;
    made_event events[] = {ADDMM(1), OTHERS(1)};
    static const eti_verdict one_slower[] = {
        ETI_VERDICT_NOISE, ETI_VERDICT_NOISE, ETI_VERDICT_SLOWER, ETI_VERDICT_NOISE,
        ETI_VERDICT_NOISE, ETI_VERDICT_NOISE, ETI_VERDICT_NOISE,  ETI_VERDICT_FASTER};
    events[2].factor = 1.3;
    events[7].factor = 0.8;
    comparison c = compare_events(events, EVENTS, false);
    expect_verdicts(&c, events, EVENTS, one_slower);
    assert_int_equal(c.diff.events.judgement.outcome, ETI_OUTCOME_SLOWER);
    end(&c);
    for (size_t i = 0; i < EVENTS; i++)
        events[i].factor = i < 5 ? 0.7 : 1; /* as slow as before, on a machine that is faster */
    c = compare_events(events, EVENTS, false);
    for (size_t i = 0; i < EVENTS; i++)
        assert_true(c.diff.events.rows[i].verdict != ETI_VERDICT_SLOWER);
    end(&c);
}

/* A change of 12 % is more than the limit of 5 % and less than the margin allows; what decides is how much files scatter. */
static void limits_and_margins_are_compared_with_intervals(void **state) {
    (void)state;
    static const struct {
        double limit, margin;
        eti_outcome outcome;
    } cases[] = {{0.05, 0.1, ETI_OUTCOME_SLOWER},
                 {0.13, 0.1, ETI_OUTCOME_NOT_SLOWER},
                 {0.2, 0.1, ETI_OUTCOME_NOT_SLOWER},
                 {0.12, 0.0001, ETI_OUTCOME_CANNOT_TELL}};
    const made_event events[] = {ADDMM(1.12), OTHERS(1.12)};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        comparison c = {
            make_family_side(events, EVENTS, false), make_family_side(events, EVENTS, true), {0}};
        eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
        eti_error err = ETI_ERROR_INIT;
        options.least_effect = cases[i].limit;
        options.margin = cases[i].margin;
        assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
        assert_int_equal(c.diff.totals.judgement.outcome, cases[i].outcome);
        end(&c);
    }
}

/* One event of eight takes twice as long in half of the new files: the estimate is half of log 2, which is above the limit and
 * the margin, but p is not small. The seven others pass, so 7/8 of the time need no more files; only the eighth prevents a pass. */
static void an_event_above_the_margin_needs_no_number_of_files(void **state) {
    (void)state;
    made_event events[] = {ADDMM(1), OTHERS(1)};
    events[2].apart = 2;
    comparison c = compare_events(events, EVENTS, true);
    const eti_judgement *judgement = &c.diff.events.judgement;
    const eti_diff_row *row = row_of(&c.diff.events, "m3");
    assert_true(fabs(row->judged.estimate - log(2) / 2) < 0.01);
    assert_int_equal(row->verdict, ETI_VERDICT_NOISE);
    assert_int_equal(judgement->outcome, ETI_OUTCOME_CANNOT_TELL);
    assert_int_equal(judgement->n_doubtful, 1);
    assert_int_equal(judgement->n_needed, 0);
    assert_true(judgement->is_above);
    end(&c);
}

/* A bound that is wrong in 1 of 100,000 needs so many files that chance puts all of one side above the other in fewer:
 * C(18, 9) = 48,620 are not enough, C(20, 10) = 184,756 are. A change of 0 is not called one above the limit. */
static void a_total_without_bounds_needs_the_files_that_give_them(void **state) {
    (void)state;
    const made_event events[] = {ADDMM(1), OTHERS(1)};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    comparison c = {
        make_family_side(events, EVENTS, false), make_family_side(events, EVENTS, true), {0}};
    options.beta = 1e-5;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    const eti_judgement *judgement = &c.diff.totals.judgement;
    assert_int_equal(judgement->outcome, ETI_OUTCOME_CANNOT_TELL);
    assert_false(judgement->is_above);
    assert_int_equal(judgement->n_needed, 10);
    end(&c);
}

/* Events in cycles have their own level; sides that count one in different units are not compared, or its row is not judged. */
static void events_in_cycles_are_a_family_of_their_own(void **state) {
    (void)state;
    made_event events[] = {ADDMM(1),
                           {"c1", "a", "cycles", 1.3, 1},
                           {"c2", "b", "cycles", 1.3, 1},
                           {"c3", "c", "cycles", 1.3, 1},
                           {"c4", "d", "cycles", 1.3, 1},
                           {"c5", "e", "cycles", 1.3, 1}};
    comparison c = compare_events(events, COUNT_OF(events), false);
    assert_int_equal(c.diff.pairs[0].events.n, 5);
    assert_int_equal(c.diff.pairs[0].cycles.n, 5);
    assert_true(fabs(c.diff.pairs[0].events.level.estimate) < 0.005);
    assert_true(fabs(row_of(&c.diff.totals, "all events in cycles alike")->ratio - 1.3) < 0.01);
    for (size_t i = 0; i < COUNT_OF(events); i++)
        assert_int_equal(c.diff.events.rows[i].verdict, ETI_VERDICT_NOISE);
    eti__diff_free(&c.diff);
    eti_profile_free(c.new_side);
    events[5].unit = NULL;
    c.new_side = make_family_side(events, COUNT_OF(events), true);
    eti_error err = ETI_ERROR_INIT;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    assert_int_equal(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err), ETI_ERROR_USAGE);
    eti__diff_free(&c.diff);
    options.allow_unlike = true;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    assert_true(isnan(row_of(&c.diff.events, "c1")->ratio));
    assert_int_equal(row_of(&c.diff.events, "c1")->unjudged, ETI_UNJUDGED_UNITS);
    assert_int_equal(row_of(&c.diff.events, "c1")->verdict, ETI_VERDICT_UNTESTED);
    assert_int_equal(c.diff.coverage.n_units, 1);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_of_most_events_can_be_read_in_two_ways),
        cmocka_unit_test(all_events_alike_are_a_check_of_sides_in_turns),
        cmocka_unit_test(an_event_is_compared_with_most_others),
        cmocka_unit_test(limits_and_margins_are_compared_with_intervals),
        cmocka_unit_test(an_event_above_the_margin_needs_no_number_of_files),
        cmocka_unit_test(a_total_without_bounds_needs_the_files_that_give_them),
        cmocka_unit_test(events_in_cycles_are_a_family_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
