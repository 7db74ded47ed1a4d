#include "comparison_fixture.h"

#include "support.h"

#include "compare/parts.h"

#include <math.h>
#include <time.h>

/* ==== diff ==================================================================================== */
/* Compares baselines that are written here, so that results can be computed by hand. */

/* ---- verdicts -------------------------------------------------------------------------------- */

static void the_example_is_judged_as_by_the_oracle(void **state) {
    (void)state;
    const made m = make_example();
    comparison c = compare_made(&m, 5, NULL);
    const eti_diff_row *slow = row_of(&c.diff.events, "e2"),
                       *total = row_of(&c.diff.totals, "total");
    assert_near(slow->shift.estimate, 0.15488265);
    assert_near(slow->judged.estimate, 0.14250567);
    assert_near(slow->change.error, 0.02450357);
    assert_near(slow->change.dof, 8);
    assert_true(fabs(slow->adjusted_p - 0.00159191) < 5e-9);
    assert_false(slow->is_measured);
    assert_near(slow->ratio, exp(0.15488265));
    assert_near(slow->new_side.location, slow->base.location * exp(0.15488265));
    /* the interval that is shown is that of the relative change, moved: t(0.95, 8) is 1.85954804 */
    assert_near(slow->shift.high - slow->shift.low, 2 * 1.8595480375 * 0.02450357);
    assert_near(total->shift.estimate, 0.01609582);
    assert_near(total->shift.low, -0.00525991);
    assert_near(total->shift.high, 0.03313831);
    assert_true(total->is_measured);
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
        assert_memory_equal(&row->shift, &same->shift, sizeof row->shift);
        assert_memory_equal(&row->judged, &same->judged, sizeof row->judged);
        assert_true(row->adjusted_p == same->adjusted_p);
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
    const eti_diff_row *level = row_of(&c.diff.totals, "all events alike");
    assert_true(fabs(level->ratio - 2) < 0.1);
    assert_int_equal(level->verdict, ETI_VERDICT_UNTESTED); /* the machine may be slower */
    assert_near(level->judged.p_slower, 1.0 / 252);
    end(&c);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.in_turns = true;
    c = compare_made(&m, 5, &options); /* 1 / 252 is more than a half of its share */
    assert_int_equal(row_of(&c.diff.totals, "all events alike")->verdict, ETI_VERDICT_UNTESTED);
    end(&c);
    options.alpha = 0.02;
    c = compare_made(&m, 5, &options);
    assert_int_equal(row_of(&c.diff.totals, "all events alike")->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(c.diff.events.judgement.outcome, ETI_OUTCOME_SLOWER);
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

/* Four files per side are enough for 0.05: C(8, 4) is 70, more than 2 / 0.05; and three for 0.1. */
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
static void few_events_have_no_level(void **state) {
    (void)state;
    made m = make_example();
    for (size_t e = 4; e < N_EVENTS; e++) {
        for (size_t f = 0; f < N_FILES; f++)
            m.times[e][f] = 10;
    }
    comparison c = compare_made(&m, 5, NULL);
    assert_int_equal(c.diff.pairs[0].events.n, 4);
    assert_null(c.diff.pairs[0].events.levels);
    const eti_diff_row *row = row_of(&c.diff.events, "e1");
    assert_near(row->change.difference, row->shift.estimate);
    assert_near(row->change.dof, 8);
    end(&c);
}

/* Three events are too few for a level, so each is judged as measured. */
static void few_events_change_by_themselves(void **state) {
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
    assert_int_equal(c.diff.pairs[0].events.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(c.diff.events.rows[i].verdict, ETI_VERDICT_SLOWER);
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
    assert_double(row->new_side.location, 126250);
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
    const char *summary = "etinspect-baseline,4\ntime_scale,ns\nfile,b,,\nblock,E,,5,0\n"
                          "kernel,a,,,,,,,,,,,2,2,3,3,3,2,1,4\n";
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
    const eti_diff_row *total = row_of(&c.diff.totals, "Method::execute");
    assert_double(total->base.p50, 204.5);
    assert_double(total->new_side.p50, 304.5);
    assert_near(total->base.location, 204.5);
    assert_near(total->impact, 100 / 204.5);
    const eti_diff_row *b = row_of(&c.diff.events, "b");
    assert_near(b->ratio, 204.5 / 104.5);
    assert_near(b->delta, 100);
    assert_near(b->impact, 100 / 204.5);
    assert_double(b->base.share, 104.5 / 204.5);
    assert_double(b->new_side.share, 204.5 / 304.5);
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
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 60);
        end(&c);
        eti__buffer_free(&text);
    }
}

/* ==== diff units ============================================================================== */
/* The units of a comparison: how many files or runs there are, the metric, the steps of clocks, and the sizes of rows. */

/* ---- numbers of units ------------------------------------------------------------------------ */

/* E has three files on the base and two on the new side, of five and four runs. */
#define E_BASE                                                                                     \
    HEAD "block,E,,5,0,2;4\nexecute,t,,,,,,,,,100;101;102;103;104\n"                               \
         "kernel,a,,,,,,,,,50;51;52;53;54\n"
#define E_NEW                                                                                      \
    HEAD "block,E,,4,0,1\nexecute,t,,,,,,,,,100;101;102;103\nkernel,a,,,,,,,,,50;51;52;53\n"

static void units_are_files_or_runs(void **state) {
    (void)state;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    comparison c = compare_with(E_BASE, E_NEW, &options);
    assert_int_equal(c.diff.pairs[0].n_base, 3);
    assert_int_equal(c.diff.pairs[0].n_new, 2);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 2);
    end(&c);
    options.one_process = true;
    c = compare_with(E_BASE, E_NEW, &options);
    assert_int_equal(c.diff.pairs[0].n_base, 5);
    assert_int_equal(c.diff.pairs[0].n_new, 4);
    assert_int_equal(c.diff.n_base, 5);
    assert_int_equal(c.diff.n_new, 4);
    end(&c);
}

