/* Compares baselines that are written here, so that results can be computed by hand. */
#include "comparison_fixture.h"

#include <time.h>

/* ---- verdicts -------------------------------------------------------------------------------- */

static void the_example_is_judged_as_by_the_oracle(void **state) {
    (void)state;
    const made m = make_example();
    comparison c = compare_made(&m, 5, NULL);
    const eti_diff_row *slow = row_of(&c.diff.events, "e2"),
                       *total = row_of(&c.diff.totals, "total");
    assert_int_equal(c.diff.events.n_family, N_EVENTS);
    assert_near(slow->change.difference, 0.14379187);
    assert_near(slow->change.error, 0.02373765);
    assert_near(slow->change.dof, 8);
    assert_true(fabs(slow->adjusted_p - 0.00242695) < 5e-9);
    assert_true(fabs(slow->detectable - 0.16176739) < 5e-8);
    assert_true(slow->is_relative);
    assert_near(slow->ratio, exp(0.14379187));
    assert_near(total->change.difference, 0.01638164);
    assert_near(total->change.error, 0.00942869);
    assert_false(total->is_relative);
    assert_int_equal(total->verdict, ETI_VERDICT_NOISE);
    for (size_t i = 0; i < c.diff.events.n; i++) {
        const eti_diff_row *row = &c.diff.events.rows[i];
        bool is_small = eti__text_is(row->name, "small");
        assert_int_equal(row->verdict, row == slow ? ETI_VERDICT_SLOWER
                                       : is_small  ? ETI_VERDICT_UNTESTED
                                                   : ETI_VERDICT_NOISE);
        assert_int_equal(row->unjudged, is_small ? ETI_UNJUDGED_SMALL : ETI_JUDGED);
    }
    assert_int_equal(c.diff.coverage.n_judged, N_EVENTS);
    assert_int_equal(c.diff.coverage.n_small, 1);
    end(&c);
}

static void exchanged_sides_exchange_the_verdicts(void **state) {
    (void)state;
    const made m = make_example();
    made other = m;
    for (size_t e = 0; e < N_EVENTS; e++) {
        for (size_t f = 0; f < N_FILES; f++)
            other.times[e][f] = m.times[e][(f + 5) % N_FILES];
    }
    comparison c = compare_made(&m, 5, NULL), x = compare_made(&other, 5, NULL);
    for (size_t i = 0; i < c.diff.events.n; i++) {
        const eti_diff_row *row = &c.diff.events.rows[i];
        const eti_diff_row *back = &x.diff.events.rows[i];
        assert_true(eti__text_equal(row->name, back->name));
        assert_near(back->ratio, 1 / row->ratio);
        assert_near(back->adjusted_p, row->adjusted_p);
    }
    assert_int_equal(row_of(&x.diff.events, "e2")->verdict, ETI_VERDICT_FASTER);
    end(&c);
    end(&x);
}

/* The order of files does not change a single bit. */
static void the_order_of_files_changes_nothing(void **state) {
    (void)state;
    const made m = make_example();
    made other = m;
    for (size_t e = 0; e < N_EVENTS; e++) {
        for (size_t f = 0; f < 5; f++) {
            other.times[e][f] = m.times[e][4 - f];
            other.times[e][5 + f] = m.times[e][5 + (f + 2) % 5];
        }
    }
    comparison c = compare_made(&m, 5, NULL), x = compare_made(&other, 5, NULL);
    for (size_t i = 0; i < c.diff.events.n; i++) {
        const eti_diff_row *row = &c.diff.events.rows[i];
        if (eti__text_is(row->name, "small"))
            continue;
        const eti_diff_row *same = row_of(&x.diff.events, (char[]){'e', row->name.data[1], '\0'});
        assert_true(row->change.p == same->change.p && row->ratio == same->ratio &&
                    row->detectable == same->detectable && row->interval.low == same->interval.low);
    }
    end(&c);
    end(&x);
}

