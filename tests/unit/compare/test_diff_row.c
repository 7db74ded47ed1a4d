#include "support.h"

#include "comparison_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ==== row label =============================================================================== */
/* Tests the names of rows: namesakes of a block get what distinguishes them. */

#define TEXT(string)                                                                               \
    { string, sizeof(string) - 1 }
#define EVENT(...)                                                                                 \
    { .kind = ETI_ENTRY_EVENT, __VA_ARGS__ }

static eti_arena arena;

static const eti_namesakes *find(const eti_profile_block *block) {
    const eti_namesakes *found;
    assert_true(eti__namesakes_find(&found, block, &arena));
    return found;
}

static bool needs_module(const eti_entry *entry, const eti_namesakes *namesakes) {
    eti_row_needs needs = {0};
    eti__needs_add(&needs, entry, namesakes);
    return needs.modules;
}

static int free_all(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static void assert_label(const eti_profile_block *block, size_t entry, const char *expected) {
    eti_buffer out = {0};
    eti__add_entry_label(&out, &block->entries[entry], &find(block)[entry]);
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

static void namesakes_differ_by_module_line_or_number(void **state) {
    (void)state;
    eti_entry entries[] = {
        {.kind = ETI_ENTRY_EXECUTE, .name = TEXT("add")},
        EVENT(.name = TEXT("add"), .module = TEXT("a"), .file = TEXT("/x/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .module = TEXT("b"), .file = TEXT("/x/m.py"), .line = 2),
        EVENT(.name = TEXT("add"), .module = TEXT("b"), .file = TEXT("/x/m.py"), .line = 3),
        EVENT(.name = TEXT("add"), .module = TEXT("c"), .file = TEXT("/x/m.py"), .line = 4),
        EVENT(.name = TEXT("add"), .module = TEXT("c"), .file = TEXT("/x/m.py"), .line = 4),
        EVENT(.name = TEXT("add"), .module = TEXT("d")),
        EVENT(.name = TEXT("add"), .module = TEXT("d")),
        EVENT(.name = TEXT("add"), .file = TEXT("m.py"), .line = 5),
        EVENT(.name = TEXT("add")),
        EVENT(.name = TEXT("mul"), .module = TEXT("a"), .file = TEXT("m.py"), .line = 6),
    };
    const eti_profile_block block = {
        .entries = entries, .n_entries = COUNT_OF(entries), .n_totals = 1};
    const eti_namesakes *found = find(&block);
    assert_label(&block, 0, "add");
    assert_label(&block, 1, "add (a)");
    assert_label(&block, 2, "add (b, m.py:2)");
    assert_label(&block, 3, "add (b, m.py:3)");
    assert_label(&block, 4, "add #4 (c, m.py:4)");
    assert_label(&block, 5, "add #5 (c, m.py:4)");
    assert_label(&block, 6, "add #6 (d)");
    assert_label(&block, 8, "add (m.py:5)");
    assert_label(&block, 9, "add #9");
    assert_label(&block, 10, "mul");
    assert_true(needs_module(&entries[1], &found[1]));
    assert_false(needs_module(&entries[0], &found[0]));   /* a total */
    assert_false(needs_module(&entries[9], &found[9]));   /* of no module */
    assert_false(needs_module(&entries[10], &found[10])); /* alone */
}

/* Labels are compared as they are printed: without folders, and with long texts folded. */
static void labels_differ_as_printed(void **state) {
    (void)state;
#define LONG "a.module.with.a.name.of.many.parts.that.is.too.long.to.be.shown.in.a.sentence.of."
    eti_entry entries[] = {
        EVENT(.name = TEXT("add"), .file = TEXT("/a/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .file = TEXT("/b/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .file = TEXT("/b/m.py"), .line = 2),
        EVENT(.name = TEXT("mul"), .module = TEXT(LONG "1." LONG)),
        EVENT(.name = TEXT("mul"), .module = TEXT(LONG "2." LONG)),
        EVENT(.name = TEXT("sub"), .module = TEXT(LONG "1." LONG), .file = TEXT("n.py"), .line = 3),
        EVENT(.name = TEXT("sub"), .module = TEXT(LONG "2." LONG), .file = TEXT("n.py"), .line = 4),
        EVENT(.name = TEXT("sub"), .module = TEXT("a")),
    };
    const eti_profile_block block = {.entries = entries, .n_entries = COUNT_OF(entries)};
#define FOLDED "a.module.with.a.name.of.many.parts.that...too.long.to.be.shown.in.a.sentence.of."
    assert_label(&block, 0, "add #1 (m.py:1)");
    assert_label(&block, 1, "add #2 (m.py:1)");
    assert_label(&block, 2, "add (m.py:2)");
    assert_label(&block, 3, "mul #1 (" FOLDED ")");
    assert_label(&block, 4, "mul #2 (" FOLDED ")");
    assert_label(&block, 5, "sub (" FOLDED ", n.py:3)");
    assert_label(&block, 6, "sub (" FOLDED ", n.py:4)");
    assert_label(&block, 7, "sub (a)");
    const eti_namesakes *found = find(&block);
    assert_text(found[0].beside_module, "add #1 (m.py:1)");
    assert_text(found[3].beside_module, "mul #1");
    assert_text(found[5].beside_module, "sub (n.py:3)");
    assert_null(found[7].beside_module.data); /* the module is enough */
}

/* Time is linear in the number of events: each of these has a name of its own, and a module. */
static void many_events_take_little_time(void **state) {
    (void)state;
    enum { N = 200000 };
    eti_entry *entries = calloc(N, sizeof *entries);
    char(*names)[16] = calloc(N, sizeof *names);
    assert_true(entries && names);
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        entries[i] = (eti_entry)EVENT(.name = eti__text_of(names[i]), .module = TEXT("m"));
    }
    const eti_profile_block block = {.entries = entries, .n_entries = N};
    clock_t begin = clock();
    const eti_namesakes *found = find(&block);
    for (int i = 0; i < N; i++)
        assert_false(needs_module(&entries[i], &found[i]));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
    free(entries);
    free(names);
}

/* The label is that of the side with the name; a group needs none, although it has an entry. */
static void rows_have_the_labels_of_their_entries(void **state) {
    (void)state;
    eti_entry entries[] = {
        EVENT(.name = TEXT("add"), .module = TEXT("a")),
        EVENT(.name = TEXT("add"), .module = TEXT("b")),
        EVENT(.name = TEXT("add"), .module = TEXT("c")),
    };
    const eti_profile_block base = {.entries = entries, .n_entries = 1},
                            new_side = {.entries = entries, .n_entries = 3};
    const eti_namesakes *of_base = find(&base), *of_new = find(&new_side);
    eti_diff_row row = {.name = TEXT("add"),
                        .block = TEXT("forward"),
                        .kind = ETI_ENTRY_EVENT,
                        .base = {.entry = &entries[0], .namesakes = &of_base[0]},
                        .new_side = {.entry = &entries[1], .namesakes = &of_new[1]}};
    const char *const expected[] = {"add (b) of forward", "add of forward", "add of forward"};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        eti_buffer out = {0};
        eti__add_row(&out, &row, true);
        assert_text(eti__buffer_text(&out), expected[i]);
        eti_row_needs needs = {0};
        eti__needs_add_row(&needs, &row);
        assert_true(needs.modules == (i == 0));
        eti__buffer_free(&out);
        if (i == 0)
            row.new_side = (eti_row_side){0}; /* removed; the base has no other of its name */
        else
            row.base.namesakes = NULL; /* a group */
    }
}

/* ==== diff scale ============================================================================== */
/* Sides whose clocks count different units are compared in time. */

#define FIVE "block,E,,5,0,1;2;3;4\n"
#define EVENTS                                                                                     \
    "execute,t,,,,,,,,,1000;1010;1020;1010;1000\nkernel,a,,,,,,,,,600;610;620;610;600\n"           \
    "kernel,b,,,,,,,,,400;400;400;400;400\n"
#define CYCLES(hz) "time_scale,cycles," hz "\n" FIVE EVENTS

static const eti_diff_options any_scale = {.alpha = 0.01,
                                           .least_effect = 0.05,
                                           .min_share = 0.01,
                                           .margin = 0.1,
                                           .beta = 0.05,
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
    assert_double(total_of(&c)->shift.estimate, 0);
    end(&c);
}

/* As many cycles of a clock with half the rate take twice the time. */
static void cycles_are_judged_by_their_time(void **state) {
    (void)state;
    comparison c = compare(CYCLES("1e8"), CYCLES("5e7"), NULL);
    const eti_diff_row *total = total_of(&c);
    assert_double(c.diff.base_scale, 0.5);
    assert_double(total->shift.estimate, log(2));
    assert_int_equal(total->verdict, ETI_VERDICT_SLOWER);
    assert_double(total->ratio, 2);
    /* half a step of 10 ticks is added, and the mean of logarithms compared */
    const double base[] = {305, 310, 315, 310, 305}, new_side[] = {605, 615, 625, 615, 605};
    double difference = 0;
    for (size_t i = 0; i < 5; i++)
        difference += (log(new_side[i]) - log(base[i])) / 5;
    assert_true(fabs(log(row_of(&c.diff.events, "a")->ratio) - difference) < 1e-12);
    end(&c);
    c = compare(CYCLES("5e7"), CYCLES("1e8"), NULL);
    assert_int_equal(total_of(&c)->verdict, ETI_VERDICT_FASTER);
    end(&c);
    /* groups and single runs are converted, too */
    eti_diff_options options = any_scale;
    options.group = "backend";
    options.one_process = true;
    c = compare_with(CYCLES("1e8"), CYCLES("5e7"), &options);
    assert_true(fabs(c.diff.groups.rows[0].ratio - 2) < 0.02);
    assert_true(fabs(c.diff.groups.rows[0].shift.estimate - log(2)) < 0.01);
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
    assert_double(total_of(&c)->shift.estimate, 0);
    assert_double(total_of(&c)->base.location, 60000);
    assert_double(row_of(&c.diff.events, "a")->step, 10000);
    assert_double(c.diff.allocated.rows[0].shift.estimate, 0);
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
    assert_double(total_of(&c)->ratio, 1);
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
    assert_double(total_of(&c)->ratio, 1);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(namesakes_differ_by_module_line_or_number, free_all),
        cmocka_unit_test_teardown(labels_differ_as_printed, free_all),
        cmocka_unit_test_teardown(many_events_take_little_time, free_all),
        cmocka_unit_test_teardown(rows_have_the_labels_of_their_entries, free_all),
        cmocka_unit_test(equal_scales_are_not_converted),
        cmocka_unit_test(cycles_are_judged_by_their_time),
        cmocka_unit_test(units_of_time_are_converted),
        cmocka_unit_test(target_scales_are_converted),
        cmocka_unit_test(an_unknown_frequency_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