/* Runs of E in three files of each side, and of other blocks in fewer. */
#define THREE "block,E,,3,0,1;2\nexecute,t,,,,,,,,,100;101;102\nkernel,a,,,,,,,,,50;51;52\n"
#define TWO "block,F,,2,0,1\nexecute,t,,,,,,,,,100;101\nkernel,a,,,,,,,,,50;51\n"
#define NO_TOTAL "block,Load,,1,0\nloading,Program::load,,,,,,,,,900\nkernel,x,,,,,,,,,7\n"

/* The model is loaded once a process: that says nothing about the number of its runs. A pair counts as loading if one side
 * of it has no total. */
static void blocks_without_a_total_are_not_counted(void **state) {
    (void)state;
    comparison c = compare(HEAD NO_TOTAL THREE, HEAD NO_TOTAL THREE, NULL);
    assert_int_equal(c.diff.n_pairs, 2);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 3);
    end(&c);
    /* without any total, all blocks count */
    c = compare(HEAD NO_TOTAL "block,E,,3,0,1;2\nkernel,a,,,,,,,,,50;51;52\n",
                HEAD NO_TOTAL "block,E,,3,0,1;2\nkernel,a,,,,,,,,,50;51;52\n", NULL);
    assert_int_equal(c.diff.n_base, 1);
    assert_int_equal(c.diff.n_new, 1);
    end(&c);
    /* nor does one side's total make it different */
    c = compare(HEAD NO_TOTAL "block,E,,3,0,1;2\nkernel,a,,,,,,,,,50;51;52\n", HEAD NO_TOTAL THREE,
                NULL);
    assert_int_equal(c.diff.n_base, 1);
    assert_int_equal(c.diff.n_new, 1);
    end(&c);
    /* one side of F has a total */
    c = compare(HEAD THREE "block,F,,1,0\nkernel,a,,,,,,,,,50\n", HEAD THREE TWO, NULL);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 3);
    end(&c);
}

/* The block with the fewest files counts, on each side alone; one that a side lacks does not. */
static void the_fewest_units_of_any_pair_count(void **state) {
    (void)state;
    comparison c = compare(HEAD THREE TWO, HEAD THREE TWO, NULL);
    assert_int_equal(c.diff.n_base, 2);
    assert_int_equal(c.diff.n_new, 2);
    end(&c);
    c = compare(HEAD TWO THREE, HEAD THREE TWO, NULL);
    assert_int_equal(c.diff.n_base, 2);
    assert_int_equal(c.diff.n_new, 2);
    end(&c);
    c = compare(HEAD THREE TWO, HEAD THREE, NULL);
    assert_int_equal(c.diff.n_pairs, 2);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 3);
    assert_int_equal(c.diff.pairs[1].n_base, 2);
    assert_int_equal(c.diff.pairs[1].n_new, 0);
    end(&c);
    c = compare(HEAD THREE, HEAD THREE TWO, NULL);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 3);
    assert_int_equal(c.diff.pairs[1].n_base, 0);
    assert_int_equal(c.diff.pairs[1].n_new, 2);
    end(&c);
    /* neither does it where no block has a total */
    c = compare(HEAD "block,E,,3,0,1;2\nkernel,a,,,,,,,,,50;51;52\n",
                HEAD NO_TOTAL "block,E,,3,0,1;2\nkernel,a,,,,,,,,,50;51;52\n", NULL);
    assert_int_equal(c.diff.n_base, 3);
    assert_int_equal(c.diff.n_new, 3);
    end(&c);
}