/* Everything takes twice as long: the total is slower, and no event is. */
static void a_slow_machine_is_not_a_slow_event(void **state) {
    (void)state;
    made m = make_example();
    for (size_t e = 0; e < N_EVENTS; e++) {
        for (size_t f = 5; f < N_FILES; f++)
            m.times[e][f] *= e == 2 ? 2 / 1.2 : 2;
    }
    comparison c = compare_made(&m, 5, NULL);
    for (size_t i = 0; i < N_EVENTS; i++)
        assert_true(c.diff.events.rows[i].verdict != ETI_VERDICT_SLOWER &&
                    c.diff.events.rows[i].verdict != ETI_VERDICT_FASTER);
    assert_int_equal(row_of(&c.diff.totals, "total")->verdict, ETI_VERDICT_SLOWER);
    assert_true(c.diff.pairs[0].has_level_test && c.diff.pairs[0].level.p < 0.01);
    assert_true(fabs(exp(c.diff.pairs[0].level.difference) - 2) < 0.1);
    end(&c);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.keep_pace = true;
    c = compare_made(&m, 5, &options);
    for (size_t i = 0; i < N_EVENTS; i++) {
        assert_int_equal(c.diff.events.rows[i].verdict, ETI_VERDICT_SLOWER);
        assert_false(c.diff.events.rows[i].is_relative);
    }
    end(&c);
}

static void fewer_files_have_ratios_without_verdict(void **state) {
    (void)state;
    const made m = make_example();
    for (size_t n = 1; n < 5; n++) {
        comparison c = compare_made(&m, n, NULL);
        assert_int_equal(c.diff.fewest, 5);
        assert_int_equal(c.diff.n_base, n);
        for (size_t i = 0; i < c.diff.events.n; i++) {
            const eti_diff_row *row = &c.diff.events.rows[i];
            assert_int_equal(row->verdict, eti__text_is(row->name, "small")
                                               ? ETI_VERDICT_UNTESTED
                                               : ETI_VERDICT_UNDECIDED);
            assert_true(row->ratio > 0.5 && row->ratio < 2);
        }
        assert_int_equal(row_of(&c.diff.totals, "total")->verdict, ETI_VERDICT_UNDECIDED);
        assert_int_equal(c.diff.coverage.n_few_files, N_EVENTS);
        end(&c);
    }
}

/* Four files per side are enough for 0.05, and three for 0.1. */
static void alpha_says_how_many_files_are_needed(void **state) {
    (void)state;
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.alpha = 0.05;
    comparison c = compare_made(&m, 4, &options);
    assert_int_equal(c.diff.fewest, 4);
    assert_int_equal(row_of(&c.diff.events, "e0")->verdict, ETI_VERDICT_NOISE);
    end(&c);
    options.alpha = 0.1;
    c = compare_made(&m, 3, &options);
    assert_int_equal(row_of(&c.diff.events, "e0")->verdict, ETI_VERDICT_NOISE);
    end(&c);
}

/* With four events there is no level and no prior. */
static void few_events_are_compared_as_measured(void **state) {
    (void)state;
    made m = make_example();
    for (size_t e = 4; e < N_EVENTS; e++) {
        for (size_t f = 0; f < N_FILES; f++)
            m.times[e][f] = 10;
    }
    comparison c = compare_made(&m, 5, NULL);
    assert_int_equal(c.diff.events.n_family, 4);
    assert_null(c.diff.pairs[0].levels);
    assert_false(row_of(&c.diff.events, "e1")->is_relative);
    assert_near(row_of(&c.diff.events, "e1")->change.dof, 8);
    end(&c);
}

