/*
 * Comparisons of baselines that are written here, so that what comes out can be told by hand.
 */
#include "compare/diff_report.h"
#include "compare/profile.h"
#include "model/inspector.h"
#include "support.h"

#include "base/text.h"
#include "compare/diff.h"

#include <math.h>

#define HEAD "etinspect-baseline,1\ntime_scale,ns\n"

static eti_profile *read_profile(const char *text) {
    const eti_source source = {"a.csv", text, strlen(text)};
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_read(&profile, &source, &options, &err));
    return profile;
}

typedef struct comparison {
    eti_profile *base, *new_side;
    eti_diff diff;
} comparison;

static comparison compare(const char *base, const char *new_side, const char *group) {
    comparison c = {read_profile(base), read_profile(new_side), {0}};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = group;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &options, &err));
    return c;
}

static void end(comparison *c) {
    eti__diff_free(&c->diff);
    eti_profile_free(c->base);
    eti_profile_free(c->new_side);
}

static const eti_diff_row *row_of(const eti_diff_rows *rows, const char *name) {
    for (size_t i = 0; i < rows->n; i++) {
        if (eti__text_is(rows->rows[i].name, name))
            return &rows->rows[i];
    }
    fail_msg("there is no row %s", name);
    return NULL;
}

static void assert_double(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-15 * fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Ten runs: medians are the means of the middle two. `b` takes twice as long, `c` is gone, `d` is new. */
#define BASE                                                                                       \
    HEAD "block,Execute,,10,1\n"                                                                   \
         "execute,Method::execute,,,,,,,,,200;201;202;203;204;205;206;207;208;209\n"               \
         "kernel,a,oa,m.x,,,,f.py,1,,50;51;52;53;54;55;56;57;58;59\n"                              \
         "kernel,b,ob,m.x,,,,f.py,2,,100;101;102;103;104;105;106;107;108;109\n"                    \
         "kernel,c,oc,m.y,,,,f.py,2,,10;10;10;10;10;10;10;10;10;10\n"
#define NEW                                                                                        \
    HEAD "block,Execute,,10,1\n"                                                                   \
         "execute,Method::execute,,,,,,,,,300;301;302;303;304;305;306;307;308;309\n"               \
         "kernel,a,oa,m.x,,,,f.py,1,,50;51;52;53;54;55;56;57;58;59\n"                              \
         "kernel,b,ob,m.x,,,,f.py,2,,200;201;202;203;204;205;206;207;208;209\n"                    \
         "delegated,d,od,m.z,X,1,,,,,7;7;7;7;7;7;7;7;7;7\n"

static void rows_say_what_changed(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, NULL);
    assert_int_equal(c.diff.events.n, 4);
    assert_int_equal(c.diff.events.n_family, 2);
    const eti_diff_row *total = row_of(&c.diff.totals, "Method::execute");
    assert_double(total->p50_base, 204.5);
    assert_double(total->p50_new, 304.5);
    assert_int_equal(total->verdict, ETI_VERDICT_SLOWER);
    assert_double(total->impact, 100 / 204.5);
    const eti_diff_row *b = row_of(&c.diff.events, "b");
    assert_double(b->ratio, 204.5 / 104.5);
    assert_double(b->delta, 100);
    assert_double(b->impact, 100 / 204.5);
    assert_double(b->share_base, 104.5 / 204.5);
    assert_double(b->share_new, 204.5 / 304.5);
    assert_int_equal(b->verdict, ETI_VERDICT_SLOWER);
    assert_double(b->adjusted_p, 2 * b->comparison.p);
    const eti_diff_row *a = row_of(&c.diff.events, "a");
    assert_double(a->ratio, 1);
    assert_double(a->adjusted_p, 1);
    assert_int_equal(a->verdict, ETI_VERDICT_NOISE);
    assert_double(c.diff.events.mean_ratio, sqrt(204.5 / 104.5));
    end(&c);
}