/* ---- blocks that some files lack ------------------------------------------------------------- */

static const eti_diff_pair *pair_of(const eti_diff *diff, size_t n_base) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        if (pair->base && pair->new_side && pair->base->n_files == n_base)
            return pair;
    }
    fail_msg("there is no pair of blocks in %zu files", n_base);
    return NULL;
}

/* Both files have a block E; the first one has another of that name. */
#define IN_BOTH "block,E,,2,0,1\nkernel,a,,,,,,,,,50;51\nkernel,b,,,,,,,,,50;51\n"
#define IN_ONE "block,E,,1,0\nkernel,x,,,,,,,,,60\nkernel,y,,,,,,,,,60\n"

static void a_block_that_files_lack_is_not_whole(void **state) {
    (void)state;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.allow_unlike = true;
    comparison c = compare_with(HEAD IN_BOTH IN_ONE, HEAD IN_BOTH IN_ONE, &options);
    assert_true(pair_of(&c.diff, 2)->is_whole);
    assert_false(pair_of(&c.diff, 1)->is_whole);
    assert_int_equal(row_of(&c.diff.events, "x")->unjudged, ETI_UNJUDGED_MISSING);
    end(&c);
    /* files that lack it on one side are enough */
    c = compare_with(HEAD IN_BOTH IN_ONE, HEAD IN_ONE, &options);
    for (size_t i = 0; i < c.diff.n_pairs; i++) {
        const eti_diff_pair *pair = &c.diff.pairs[i];
        if (pair->base && pair->new_side)
            assert_int_equal(pair->is_whole, pair->base->n_files == 2);
    }
    end(&c);
    c = compare_with(HEAD IN_ONE, HEAD IN_BOTH IN_ONE, &options);
    for (size_t i = 0; i < c.diff.n_pairs; i++) {
        const eti_diff_pair *pair = &c.diff.pairs[i];
        if (pair->base && pair->new_side)
            assert_int_equal(pair->is_whole, pair->new_side->n_files == 2);
    }
    end(&c);
    /* blocks of other names do not count */
    c = compare(HEAD NO_TOTAL THREE, HEAD NO_TOTAL THREE, NULL);
    assert_true(pair_of(&c.diff, 1)->is_whole);
    assert_true(pair_of(&c.diff, 3)->is_whole);
    end(&c);
}

/* ---- metric ---------------------------------------------------------------------------------- */

#define WITH_RUNS HEAD "block,E,,2,0\nkernel,a,,,,,,,,,10;30\n"
/* step, fast, p50, p90, p95, p99, avg, min, max */
#define SUMMARY                                                                                    \
    "etinspect-baseline,4\ntime_scale,ns\nfile,b,,\nblock,E,,2,0\n"                                \
    "kernel,a,,,,,,,,,,,15,40,50,51,52,45,10,60\n"

static void expect_metric(const char *base, const char *new_side, eti_metric metric, double ratio) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.metric = metric;
    comparison c = compare_with(base, new_side, &options);
    assert_int_equal(c.diff.metric, metric);
    assert_near(row_of(&c.diff.events, "a")->ratio, ratio);
    end(&c);
}

/* The fast mean of 10 and 30 is 10, their p50, p90, p95, p99 and mean are 20, 28, 29, 29.8 and 20. Half a step of the clock,
 * 5, is added to all. */