/* Three events are too few for a level: if all are slower by 30 %, the total changed; if one is, that event changed. */
static void few_events_must_change_against_the_rest(void **state) {
    (void)state;
    made all = make_example(), one = make_example();
    for (size_t f = 0; f < N_FILES; f++) {
        for (size_t e = 0; e < N_EVENTS; e++) {
            double time =
                e < 3 ? 1000000.0 * (double)(e + 1) + (double)((f * 37 + e * 11) % 100) : 10;
            all.times[e][f] = f < 5 || e >= 3 ? time : 1.3 * time;
            one.times[e][f] = f < 5 || e != 1 ? time : 1.3 * time;
        }
    }
    comparison c = compare_made(&all, 5, NULL);
    assert_int_equal(c.diff.events.n_family, 3);
    for (size_t i = 0; i < c.diff.events.n; i++)
        assert_true(c.diff.events.rows[i].verdict == ETI_VERDICT_NOISE ||
                    c.diff.events.rows[i].verdict == ETI_VERDICT_UNTESTED);
    assert_near(row_of(&c.diff.events, "e1")->change.p, 1);
    assert_int_equal(row_of(&c.diff.totals, "total")->verdict, ETI_VERDICT_SLOWER);
    end(&c);
    c = compare_made(&one, 5, NULL);
    assert_int_equal(row_of(&c.diff.events, "e0")->verdict, ETI_VERDICT_NOISE);
    assert_int_equal(row_of(&c.diff.events, "e1")->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(row_of(&c.diff.events, "e2")->verdict, ETI_VERDICT_NOISE);
    end(&c);
}

static void an_event_without_time_is_not_judged(void **state) {
    (void)state;
    made m = make_example();
    m.times[4][7] = 0;
    comparison c = compare_made(&m, 5, NULL);
    const eti_diff_row *row = row_of(&c.diff.events, "e4");
    assert_int_equal(row->unjudged, ETI_UNJUDGED_NO_TIME);
    assert_int_equal(row->verdict, ETI_VERDICT_UNTESTED);
    assert_double(row->new_side.location, 0);
    assert_int_equal(c.diff.coverage.n_no_time, 1);
    end(&c);
}

/* ---- runs of one process --------------------------------------------------------------------- */

/* Gives the same numbers as runs of one file. */
static void one_process_compares_its_runs(void **state) {
    (void)state;
    const char *const text[] = {
        HEAD "block,E,,5,0\nexecute,t,,,,,,,,,1000;1001;1002;1003;1004\n"
             "kernel,a,,,,,,,,,500;501;500;502;501\nkernel,b,,,,,,,,,499;500;503;500;502\n",
        HEAD "block,E,,5,0\nexecute,t,,,,,,,,,1200;1201;1202;1203;1204\n"
             "kernel,a,,,,,,,,,700;701;700;702;701\nkernel,b,,,,,,,,,499;500;503;500;502\n"};
    comparison c = {read_profile(text[0]), read_profile(text[1]), {0}};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    assert_int_equal(row_of(&c.diff.events, "a")->verdict, ETI_VERDICT_UNDECIDED);
    eti__diff_free(&c.diff);
    options.one_process = true;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    assert_int_equal(c.diff.n_base, 5);
    assert_int_equal(row_of(&c.diff.events, "a")->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(row_of(&c.diff.events, "b")->verdict, ETI_VERDICT_NOISE);
    assert_int_equal(row_of(&c.diff.totals, "t")->verdict, ETI_VERDICT_SLOWER);
    end(&c);
    const char *summary = "etinspect-baseline,3\ntime_scale,ns\nfile,b,,\nblock,E,,5,0\n"
                          "kernel,a,,,,,,,,,,,,2,3,2,1,4\n";
    c = (comparison){read_profile(summary), read_profile(text[1]), {0}};
    assert_fails(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err), ETI_ERROR_USAGE,
                 "does not contain the times of runs");
    end(&c);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void rows_say_what_changed(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, NULL);
    assert_int_equal(c.diff.events.n, 4);
    assert_int_equal(c.diff.events.n_family, 0);
    const eti_diff_row *total = row_of(&c.diff.totals, "Method::execute");
    assert_double(total->base.p50, 204.5);
    assert_double(total->new_side.p50, 304.5);
    assert_double(total->base.location, 200.5); /* 200 and 201 */
    assert_double(total->impact, 100 / 200.5);
    const eti_diff_row *b = row_of(&c.diff.events, "b");
    assert_double(b->ratio, 200.5 / 100.5);
    assert_double(b->delta, 100);
    assert_double(b->impact, 100 / 200.5);
    assert_double(b->base.share, 100.5 / 200.5);
    assert_double(b->new_side.share, 200.5 / 300.5);
    assert_int_equal(b->verdict, ETI_VERDICT_UNDECIDED);
    end(&c);
}

static void rows_on_one_side_are_added_or_removed(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, NULL);
    const eti_diff_row *gone = row_of(&c.diff.events, "c"), *added = row_of(&c.diff.events, "d");
    assert_int_equal(gone->verdict, ETI_VERDICT_REMOVED);
    assert_int_equal(gone->match, ETI_MATCH_REMOVED);
    assert_null(gone->new_side.entry);
    assert_true(isnan(gone->new_side.p50) && isnan(gone->ratio));
    assert_double(gone->delta, -10);
    assert_int_equal(added->verdict, ETI_VERDICT_ADDED);
    assert_null(added->base.entry);
    assert_double(added->delta, 7);
    assert_int_equal(c.diff.coverage.n_added, 1);
    assert_int_equal(c.diff.coverage.n_removed, 1);
    end(&c);
}