static void what_one_side_has_is_added_or_removed(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, NULL);
    const eti_diff_row *gone = row_of(&c.diff.events, "c"), *added = row_of(&c.diff.events, "d");
    assert_int_equal(gone->verdict, ETI_VERDICT_REMOVED);
    assert_int_equal(gone->match, ETI_MATCH_REMOVED);
    assert_null(gone->new_side);
    assert_true(isnan(gone->p50_new) && isnan(gone->ratio));
    assert_double(gone->delta, -10);
    assert_int_equal(added->verdict, ETI_VERDICT_ADDED);
    assert_null(added->base);
    assert_double(added->delta, 7);
    end(&c);
}

static void the_largest_change_comes_first(void **state) {
    (void)state;
    static const char *const names[] = {"b", "c", "d", "a"};
    comparison c = compare(BASE, NEW, NULL);
    for (size_t i = 0; i < 4; i++)
        assert_true(eti__text_is(c.diff.events.rows[i].name, names[i]));
    end(&c);
}

/* 8 a side and two events: 2 / C(16, 8) * 2 < 0.01; 3 a side never. */
static void too_few_runs_are_no_pass(void **state) {
    (void)state;
    comparison c = compare(HEAD "block,E,,3,0\nkernel,a,,,,,,,,,1;2;3\n",
                           HEAD "block,E,,3,0\nkernel,a,,,,,,,,,100;200;300\n", NULL);
    const eti_diff_row *row = row_of(&c.diff.events, "a");
    assert_int_equal(row->verdict, ETI_VERDICT_TOO_FEW);
    assert_int_equal(row->n_needed, 5); /* 2 / C(10, 5) = 0.0079, 2 / C(8, 4) = 0.029 */
    assert_true(isnan(row->impact));    /* nothing says what the whole is */
    end(&c);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void groups_are_sums_of_runs(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, "module");
    assert_int_equal(c.diff.groups.n, 3);
    const eti_diff_row *x = row_of(&c.diff.groups, "m.x");
    assert_int_equal(x->n_events_base, 2);
    assert_double(x->p50_base, 159); /* 150, 152, ... 168 */
    assert_double(x->p50_new, 259);
    assert_int_equal(x->verdict, ETI_VERDICT_SLOWER);
    assert_true(eti__text_is(x->base->name, "b")); /* the largest */
    assert_int_equal(row_of(&c.diff.groups, "m.y")->verdict, ETI_VERDICT_REMOVED);
    assert_int_equal(row_of(&c.diff.groups, "m.z")->verdict, ETI_VERDICT_ADDED);
    end(&c);
    c = compare(BASE, NEW, "source");
    assert_double(row_of(&c.diff.groups, "f.py:2")->p50_base, 114.5);
    assert_int_equal(row_of(&c.diff.groups, "(unknown or several lines)")->n_events_new, 1);
    end(&c);
    c = compare(BASE, NEW, "backend");
    assert_double(row_of(&c.diff.groups, "(not delegated)")->p50_base, 169);
    assert_double(row_of(&c.diff.groups, "X")->p50_new, 7);
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
    assert_non_null(strstr(err.message, "color"));
    eti__diff_free(&diff);
    eti_profile_free(profile);
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
    /* In another module it is still the same op in the same place; as part of other operators it is not. */
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n" LAST, FIRST "kernel,mul,o3,n,,,4,,,,1\n" LAST,
                 "mul", ETI_MATCH_SAME);
    assert_match(FIRST "kernel,mul,o3,m,,,3,,,,1\n", FIRST "kernel,mul,o4,m,,,3,,,,1\n", "mul",
                 ETI_MATCH_REMOVED);
    /* Counters of a delegate's names do not tell. */
    assert_match("delegated,Conv #1,,,X,,,,,,1\n", "delegated,Conv #2,,,X,,,,,,1\n", "Conv #2",
                 ETI_MATCH_SAME);
    /* What only one side's record knows is not used. */
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
        if (row->base && row->new_side) {
            assert_double(row->ratio, 10);
            n_both++;
        }
    }
    assert_int_equal(n_both, 1);
    end(&c);
}