static void sides_are_compared_by_any_metric(void **state) {
    (void)state;
    static const double ratios[ETI_N_METRICS] = {
        [ETI_METRIC_P50] = 45.0 / 25, [ETI_METRIC_AVG] = 50.0 / 25, [ETI_METRIC_P90] = 55.0 / 33,
        [ETI_METRIC_P95] = 56.0 / 34, [ETI_METRIC_P99] = 57 / 34.8, [ETI_METRIC_MIN] = 1,
        [ETI_METRIC_MAX] = 65.0 / 35, [ETI_METRIC_FAST] = 20.0 / 15};
    for (int metric = 0; metric < ETI_N_METRICS; metric++)
        expect_metric(WITH_RUNS, SUMMARY, (eti_metric)metric, ratios[metric]);
}

/* The message names the side that lacks the times of runs. */
static void runs_of_both_sides_must_be_kept(void **state) {
    (void)state;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    options.one_process = true;
    comparison c = {read_profile(WITH_RUNS), read_profile(SUMMARY), {0}};
    c.new_side->name = eti__text_of("new.csv");
    assert_fails(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err), ETI_ERROR_USAGE,
                 "new.csv does not contain the times of runs");
    eti__diff_free(&c.diff);
    assert_fails(eti__diff_make(&c.diff, c.new_side, c.base, &options, &err), ETI_ERROR_USAGE,
                 "new.csv does not contain the times of runs");
    eti__diff_free(&c.diff);
    assert_ok(eti__diff_make(&c.diff, c.base, c.base, &options, &err));
    end(&c);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* The clock of kernels counts 6 at a time: 12 and 18 of the base, 30 of the new side. That of delegate X counts 100, and the
 * clock of Y has no step. */
static void each_event_has_the_step_of_its_clock(void **state) {
    (void)state;
    comparison c =
        compare(HEAD "block,E,,2,0\nkernel,a,,,,,,,,,12;18\nkernel,gone,,,,,,,,,12;12\n"
                     "delegated,x,,,X,1,,,,,300;200\n",
                HEAD "block,E,,2,0\nkernel,a,,,,,,,,,30;30\ndelegated,x,,,X,1,,,,,200;300\n"
                     "delegated,y,,,Y,1,,,,,3;4\n",
                NULL);
    assert_double(row_of(&c.diff.events, "a")->step, 6);
    assert_double(row_of(&c.diff.events, "gone")->step, 6);
    assert_double(row_of(&c.diff.events, "x")->step, 100);
    assert_double(row_of(&c.diff.events, "y")->step, 0);
    end(&c);
}

static bool have_equal_ticks(const char *base, const char *new_side) {
    comparison c = compare(base, new_side, NULL);
    bool has = c.diff.has_equal_ticks;
    end(&c);
    return has;
}

#define RUNS_OF(a, b)                                                                              \
    HEAD "block,E,,4,0,2\nkernel,a,,,,,,,,,5;5;6;6\nkernel,b,,,,,,,,," a ";" b "\n"

