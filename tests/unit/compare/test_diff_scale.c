/* Sides whose clocks count different units are compared in time. */
#include "comparison_fixture.h"

#define FIVE "block,E,,5,0,1;2;3;4\n"
#define EVENTS                                                                                     \
    "execute,t,,,,,,,,,1000;1010;1020;1010;1000\nkernel,a,,,,,,,,,600;610;620;610;600\n"           \
    "kernel,b,,,,,,,,,400;400;400;400;400\n"
#define CYCLES(hz) "time_scale,cycles," hz "\n" FIVE EVENTS

static const eti_diff_options any_scale = {.alpha = 0.01,
                                           .least_effect = 0.05,
                                           .confidence = 0.95,
                                           .min_share = 0.01,
                                           .detectable = 0.25,
                                           .allow_unlike = true};

static const eti_diff_row *total_of(const comparison *c) {
    return row_of(&c->diff.totals, "t");
}

static void equal_scales_are_not_converted(void **state) {
    (void)state;
    comparison c = compare(HEAD FIVE EVENTS, HEAD FIVE EVENTS, NULL);
    assert_double(c.diff.base_scale, 1);
    assert_double(c.diff.base_factor, c.base->factor);
    end(&c);
    c = compare(CYCLES("1e8"), CYCLES("1e8"), NULL);
    assert_double(c.diff.base_scale, 1);
    assert_double(total_of(&c)->change.difference, 0);
    end(&c);
}

/* As many cycles of a clock with half the rate take twice the time. */
static void cycles_are_judged_by_their_time(void **state) {
    (void)state;
    comparison c = compare(CYCLES("1e8"), CYCLES("5e7"), NULL);
    const eti_diff_row *total = total_of(&c);
    assert_double(c.diff.base_scale, 0.5);
    assert_double(total->change.difference, log(2));
    assert_int_equal(total->verdict, ETI_VERDICT_SLOWER);
    assert_double(total->raw_ratio, 2);
    assert_double(row_of(&c.diff.events, "a")->raw_ratio, 2);
    end(&c);
    c = compare(CYCLES("5e7"), CYCLES("1e8"), NULL);
    assert_int_equal(total_of(&c)->verdict, ETI_VERDICT_FASTER);
    end(&c);
    /* groups and single runs are converted, too */
    eti_diff_options options = any_scale;
    options.group = "backend";
    options.one_process = true;
    c = compare_with(CYCLES("1e8"), CYCLES("5e7"), &options);
    assert_double(c.diff.groups.rows[0].raw_ratio, 2);
    assert_true(fabs(c.diff.groups.rows[0].change.difference - log(2)) < 0.01);
    assert_double(c.diff.groups.rows[0].base.p50 * 2, c.diff.groups.rows[0].new_side.p50);
    end(&c);
}

/* The clock of the base has a step of 10 us, that of the new side one of 3 ns. The coarser one limits what can be judged. */
#define IN_US                                                                                      \
    "time_scale,us\n" FIVE "execute,t,,,,,,,,,60;60;60;60;60\nkernel,a,,,,,,,,,60;70;60;70;60\n"   \
    "allocated,,,,,,,,,,8;8;8;8;8\n"
#define IN_NS                                                                                      \
    HEAD FIVE "execute,t,,,,,,,,,60000;60000;60000;60000;60000\n"                                  \
              "kernel,a,,,,,,,,,60003;70002;60000;70002;60000\nallocated,,,,,,,,,,8;8;8;8;8\n"

static void units_of_time_are_converted(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    comparison c = compare_with(IN_US, IN_NS, &any_scale);
    assert_double(c.diff.base_scale, 1000);
    assert_double(total_of(&c)->change.difference, 0);
    assert_double(total_of(&c)->base.location, 60000);
    assert_double(row_of(&c.diff.events, "a")->step, 10000);
    assert_double(c.diff.allocated.rows[0].change.difference, 0);
    end(&c);
    c = compare_with(IN_NS, IN_US, &any_scale);
    assert_double(row_of(&c.diff.events, "a")->step, 10);
    eti__diff_free(&c.diff);
    assert_fails(eti__diff_make(&c.diff, c.base, c.new_side, NULL, &err), ETI_ERROR_USAGE,
                 "their time scales are ns and us");
    end(&c);
}

static eti_profile *read_in(const char *text, eti_time_scale target) {
    eti_text whole = baseline_text(text, "b.csv");
    const eti_source source = {"b.csv", whole.data, whole.size};
    eti_options options = ETI_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_profile *profile;
    options.target_time_scale = target;
    assert_ok(eti__profile_read(&profile, &source, &options, &err));
    return profile;
}

/* Both sides are shown in the scale of the new side. */
static void target_scales_are_converted(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    comparison c = {read_in(IN_NS, ETI_SCALE_MS), read_in(IN_NS, ETI_SCALE_US), {0}};
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &any_scale, &err));
    assert_double(c.diff.base_scale, 1);
    assert_double(total_of(&c)->base.location, 60);
    assert_double(total_of(&c)->base.p50, 60);
    assert_double(total_of(&c)->raw_ratio, 1);
    end(&c);
}

static void an_unknown_frequency_is_refused(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    comparison c = {read_in(CYCLES(""), ETI_SCALE_CYCLES), read_in(IN_NS, ETI_SCALE_NS), {0}};
    assert_fails(eti__diff_make(&c.diff, c.base, c.new_side, &any_scale, &err), ETI_ERROR_USAGE,
                 "is in cycles and b.csv in ns, which cannot be converted to each other");
    eti__diff_free(&c.diff);
    assert_fails(eti__diff_make(&c.diff, c.new_side, c.base, &any_scale, &err), ETI_ERROR_USAGE,
                 "is in ns and b.csv in cycles, which cannot be converted to each other");
    end(&c);
    /* cycles are compared as such if both sides show cycles */
    c = (comparison){
        read_in(CYCLES(""), ETI_SCALE_CYCLES), read_in(CYCLES("5e7"), ETI_SCALE_CYCLES), {0}};
    assert_ok(eti__diff_make(&c.diff, c.base, c.new_side, &any_scale, &err));
    assert_double(c.diff.base_scale, 1);
    assert_double(total_of(&c)->raw_ratio, 1);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_scales_are_not_converted),
        cmocka_unit_test(cycles_are_judged_by_their_time),
        cmocka_unit_test(units_of_time_are_converted),
        cmocka_unit_test(target_scales_are_converted),
        cmocka_unit_test(an_unknown_frequency_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