/* ---- sides that are unlike -------------------------------------------------------------------- */

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
        snprintf(expected, sizeof expected, "unlike: %s 1 and 2;", others[i]);
        assert_fails(check_labels(others[i], &err), ETI_ERROR_USAGE, expected);
    }
}

static void sides_in_other_scales_are_unlike(void **state) {
    (void)state;
    const eti_source source = {"b.csv", HEAD BLOCK, strlen(HEAD BLOCK)};
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

/* ---- several files --------------------------------------------------------------------------- */

/* Each file has one run. One of the base is slower than the quickest of the new side: U = 1. Of all orders of the
 * files one has U = 0 and one U = 1, so that p is 2 * 2 / C(14, 7) = 0.0012 for 7 new files, and 2 * 2 / C(15, 7) =
 * 0.0006 for 8. */
static void files_that_overlap_must_be_many(void **state) {
    (void)state;
    const char *base = HEAD "block,E,,7,0,1;2;3;4;5;6\n"
                            "kernel,a,,,,,,,,,1000;1001;1002;1003;1004;1005;1507\n";
    comparison c = compare(base,
                           HEAD "block,E,,7,0,1;2;3;4;5;6\n"
                                "kernel,a,,,,,,,,,1500;1510;1511;1512;1513;1514;1515\n",
                           NULL);
    const eti_diff_row *row = row_of(&c.diff.events, "a");
    assert_double(row->comparison.p, 4.0 / 3432);
    assert_true(row->files_disagree);
    assert_int_equal(row->verdict, ETI_VERDICT_NOISE);
    assert_int_equal(c.diff.events.n_disagree, 1);
    end(&c);
    c = compare(base,
                HEAD "block,E,,8,0,1;2;3;4;5;6;7\n"
                     "kernel,a,,,,,,,,,1500;1510;1511;1512;1513;1514;1515;1516\n",
                NULL);
    row = row_of(&c.diff.events, "a");
    assert_double(row->comparison.p, 4.0 / 6435);
    assert_false(row->files_disagree);
    assert_int_equal(row->verdict, ETI_VERDICT_SLOWER);
    assert_int_equal(c.diff.events.n_disagree, 0);
    end(&c);
}

static void assert_files(const char *base, const char *new_side, bool disagree) {
    comparison c = compare(base, new_side, NULL);
    assert_int_equal(row_of(&c.diff.events, "a")->files_disagree, disagree);
    end(&c);
}

#define THREE(ticks) HEAD "block,E,,3,0,1;2\nkernel,a,,,,,,,,," ticks "\n"
#define TWO(ticks) HEAD "block,E,,2,0,1\nkernel,a,,,,,,,,," ticks "\n"
#define ONE(ticks) HEAD "block,E,,1,0\nkernel,a,,,,,,,,," ticks "\n"

/* Three a side can have no p below 2 / C(6, 3) = 0.1. */
static void few_files_must_be_apart(void **state) {
    (void)state;
    assert_files(THREE("100;200;300"), THREE("301;400;500"), false);
    assert_files(THREE("301;400;500"), THREE("100;200;300"), false);
    assert_files(THREE("100;200;300"), THREE("300;400;500"), true);
    assert_files(THREE("300;400;500"), THREE("100;200;300"), true);
    assert_files(TWO("100;200"), ONE("150"), true);
    assert_files(ONE("150"), TWO("100;200"), true);
    assert_files(ONE("150"), ONE("150"), false); /* nothing is known of how files differ */
}

/* ---- pace ------------------------------------------------------------------------------------ */

/* Twelve events; the machine was twice as slow in every other run, and in more of the new side's. */
static void write_paced(char *out, size_t size, unsigned slow_runs, unsigned factor_of_last) {
    size_t used = (size_t)snprintf(out, size, HEAD "block,E,,12,0\n");
    for (unsigned event = 0; event < 12; event++) {
        used += (size_t)snprintf(out + used, size - used, "kernel,k%u,,,,,,,,,", event);
        for (unsigned run = 0; run < 12; run++) {
            unsigned time = 1000 + 10 * event + (run * 7 + event * 5) % 11;
            if (event == 11)
                time *= factor_of_last;
            if (run < slow_runs)
                time *= 2;
            used += (size_t)snprintf(out + used, size - used, "%s%u", run > 0 ? ";" : "", time);
        }
        used += (size_t)snprintf(out + used, size - used, "\n");
    }
}

static void a_slow_machine_is_not_a_slow_event(void **state) {
    (void)state;
    static char base[8192], new_side[8192];
    write_paced(base, sizeof base, 1, 1);
    write_paced(new_side, sizeof new_side, 11, 3);
    comparison c = compare(base, new_side, NULL);
    for (size_t i = 0; i < c.diff.events.n; i++) {
        const eti_diff_row *row = &c.diff.events.rows[i];
        bool is_last = eti__text_is(row->name, "k11");
        assert_true(row->is_paced);
        assert_int_equal(row->verdict, is_last ? ETI_VERDICT_SLOWER : ETI_VERDICT_NOISE);
        assert_true(fabs(row->ratio / (is_last ? 3 : 1) - 1) < 0.02);
        assert_true(row->p50_new / row->p50_base > 1.9); /* as measured */
    }
    end(&c);
    eti_profile *of_base = read_profile(base), *of_new = read_profile(new_side);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.keep_pace = true;
    eti_diff diff;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_make(&diff, of_base, of_new, &options, &err));
    for (size_t i = 0; i < diff.events.n; i++)
        assert_int_equal(diff.events.rows[i].verdict, ETI_VERDICT_SLOWER);
    eti__diff_free(&diff);
    eti_profile_free(of_base);
    eti_profile_free(of_new);
}