/* ---- matching -------------------------------------------------------------------------------- */

static void assert_match(const char *base, const char *new_side, const char *name,
                         eti_match_kind kind) {
    char base_text[1024], new_text[1024];
    snprintf(base_text, sizeof base_text, HEAD "block,E,,1,0\n%s", base);
    snprintf(new_text, sizeof new_text, HEAD "block,E,,1,0\n%s", new_side);
    comparison c = compare(base_text, new_text, NULL);
    const eti_diff_row *row = row_of(&c.diff.events, name);
    if (row->match != kind)
        fail_msg("%s: expected %s, found %s", name, eti__match_kind_name(kind),
                 eti__match_kind_name((eti_match_kind)row->match));
    end(&c);
}

#define FIRST "kernel,first,o1,m,,,1,,,,1\n"
#define LAST "kernel,last,o2,m,,,2,,,,1\n"

static void events_are_matched_as_documented(void **state) {
    (void)state;
    assert_match(FIRST LAST, FIRST LAST, "first", ETI_MATCH_SAME);
    assert_match(FIRST LAST, LAST FIRST, "first", ETI_MATCH_MOVED);
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n" LAST,
                 FIRST "delegated,x_mul,o3,m,X,9,,,,,1\n" LAST, "x_mul", ETI_MATCH_DELEGATED);
    assert_match(FIRST "delegated,x_mul,o3,m,X,9,,,,,1\n" LAST,
                 FIRST "kernel,mul,o3,m,,,3,,,,1\n" LAST, "mul", ETI_MATCH_UNDELEGATED);
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n" LAST, FIRST "kernel,mul2,o3,m,,,3,,,,1\n" LAST,
                 "mul2", ETI_MATCH_RENAMED);
    /* The same operator in another module, in the same place, is still matched; as part of other operators it is not. */
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n" LAST, FIRST "kernel,mul,o3,n,,,4,,,,1\n" LAST,
                 "mul", ETI_MATCH_SAME);
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n", FIRST "kernel,mul,o4,m,,,3,,,,1\n", "mul",
                 ETI_MATCH_REMOVED);
    /* Counters in a delegate's names are ignored. */
    assert_match("delegated,Conv #1,,,X,,,,,,1\n", "delegated,Conv #2,,,X,,,,,,1\n", "Conv #2",
                 ETI_MATCH_SAME);
    /* Facts that only one side's record has are ignored. */
    assert_match(FIRST LAST, "kernel,first,,,,,,,,,1\nkernel,last,,,,,,,,,1\n", "first",
                 ETI_MATCH_SAME);
}

static void blocks_are_paired_by_name_and_input(void **state) {
    (void)state;
    const char *base = HEAD "block,E,0,1,0\nkernel,a,,,,,,,,,1\nblock,E,1,1,0\nkernel,a,,,,,,,,,2\n"
                            "block,F,,1,0\nkernel,a,,,,,,,,,3\n";
    const char *new_side =
        HEAD "block,E,1,1,0\nkernel,a,,,,,,,,,20\nblock,G,,1,0\nkernel,a,,,,,,,,,40\n";
    comparison c = compare(base, new_side, NULL);
    assert_int_equal(c.diff.events.n, 4);
    size_t n_both = 0;
    for (size_t i = 0; i < c.diff.events.n; i++) {
        const eti_diff_row *row = &c.diff.events.rows[i];
        if (row->base.entry && row->new_side.entry) {
            assert_double(row->ratio, 10);
            n_both++;
        }
    }
    assert_int_equal(n_both, 1);
    end(&c);
}