/* A simulator counts instructions: runs of one process never differ. Two files may. */
static void clocks_that_never_differ_are_known(void **state) {
    (void)state;
    const char *const equal = RUNS_OF("7;7", "9;9"), *const first = RUNS_OF("7;8", "9;9"),
                      *const second = RUNS_OF("7;7", "9;8");
    assert_true(have_equal_ticks(equal, equal));
    assert_false(have_equal_ticks(first, equal));
    assert_false(have_equal_ticks(equal, first));
    assert_false(have_equal_ticks(second, equal));
    assert_false(have_equal_ticks(equal, second));
    /* a file with one run has nothing to be equal to */
    const char *const single = HEAD "block,E,,2,0,1\nkernel,a,,,,,,,,,5;5\nkernel,b,,,,,,,,,7;7\n";
    assert_false(have_equal_ticks(single, single));
    assert_false(have_equal_ticks(equal, single));
    assert_false(have_equal_ticks(single, equal));
    /* loading runs once, and does not hide that the runs of E are equal */
    const char *const loading = HEAD "block,Load,,1,0\nkernel,l,,,,,,,,,5\n"
                                     "block,E,,2,0\nkernel,a,,,,,,,,,5;5\n"
                                     "block,Unload,,1,0\nkernel,u,,,,,,,,,5\n";
    assert_true(have_equal_ticks(loading, loading));
    /* in any block */
    const char *const other = HEAD "block,E,,2,0\nkernel,a,,,,,,,,,5;5\n"
                                   "block,F,,2,0\nkernel,a,,,,,,,,,5;6\n";
    assert_false(have_equal_ticks(other, other));
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Shares are those of the total of the same pair: of E, and of the second block of each side, F. */
static void shares_are_of_the_total_of_the_pair(void **state) {
    (void)state;
    comparison c = compare(HEAD "block,E,,1,0\nexecute,te,,,,,,,,,100\nkernel,e1,,,,,,,,,20\n"
                                "kernel,e2,,,,,,,,,30\nblock,F,,1,0\nexecute,tf,,,,,,,,,1000\n"
                                "kernel,f1,,,,,,,,,400\nkernel,f2,,,,,,,,,100\n",
                           HEAD "block,E,,1,0\nexecute,te,,,,,,,,,200\nkernel,e1,,,,,,,,,20\n"
                                "kernel,e2,,,,,,,,,50\nblock,F,,1,0\nexecute,tf,,,,,,,,,500\n"
                                "kernel,f1,,,,,,,,,400\nkernel,f2,,,,,,,,,300\n",
                           NULL);
    const eti_diff_row *e1 = row_of(&c.diff.events, "e1"), *e2 = row_of(&c.diff.events, "e2"),
                       *f1 = row_of(&c.diff.events, "f1"), *f2 = row_of(&c.diff.events, "f2");
    assert_double(e1->base.share, 0.2);
    assert_double(e1->new_side.share, 0.1);
    assert_double(e2->impact, 0.2);
    assert_double(f1->base.share, 0.4);
    assert_double(f1->new_side.share, 400.0 / 700); /* the events take longer */
    assert_double(f2->impact, 0.2);
    assert_double(row_of(&c.diff.totals, "te")->new_side.share, 1);
    assert_double(row_of(&c.diff.totals, "tf")->impact, -0.5);
    end(&c);
}

/* A side with a run, against one with many: sizes of both are found. */
static void sides_may_differ_in_their_number_of_runs(void **state) {
    (void)state;
    enum { N = 20000 };
    eti_buffer many = {0};
    eti__buffer_printf(&many, HEAD "block,E,,%d,0\nkernel,a,,,,,,,,,", N);
    for (int i = 0; i < N; i++)
        eti__buffer_add_string(&many, i > 0 ? ";20" : "20");
    eti__buffer_add(&many, "\n", 2);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.one_process = true;
    const char *const one = HEAD "block,E,,1,0\nkernel,a,,,,,,,,,10\n";
    comparison c = compare_with(many.data, one, &options);
    assert_int_equal(c.diff.n_base, N);
    assert_near(row_of(&c.diff.events, "a")->ratio, 15.0 / 25); /* with half a step of 10 */
    end(&c);
    c = compare_with(one, many.data, &options);
    assert_int_equal(c.diff.n_new, N);
    assert_near(row_of(&c.diff.events, "a")->ratio, 25.0 / 15);
    end(&c);
    eti__buffer_free(&many);
}

/* ==== diff order ============================================================================== */
/* Tests the order of rows, and the number of rows that people see. */

static eti_diff_row make_row(const char *name, eti_verdict verdict, double base, double ratio) {
    return (eti_diff_row){.name = eti__text_of(name),
                          .verdict = (uint8_t)verdict,
                          .base.location = base,
                          .new_side.location = base * ratio,
                          .delta = base * (ratio - 1),
                          .ratio = ratio};
}

static void assert_order(eti_diff_row *rows, size_t n, const char *expected, size_t n_changed) {
    eti_diff_rows all = {.rows = rows, .n = n};
    eti_buffer found = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_sort_rows(&all, &err));
    for (size_t i = 0; i < n; i++)
        eti__buffer_printf(&found, "%s%.*s", i > 0 ? " " : "", ETI_TEXT_ARGS(rows[i].name));
    assert_text(eti__buffer_text(&found), expected);
    assert_int_equal(all.n_changed, n_changed);
    eti__buffer_free(&found);
}

static void changed_rows_come_first(void **state) {
    (void)state;
    eti_diff_row rows[] = {
        make_row("noise", ETI_VERDICT_NOISE, 1000, 1.04),
        make_row("untested", ETI_VERDICT_UNTESTED, 1000, 9),
        make_row("removed", ETI_VERDICT_REMOVED, 500, 0),
        make_row("undecided", ETI_VERDICT_UNDECIDED, 1, 1.001),
        make_row("slower", ETI_VERDICT_SLOWER, 100, 1.2),
        make_row("faster", ETI_VERDICT_FASTER, 100, 0.7),
        make_row("renamed", ETI_VERDICT_NOISE, 10, 1),
        make_row("moved", ETI_VERDICT_NOISE, 10, 1),
    };
    rows[2].ratio = NAN;
    rows[2].match = ETI_MATCH_REMOVED;
    rows[6].match = ETI_MATCH_RENAMED;
    rows[7].match = ETI_MATCH_MOVED;
    assert_order(rows, COUNT_OF(rows),
                 "faster slower undecided removed renamed untested noise moved", 5);
}

