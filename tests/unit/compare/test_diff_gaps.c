/* Gaps of the rows of a comparison: of the same two events, or of all results of a group. */
#include "compare/diff_parts.h"
#include "comparison_fixture.h"

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
    assert_true(eti__diff_group_has_gaps("node"));
    assert_true(eti__diff_group_has_gaps("module"));
    assert_true(eti__diff_group_has_gaps("source"));
    assert_false(eti__diff_group_has_gaps("op"));
    assert_false(eti__diff_group_has_gaps("backend"));
    assert_false(eti__diff_group_has_gaps(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_has_the_worst_of_its_results),
        cmocka_unit_test(results_of_other_pairs_have_no_row),
        cmocka_unit_test(a_module_has_the_worst_of_its_results),
        cmocka_unit_test(a_line_has_the_worst_of_its_results),
        cmocka_unit_test(a_node_has_the_worst_of_its_results),
        cmocka_unit_test(other_groups_have_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
