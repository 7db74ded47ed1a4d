/* The units of a comparison: how many files or runs there are, the metric, the steps of clocks, and the sizes of rows. */
#include "comparison_fixture.h"

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
/* step, location, which is unknown, p50, p90, avg, min, max */
#define SUMMARY                                                                                    \
    "etinspect-baseline,3\ntime_scale,ns\nfile,b,,\nblock,E,,2,0\n"                                \
    "kernel,a,,,,,,,,,,,,40,50,45,10,60\n"

static void expect_metric(const char *base, const char *new_side, eti_metric metric,
                          eti_metric expected, double ratio) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.metric = metric;
    comparison c = compare_with(base, new_side, &options);
    assert_int_equal(c.diff.metric, expected);
    assert_double(row_of(&c.diff.events, "a")->raw_ratio, ratio);
    end(&c);
}

/* The location of 10 and 30 is 10, their p50 20 and their mean 20. */
static void the_median_replaces_unknown_locations(void **state) {
    (void)state;
    const eti_metric location = ETI_METRIC_LOCATION, p50 = ETI_METRIC_P50, avg = ETI_METRIC_AVG;
    expect_metric(WITH_RUNS, WITH_RUNS, location, location, 1);
    expect_metric(SUMMARY, WITH_RUNS, location, p50, 20.0 / 40);
    expect_metric(WITH_RUNS, SUMMARY, location, p50, 40.0 / 20);
    expect_metric(SUMMARY, SUMMARY, location, p50, 1);
    expect_metric(WITH_RUNS, SUMMARY, avg, avg, 45.0 / 20);
    expect_metric(WITH_RUNS, SUMMARY, ETI_METRIC_MIN, ETI_METRIC_MIN, 1);
    expect_metric(WITH_RUNS, WITH_RUNS, p50, p50, 1);
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
    assert_double(f1->new_side.share, 0.8);
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
    assert_near(row_of(&c.diff.events, "a")->raw_ratio, 0.5);
    end(&c);
    c = compare_with(one, many.data, &options);
    assert_int_equal(c.diff.n_new, N);
    assert_near(row_of(&c.diff.events, "a")->raw_ratio, 2);
    end(&c);
    eti__buffer_free(&many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_files_or_runs),
        cmocka_unit_test(blocks_without_a_total_are_not_counted),
        cmocka_unit_test(the_fewest_units_of_any_pair_count),
        cmocka_unit_test(a_block_that_files_lack_is_not_whole),
        cmocka_unit_test(the_median_replaces_unknown_locations),
        cmocka_unit_test(runs_of_both_sides_must_be_kept),
        cmocka_unit_test(each_event_has_the_step_of_its_clock),
        cmocka_unit_test(clocks_that_never_differ_are_known),
        cmocka_unit_test(shares_are_of_the_total_of_the_pair),
        cmocka_unit_test(sides_may_differ_in_their_number_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