static void undecided_rows_are_in_the_order_of_their_ratios(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_row("a", ETI_VERDICT_UNDECIDED, 1000, 1.1),
                           make_row("b", ETI_VERDICT_UNDECIDED, 1, 3),
                           make_row("c", ETI_VERDICT_UNDECIDED, 10, 0.25),
                           make_row("d", ETI_VERDICT_UNDECIDED, 10, NAN)};
    assert_order(rows, 4, "c b a d", 4);
}

static void equal_changes_stay_in_their_order(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_row("a", ETI_VERDICT_NOISE, 1, 1),
                           make_row("b", ETI_VERDICT_NOISE, 1, 1),
                           make_row("c", ETI_VERDICT_NOISE, 1, 1)};
    assert_order(rows, 3, "a b c", 0);
    assert_order(rows, 0, "", 0);
}

/* All slower rows are shown, and twenty of the others. */
static void of_many_rows_the_first_are_seen(void **state) {
    (void)state;
    enum { N = 60 };
    static eti_diff_row storage[N];
    for (size_t i = 0; i < N; i++)
        storage[i] = make_row("", i < 25 ? ETI_VERDICT_SLOWER : ETI_VERDICT_ADDED, 1, 2);
    eti_diff_rows rows = {.rows = storage, .n = N};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_sort_rows(&rows, &err));
    assert_int_equal(rows.n_changed, 45);
    rows.n = 40;
    assert_ok(eti__diff_sort_rows(&rows, &err));
    assert_int_equal(rows.n_changed, 40);
}

/* ==== diff gaps =============================================================================== */
/* Gaps of the rows of a comparison: of the same two events, or of all results of a group. */

/* Profiles of baselines have no events; those of inspectors are known by their addresses alone. */
static const char places[2][8];

static const eti_event *event_at(size_t side, size_t number) {
    return (const eti_event *)(const void *)&places[side][number];
}

static void set_events(eti_profile *profile, size_t side) {
    eti_profile_block *block = &profile->blocks[0];
    for (size_t i = block->n_totals; i < block->n_entries; i++)
        block->entries[i].event = event_at(side, i - block->n_totals);
}

/* Both sides have a, b and c; the first has `gone`, the second `added`. */
#define TEXT(last)                                                                                 \
    HEAD "block,E,,1,0\nexecute,t,,,,,,,,,100\nkernel,a,oa,m.x,,,,f.py,1,,10\n"                    \
         "kernel,b,ob,m.x,,,,f.py,2,,20\nkernel,c,oc,y,,,,g.py,2,,30\n" last

#define KNOWN(drop, most, n)                                                                       \
    { true, 100 - (drop), (drop), (most), (n) }

static comparison compare_gaps(const eti_gap_of *gaps, size_t n, const char *group) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.has_gaps = true;
    options.gaps = gaps;
    options.n_gaps = n;
    options.group = group;
    comparison c = {.base = read_profile(TEXT("kernel,gone,og,m.z,,,,h.py,3,,5\n")),
                    .new_side = read_profile(TEXT("kernel,added,od,m.w,,,,i.py,4,,5\n"))};
    set_events(c.base, 0);
    set_events(c.new_side, 1);
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    return c;
}

static void expect_gap(const eti_diff_rows *rows, const char *name, double drop, double max_abs,
                       uint64_t n_nan) {
    const eti_gap *gap = &row_of(rows, name)->gap;
    if (!gap->is_known)
        fail_msg("%s has no gap", name);
    assert_double(gap->snr, 100 - drop);
    assert_double(gap->snr_drop, drop);
    assert_double(gap->max_abs, max_abs);
    assert_int_equal(gap->nan_new, n_nan);
}