/* ---- incompatible sides ----------------------------------------------------------------------- */

#define BLOCK "block,E,,1,0\nkernel,a,,,,,,,,,1\n"

static eti_status check_labels(const char *key, eti_error *err) {
    char base[128], new_side[128];
    snprintf(base, sizeof base, HEAD "label,%s,1\n" BLOCK, key);
    snprintf(new_side, sizeof new_side, HEAD "label,%s,2\n" BLOCK, key);
    eti_profile *of_base = read_profile(base), *of_new = read_profile(new_side);
    eti_status status = eti__profiles_check_alike(of_base, of_new, err);
    eti_profile_free(of_base);
    eti_profile_free(of_new);
    return status;
}

static void only_labels_of_builds_may_differ(void **state) {
    (void)state;
    static const char *const of_builds[] = {"commit", "build", "date", "branch", "version"};
    static const char *const others[] = {"device", "versions", "vers", "Version", "board"};
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(of_builds); i++)
        assert_ok(check_labels(of_builds[i], &err));
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "differ: %s 1 and 2;", others[i]);
        assert_fails(check_labels(others[i], &err), ETI_ERROR_USAGE, expected);
    }
}

static void sides_in_other_scales_are_unlike(void **state) {
    (void)state;
    eti_text whole = baseline_text(HEAD BLOCK, "b.csv");
    const eti_source source = {"b.csv", whole.data, whole.size};
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_US;
    eti_profile *base = read_profile(HEAD BLOCK), *new_side;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_read(&new_side, &source, &options, &err));
    assert_fails(eti__profiles_check_alike(base, new_side, &err), ETI_ERROR_USAGE,
                 "their target time scales are ns and us;");
    eti_profile_free(base);
    eti_profile_free(new_side);
}

/* Appends n blocks, each with an event of its own; with `name`, all of them have this name. */
static void add_blocks(eti_buffer *out, int n, const char *name) {
    eti__buffer_add_string(out, HEAD);
    for (int i = 0; i < n; i++)
        eti__buffer_printf(out, "block,%s%d,%d,1,0\nexecute,t,,,,,,,,,100\nkernel,k%d,,,,,,,,,%d\n",
                           name ? name : "E", name ? 0 : i, name ? 1 : i, i, 50 + i % 7);
    eti__buffer_add_char(out, '\0');
}

/* Time is linear in the number of blocks, whether their names are equal or not. */
static void many_blocks_take_little_time(void **state) {
    (void)state;
    enum { N = 40000 };
    static const char *const names[] = {NULL, "E"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti_buffer text = {0};
        add_blocks(&text, N, names[i]);
        clock_t begin = clock();
        comparison c = compare(text.data, text.data, "op");
        assert_int_equal(c.diff.n_pairs, N);
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
        end(&c);
        eti__buffer_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_judged_as_by_the_oracle),
        cmocka_unit_test(exchanged_sides_exchange_the_verdicts),
        cmocka_unit_test(the_order_of_files_changes_nothing),
        cmocka_unit_test(a_slow_machine_is_not_a_slow_event),
        cmocka_unit_test(fewer_files_have_ratios_without_verdict),
        cmocka_unit_test(alpha_says_how_many_files_are_needed),
        cmocka_unit_test(few_events_are_compared_as_measured),
        cmocka_unit_test(few_events_must_change_against_the_rest),
        cmocka_unit_test(an_event_without_time_is_not_judged),
        cmocka_unit_test(one_process_compares_its_runs),
        cmocka_unit_test(rows_say_what_changed),
        cmocka_unit_test(rows_on_one_side_are_added_or_removed),
        cmocka_unit_test(events_are_matched_as_documented),
        cmocka_unit_test(blocks_are_paired_by_name_and_input),
        cmocka_unit_test(only_labels_of_builds_may_differ),
        cmocka_unit_test(sides_in_other_scales_are_unlike),
        cmocka_unit_test(many_blocks_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
