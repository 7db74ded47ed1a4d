/* Borrowers keep their lenders alive: objects may be closed in any order. A sanitizer detects violations. */
#include "compare/compare.h"
#include "files_fixture.h"
#include "gate/gate.h"
#include "inspector_fixture.h"
#include "series/series.h"
#include "table/table.h"
#include "view/view.h"
#include "view_events/view_events.h"
#include "write/write.h"

static bool take_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

static eti_inspector *open_model(const char *dump_path, const char *record_path) {
    const eti_source dump = {.path = dump_path}, record = {.path = record_path};
    const eti_source program = {.path = "testdata/transformer/model.pte"};
    char buffer_path[256];
    const eti_source buffer = {.path = buffer_path};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = &record,
                               .programs = &program,
                               .n_programs = 1,
                               .debug_buffer = &buffer};
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    snprintf(buffer_path, sizeof buffer_path, "%.*s/debug_buffer.bin",
             (int)(strrchr(dump_path, '/') - dump_path), dump_path);
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

static eti_inspector *open_inspector(void) {
    return open_model("testdata/transformer/run.etdp", "testdata/transformer/record.etrecord");
}

static void write_report(const eti_report *report, eti_buffer *out) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_write(report, "json", NULL, take_output, out, &err));
}

/* The report is the same before and after the objects that it was made of are closed. */
static void assert_whole(eti_report *report, const eti_buffer *before) {
    eti_buffer after = {0};
    write_report(report, &after);
    assert_true(after.size > 0);
    assert_true(eti__text_equal(eti__buffer_text(before), eti__buffer_text(&after)));
    eti__buffer_free(&after);
    eti_report_free(report);
}

static void reports_keep_their_inspector(void **state) {
    (void)state;
    for (size_t i = 0; eti_view_name(i); i++) {
        eti_inspector *inspector = open_inspector();
        eti_report *report;
        eti_error err = ETI_ERROR_INIT;
        eti_buffer before = {0};
        assert_ok(eti__inspector_report(&report, inspector, eti_view_name(i), NULL, &err));
        write_report(report, &before);
        eti_inspector_close(inspector);
        assert_whole(report, &before);
        eti__buffer_free(&before);
    }
}

static void tables_keep_their_inspector(void **state) {
    (void)state;
    const char *names[] = {"L__self__"};
    eti_inspector *inspector = open_inspector();
    eti_table *tables[3];
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&tables[0], inspector, NULL, &err));
    assert_ok(eti__view_modules(&tables[1], inspector, names, 1, NULL, &err));
    assert_ok(eti_table_defuse_formulas(&tables[2], tables[0], &err));
    eti_inspector_close(inspector);
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        eti_buffer out = {0};
        assert_ok(eti_table_write(tables[i], "tsv", take_output, &out, &err));
        assert_true(out.size > 0);
        eti__buffer_free(&out);
        eti_table_free(tables[i]);
    }
}

static void a_copy_keeps_the_report_of_its_table(void **state) {
    (void)state;
    eti_inspector *inspector = open_inspector();
    eti_report *report;
    eti_table *copy;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    assert_ok(eti__inspector_report(&report, inspector, "events", NULL, &err));
    eti_inspector_close(inspector);
    assert_ok(eti_table_defuse_formulas(&copy, eti_report_table(report, 0), &err));
    eti_report_free(report);
    assert_ok(eti_table_write(copy, "csv", take_output, &out, &err));
    assert_true(out.size > 0);
    eti__buffer_free(&out);
    eti_table_free(copy);
}

typedef eti_status (*make_comparison)(eti_report **out, const eti_profile *base,
                                      const eti_profile *new_side, eti_error *err);

static eti_status make_diff(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            eti_error *err) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.allow_unlike = true;
    return eti__diff_report(out, base, new_side, &options, err);
}

static eti_status make_gate(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                            eti_error *err) {
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate_outcome outcome;
    options.diff.allow_unlike = true;
    return eti__gate_report(out, &outcome, base, new_side, &options, err);
}

static eti_status make_noise(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                             eti_error *err) {
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    (void)base;
    options.allow_unlike = true;
    return eti__noise_report(out, new_side, &options, err);
}

static eti_status make_trend(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                             eti_error *err) {
    (void)base;
    (void)new_side;
    static const uint64_t ticks[] = {1000, 1001, 1002, 2000, 2001, 2002};
    eti_profile *history = profile_of_files(ticks, 1, 6, 0);
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.diff.alpha = 0.5; /* with this alpha, a few files suffice */
    eti_status status = eti__trend_report(out, history, &options, err);
    eti_profile_free(history);
    return status;
}

static eti_status make_baseline(eti_report **out, const eti_profile *base,
                                const eti_profile *new_side, eti_error *err) {
    (void)base;
    return eti__profile_report(out, new_side, true, err);
}

static eti_profile *open_profile(const char *dump, const char *record) {
    eti_inspector *inspector = open_model(dump, record);
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_from_inspector(&profile, inspector, NULL, &err));
    eti_inspector_close(inspector);
    return profile;
}

static void comparisons_keep_their_sides(void **state) {
    (void)state;
    static const make_comparison makers[] = {make_diff, make_gate, make_noise, make_trend,
                                             make_baseline};
    for (size_t i = 0; i < COUNT_OF(makers); i++) {
        eti_profile *one =
            open_profile("testdata/transformer/run.etdp", "testdata/transformer/record.etrecord");
        eti_profile *parts[] = {
            open_profile("testdata/xnnpack-conv/run.etdp", "testdata/xnnpack-conv/record.etrecord"),
            open_profile("testdata/mlp/run.etdp", "testdata/mlp/record.etrecord")};
        eti_profile *both;
        eti_report *report;
        eti_error err = ETI_ERROR_INIT;
        eti_buffer before = {0};
        assert_ok(eti__profile_merge(&both, (const eti_profile *const *)parts, 2, true, &err));
        eti_profile_free(parts[0]);
        eti_profile_free(parts[1]);
        assert_ok(makers[i](&report, one, both, &err));
        write_report(report, &before);
        eti_profile_free(one);
        eti_profile_free(both);
        assert_whole(report, &before);
        eti__buffer_free(&before);
    }
}

static void count_call(void *context) {
    ++*(int *)context;
}

/* The callback runs when memory is freed, not at eti_inspector_close(): then the owner of bytes in memory may release
 * them. */
static void who_opened_learns_when_all_is_freed(void **state) {
    (void)state;
    eti_inspector *inspector = open_inspector();
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    int n_calls = 0;
    eti_inspector_on_free(inspector, count_call, &n_calls);
    assert_ok(eti_inspector_report(&report, inspector, "events", NULL, &err));
    eti_inspector_close(inspector);
    assert_int_equal(n_calls, 0);
    eti_report_free(report);
    assert_int_equal(n_calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_keep_their_inspector),
        cmocka_unit_test(tables_keep_their_inspector),
        cmocka_unit_test(a_copy_keeps_the_report_of_its_table),
        cmocka_unit_test(comparisons_keep_their_sides),
        cmocka_unit_test(who_opened_learns_when_all_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