static void expect_none(const eti_diff_rows *rows, const char *name) {
    if (row_of(rows, name)->gap.is_known)
        fail_msg("%s has a gap", name);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The worst of the results of an event counts, each number by itself. */
static void an_event_has_the_worst_of_its_results(void **state) {
    (void)state;
    const eti_gap_of gaps[] = {
        {.gap = KNOWN(3, 0.5, 0), .base_event = event_at(0, 0), .event = event_at(1, 0)},
        {.gap = KNOWN(20, 0.25, 2), .base_event = event_at(0, 1), .event = event_at(1, 1)},
        {.gap = KNOWN(9, 0.125, 7), .base_event = event_at(0, 0), .event = event_at(1, 0)},
    };
    comparison c = compare_gaps(gaps, COUNT_OF(gaps), NULL);
    expect_gap(&c.diff.events, "a", 9, 0.5, 7);
    expect_gap(&c.diff.events, "b", 20, 0.25, 2);
    expect_none(&c.diff.events, "c");
    expect_none(&c.diff.events, "gone");
    expect_none(&c.diff.events, "added");
    end(&c);
}

/* Results of two events that are not a row, and of which one is unknown, belong to no row. */
static void results_of_other_pairs_have_no_row(void **state) {
    (void)state;
    const eti_gap_of gaps[] = {
        {.gap = KNOWN(3, 0.5, 1), .base_event = event_at(0, 0), .event = event_at(1, 1)},
        {.gap = KNOWN(4, 0.5, 1), .base_event = event_at(0, 1), .event = NULL},
        {.gap = KNOWN(5, 0.5, 1), .base_event = NULL, .event = event_at(1, 2)},
        {.gap = KNOWN(6, 0.5, 1), .base_event = event_at(0, 3), .event = NULL},
        {.gap = KNOWN(7, 0.5, 1), .base_event = NULL, .event = event_at(1, 3)},
        {.gap = KNOWN(8, 0.5, 1), .base_event = NULL, .event = NULL},
        {.gap = KNOWN(2, 0.5, 1), .base_event = event_at(0, 2), .event = event_at(1, 2)},
    };
    comparison c = compare_gaps(gaps, COUNT_OF(gaps), NULL);
    expect_none(&c.diff.events, "a");
    expect_none(&c.diff.events, "b");
    expect_none(&c.diff.events, "gone");
    expect_none(&c.diff.events, "added");
    expect_gap(&c.diff.events, "c", 2, 0.5, 1); /* those before it are passed over */
    end(&c);
}

/* ---- groups ---------------------------------------------------------------------------------- */

#define LITERAL(text)                                                                              \
    { (text), sizeof(text) - 1 }
#define NODE(name) .source_node = LITERAL(name)
#define PLACE(of_module, of_file, of_line)                                                         \
    .module = LITERAL(of_module), .file = LITERAL(of_file), .line = (of_line)

static const eti_gap_of placed[] = {
    {.gap = KNOWN(3, 0.5, 0), NODE("na"), PLACE("m.x", "f.py", 1)},
    {.gap = KNOWN(1, 0.25, 9)}, /* nothing is known about it */
    {.gap = KNOWN(9, 0.125, 2), NODE("nb"), PLACE("m.x", "f.py", 2)},
    {.gap = KNOWN(4, 0.75, 1), NODE("nc"), PLACE("y", "g.py", 2)},
    {.gap = KNOWN(6, 2, 3), NODE("nd"), PLACE("m.z", "h.py", 3)},
    {.gap = KNOWN(5, 1, 4), NODE("na"), PLACE("m.w", "f.py", 1)},
};

static void a_module_has_the_worst_of_its_results(void **state) {
    (void)state;
    comparison c = compare_gaps(placed, COUNT_OF(placed), "module");
    expect_gap(&c.diff.groups, "m.x", 9, 0.5, 2);
    expect_gap(&c.diff.groups, "y", 4, 0.75, 1);
    /* only one side has them */
    expect_none(&c.diff.groups, "m.z");
    expect_none(&c.diff.groups, "m.w");
    end(&c);
}

static void a_line_has_the_worst_of_its_results(void **state) {
    (void)state;
    comparison c = compare_gaps(placed, COUNT_OF(placed), "source");
    expect_gap(&c.diff.groups, "f.py:1", 5, 1, 4);
    expect_gap(&c.diff.groups, "f.py:2", 9, 0.125, 2);
    expect_gap(&c.diff.groups, "g.py:2", 4, 0.75, 1);
    expect_none(&c.diff.groups, "h.py:3");
    end(&c);
}

/* The nodes of entries are those of their origins. */
static void a_node_has_the_worst_of_its_results(void **state) {
    (void)state;
    static const char *const origins[] = {"na", "nb", "nc"};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.has_gaps = true;
    options.gaps = placed;
    options.n_gaps = COUNT_OF(placed);
    options.group = "node";
    comparison c = {.base = read_profile(TEXT("")), .new_side = read_profile(TEXT(""))};
    for (size_t i = 0; i < COUNT_OF(origins); i++)
        c.base->blocks[0].entries[1 + i].origin = c.new_side->blocks[0].entries[1 + i].origin =
            eti__text_of(origins[i]);
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    expect_gap(&c.diff.groups, "na", 5, 1, 4);
    expect_gap(&c.diff.groups, "nb", 9, 0.125, 2);
    expect_gap(&c.diff.groups, "nc", 4, 0.75, 1);
    end(&c);
}

/* No result is known by its operator or backend; that of a module with the name of an operator is not taken for it. */
static void other_groups_have_no_gaps(void **state) {
    (void)state;
    static const eti_gap_of named[] = {
        {.gap = KNOWN(3, 0.5, 1), NODE("oa"), PLACE("oa", "oa", 1)},
    };
    comparison c = compare_gaps(named, 1, "op");
    for (size_t i = 0; i < c.diff.groups.n; i++)
        assert_false(c.diff.groups.rows[i].gap.is_known);
    end(&c);
    assert_true(eti__has_gaps(eti__find_diff_grouping("node")));
    assert_true(eti__has_gaps(eti__find_diff_grouping("module")));
    assert_true(eti__has_gaps(eti__find_diff_grouping("source")));
    assert_false(eti__has_gaps(eti__find_diff_grouping("op")));
    assert_false(eti__has_gaps(eti__find_diff_grouping("backend")));
    assert_false(eti__has_gaps(eti__find_diff_grouping(NULL)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_judged_as_by_the_oracle),
        cmocka_unit_test(exchanged_sides_exchange_the_verdicts),
        cmocka_unit_test(the_order_of_files_changes_nothing),
        cmocka_unit_test(a_slow_machine_is_not_a_slow_event),
        cmocka_unit_test(fewer_files_have_ratios_without_verdict),
        cmocka_unit_test(alpha_says_how_many_files_are_needed),
        cmocka_unit_test(few_events_have_no_level),
        cmocka_unit_test(few_events_change_by_themselves),
        cmocka_unit_test(an_event_without_time_is_not_judged),
        cmocka_unit_test(one_process_compares_its_runs),
        cmocka_unit_test(rows_say_what_changed),
        cmocka_unit_test(rows_on_one_side_are_added_or_removed),
        cmocka_unit_test(events_are_matched_as_documented),
        cmocka_unit_test(blocks_are_paired_by_name_and_input),
        cmocka_unit_test(only_labels_of_builds_may_differ),
        cmocka_unit_test(sides_in_other_scales_are_unlike),
        cmocka_unit_test(many_blocks_take_little_time),
        cmocka_unit_test(units_are_files_or_runs),
        cmocka_unit_test(blocks_without_a_total_are_not_counted),
        cmocka_unit_test(the_fewest_units_of_any_pair_count),
        cmocka_unit_test(a_block_that_files_lack_is_not_whole),
        cmocka_unit_test(sides_are_compared_by_any_metric),
        cmocka_unit_test(runs_of_both_sides_must_be_kept),
        cmocka_unit_test(each_event_has_the_step_of_its_clock),
        cmocka_unit_test(clocks_that_never_differ_are_known),
        cmocka_unit_test(shares_are_of_the_total_of_the_pair),
        cmocka_unit_test(sides_may_differ_in_their_number_of_runs),
        cmocka_unit_test(changed_rows_come_first),
        cmocka_unit_test(undecided_rows_are_in_the_order_of_their_ratios),
        cmocka_unit_test(equal_changes_stay_in_their_order),
        cmocka_unit_test(of_many_rows_the_first_are_seen),
        cmocka_unit_test(an_event_has_the_worst_of_its_results),
        cmocka_unit_test(results_of_other_pairs_have_no_row),
        cmocka_unit_test(a_module_has_the_worst_of_its_results),
        cmocka_unit_test(a_line_has_the_worst_of_its_results),
        cmocka_unit_test(a_node_has_the_worst_of_its_results),
        cmocka_unit_test(other_groups_have_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