static void results_do_not_depend_on_threads(void **state) {
    (void)state;
    static char base[8192], new_side[8192];
    write_paced(base, sizeof base, 3, 1);
    write_paced(new_side, sizeof new_side, 5, 2);
    eti_profile *of_base = read_profile(base), *of_new = read_profile(new_side);
    eti_diff diffs[2];
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < 2; i++) {
        eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
        options.n_threads = i == 0 ? 1 : 7;
        assert_ok(eti__diff_make(&diffs[i], of_base, of_new, &options, &err));
    }
    for (size_t i = 0; i < diffs[0].events.n; i++) {
        const eti_diff_row *one = &diffs[0].events.rows[i], *other = &diffs[1].events.rows[i];
        assert_true(eti__text_equal(one->name, other->name));
        assert_true(one->comparison.p == other->comparison.p && one->ratio == other->ratio);
        assert_true(one->comparison.ratio_interval.low == other->comparison.ratio_interval.low);
        assert_true(one->comparison.shift == other->comparison.shift);
    }
    eti__diff_free(&diffs[0]);
    eti__diff_free(&diffs[1]);
    eti_profile_free(of_base);
    eti_profile_free(of_new);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_what_changed),
        cmocka_unit_test(what_one_side_has_is_added_or_removed),
        cmocka_unit_test(the_largest_change_comes_first),
        cmocka_unit_test(too_few_runs_are_no_pass),
        cmocka_unit_test(groups_are_sums_of_runs),
        cmocka_unit_test(an_unknown_grouping_is_refused),
        cmocka_unit_test(events_are_matched_as_documented),
        cmocka_unit_test(blocks_are_paired_by_name_and_input),
        cmocka_unit_test(only_labels_of_builds_may_differ),
        cmocka_unit_test(sides_in_other_scales_are_unlike),
        cmocka_unit_test(files_that_overlap_must_be_many),
        cmocka_unit_test(few_files_must_be_apart),
        cmocka_unit_test(a_slow_machine_is_not_a_slow_event),
        cmocka_unit_test(results_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
