/* Tests sides of a comparison, made from ETDumps and from other sides. */
#include "baseline_text.h"
#include "profile/parts.h"
#include "report_fixture.h"
#include "rollup/grouping.h"
#include "timed_events.h"

/* ---- from ETDumps ---------------------------------------------------------------------------- */

#define MOST_DUMPS 3

/* Dumps of processes that ran the same model, each a given number of times. */
typedef struct side {
    builder builders[MOST_DUMPS];
    size_t n;
    eti_inspector *inspector;
    eti_profile *profile;
} side;

/* Opens a side. Each file is 100 ticks slower than the one before, each run one tick. */
static void open_side(side *s, const size_t *n_runs, size_t n, const eti_profile_options *options) {
    eti_source sources[MOST_DUMPS];
    eti_error err = ETI_ERROR_INIT;
    *s = (side){.n = n};
    for (size_t i = 0; i < n; i++) {
        builder *b = &s->builders[i];
        place runs[8];
        for (size_t run = 0; run < n_runs[i]; run++)
            runs[run] = RUN(b, "Execute",
                            TIMED(b, .name = "Method::execute", .end_time = 1000 + 100 * i + run));
        finish_dump(b, put_dump(b, (optional){0}, put_tables(b, runs, n_runs[i])), true);
        sources[i] = (eti_source){b->file.name, b->file.data, b->file.size};
    }
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = n};
    assert_ok(eti__inspector_open(&s->inspector, &inputs, NULL, &err));
    assert_ok(eti__profile_from_inspector(&s->profile, s->inspector, options, &err));
}

static void close_side(side *s) {
    eti_profile_free(s->profile);
    eti_inspector_close(s->inspector);
    for (size_t i = 0; i < s->n; i++)
        builder_free(&s->builders[i]);
}

/* Checks which runs of which files are left in the only block. */
static void assert_runs(const side *s, const size_t *files, size_t n_files, const uint64_t *ticks,
                        size_t n_runs, size_t n_skipped) {
    assert_int_equal(s->profile->n_blocks, 1);
    const eti_profile_block *block = &s->profile->blocks[0];
    assert_int_equal(block->n_files, n_files);
    for (size_t i = 0; i < n_files; i++)
        assert_int_equal(block->files[i].first, files[i]);
    assert_int_equal(block->n_runs, n_runs);
    assert_int_equal(block->n_skipped, n_skipped);
    for (size_t i = 0; i < n_runs; i++)
        assert_true(block->entries[0].ticks[i] == ticks[i]);
}

static void the_first_runs_of_each_file_are_skipped(void **state) {
    (void)state;
    static const size_t n_runs[] = {3, 2, 3}, files[] = {0, 2, 3};
    static const uint64_t ticks[] = {1001, 1002, 1101, 1201, 1202};
    const eti_profile_options options = {.skip_first = 1};
    side s;
    open_side(&s, n_runs, 3, &options);
    assert_runs(&s, files, 3, ticks, 5, 3);
    close_side(&s);
}

/* A gate does not doubt a number that the user gave. Merged sides have one only if all parts have. */
static void a_given_number_of_first_runs_is_known(void **state) {
    (void)state;
    static const size_t n_runs[] = {3, 2};
    const eti_profile_options given = {.skip_first = 0}, detected = ETI_PROFILE_OPTIONS_DEFAULT;
    side sides[2];
    eti_error err = ETI_ERROR_INIT;
    for (int n_given = 0; n_given <= 2; n_given++) {
        eti_profile *whole;
        for (int i = 0; i < 2; i++) {
            open_side(&sides[i], n_runs + i, 1, i < n_given ? &given : &detected);
            assert_int_equal(sides[i].profile->has_fixed_skip, i < n_given);
        }
        const eti_profile *const parts[] = {sides[0].profile, sides[1].profile};
        assert_ok(eti__profile_merge(&whole, parts, 2, true, &err));
        assert_int_equal(whole->has_fixed_skip, n_given == 2);
        eti_profile_free(whole);
        close_side(&sides[0]);
        close_side(&sides[1]);
    }
}

/* A file without remaining runs has no median to compare. */
static void a_file_without_remaining_runs_is_not_counted(void **state) {
    (void)state;
    static const size_t files[] = {0, 2};
    static const uint64_t ticks[3][4] = {
        {1101, 1102, 1201, 1202}, {1001, 1002, 1201, 1202}, {1001, 1002, 1101, 1102}};
    const eti_profile_options options = {.skip_first = 1};
    for (size_t i = 0; i < 3; i++) {
        size_t n_runs[] = {3, 3, 3};
        n_runs[i] = 1;
        side s;
        open_side(&s, n_runs, 3, &options);
        assert_runs(&s, files, 2, ticks[i], 4, 3);
        close_side(&s);
    }
}

/* Checks `n` delegated events that count cycles while others count time. */
static void assert_in_cycles(size_t n, const char *note) {
    const eti_delegate_time_scale cycles = {NULL, ETI_SCALE_CYCLES, 0};
    const eti_options options = {.target_time_scale = ETI_SCALE_MS,
                                 .delegate_time_scales = &cycles,
                                 .n_delegate_time_scales = 1};
    eti_error err = ETI_ERROR_INIT;
    session s = {.options = &options};
    builder *b = &s.b;
    place events[3] = {TIMED(b, .name = "Method::execute", .end_time = 100)};
    for (uint32_t i = 0; i < n; i++)
        events[1 + i] = TIMED(b, .delegate_id_int = SOME(i), .end_time = 7);
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, 1 + n)});
    open_session(&s, DUMP(b, run), NULL);
    eti_profile *profile;
    eti_report *report;
    assert_ok(eti__profile_from_inspector(&profile, s.inspector, NULL, &err));
    const eti_profile_block *block = &profile->blocks[0];
    size_t n_in_cycles = 0;
    for (size_t i = 0; i < block->n_entries; i++) {
        if (!block->entries[i].unit.data)
            continue;
        n_in_cycles++;
        assert_text(block->entries[i].unit, "cycles");
        assert_int_equal(block->entries[i].ticks[0], 7);
        assert_true(block->entries[i].summary.p50 == 7);
    }
    assert_int_equal(n_in_cycles, n);
    assert_ok(eti__profile_report(&report, profile, true, &err));
    assert_int_equal(has_note(report, "entries", note), n > 0);
    eti_report_free(report);
    eti_profile_free(profile);
    close_session(&s);
}

static void delegated_events_keep_their_cycles(void **state) {
    (void)state;
    assert_in_cycles(0, "cycles");
    assert_in_cycles(1, "runs: 1 event has cycles of an unknown clock instead of a time");
    assert_in_cycles(2, "runs: 2 events have cycles of an unknown clock instead of a time");
}

static const eti_entry *entry_of(const eti_profile *profile, const char *name) {
    const eti_profile_block *block = &profile->blocks[0];
    for (size_t i = 0; i < block->n_entries; i++) {
        if (eti__text_is(block->entries[i].name, name))
            return &block->entries[i];
    }
    fail_msg("there is no entry %s", name);
    return NULL;
}

/* No call surrounds it that could give it a backend. */
static void a_delegated_event_without_a_call_has_its_own_backend(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(1), .start_time = 20,
                          .end_time = 30),
                    TIMED(b, .name = "Method::execute", .end_time = 100))),
        &(record_spec){.handles = "{\"1\": 1}", .delegates = "{\"1\": {\"name\": \"Npu\"}}"});
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_from_inspector(&profile, s.inspector, NULL, &err));
    assert_text(entry_of(profile, "d")->backend, "Npu");
    eti_profile_free(profile);
    close_session(&s);
}

/* A call has operators of its own only if the delegate logged nothing inside; a kernel always has them. */
static void calls_that_were_logged_inside_have_no_operators(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute",
                    TIMED(b, .delegate_id_str = "d", .instruction_id = SOME(1), .end_time = 5),
                    TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(1), .start_time = 10,
                          .end_time = 20),
                    TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(2), .start_time = 30,
                          .end_time = 40),
                    TIMED(b, .name = "native_call_inner", .instruction_id = SOME(3),
                          .start_time = 51, .end_time = 52),
                    TIMED(b, .name = "native_call_outer", .instruction_id = SOME(3),
                          .start_time = 50, .end_time = 60),
                    TIMED(b, .name = "Method::execute", .end_time = 100))),
        &(record_spec){.handles = "{\"1\": 1, \"2\": 1, \"3\": 1}",
                       .edge = EDGE_PROGRAM(NODE("add", "1", "key,path,type")),
                       .delegates = "{\"1\": {\"name\": \"Npu\"}, \"2\": {\"name\": \"Npu\"}}"});
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_from_inspector(&profile, s.inspector, NULL, &err));
    const eti_profile_block *block = &profile->blocks[0];
    size_t n_calls = 0;
    for (size_t i = 0; i < block->n_entries; i++) {
        if (block->entries[i].role != ETI_ROLE_DELEGATE_CALL)
            continue;
        assert_text(block->entries[i].op_type,
                    n_calls == 0 ? ETI_GROUP_NOT_LOGGED : "aten.add.default");
        assert_int_equal(block->entries[i].op.size > 0, n_calls++ == 1);
    }
    assert_int_equal(n_calls, 2);
    assert_true(entry_of(profile, "native_call_outer")->op.size > 0);
    eti_profile_free(profile);
    close_session(&s);
}

/* ---- from baselines -------------------------------------------------------------------------- */

#define HEAD "time_scale,ns\n"
#define ENTRY "kernel,a,o,m,B,d,1 2,f.py,1,"

static void a_thousand_labels_are_read(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    for (size_t n = 1000; n <= 1001; n++) {
        eti_buffer text = {0};
        eti_profile *profile;
        eti__buffer_add_string(&text, HEAD);
        for (size_t i = 0; i < n; i++)
            eti__buffer_printf(&text, "label,%zu,x\n", i);
        eti__buffer_add_string(&text, "block,E,,1,0\n" ENTRY ",1\n");
        eti__buffer_add_char(&text, '\0');
        eti_text whole = baseline_text(text.data, "a.csv");
        const eti_source source = {"a.csv", whole.data, whole.size};
        eti_status status = eti__profile_read(&profile, &source, NULL, &err);
        if (n == 1000) {
            assert_ok(status);
            assert_int_equal(profile->n_labels, n);
            eti_profile_free(profile);
        } else {
            assert_fails(status, ETI_ERROR_LIMIT, "a.csv: more than 1000 labels");
        }
        eti__buffer_free(&text);
    }
}

/* Time around and between instructions is only in the total. */
static void entries_are_named_by_their_roles(void **state) {
    (void)state;
    static const char *const kinds[] = {"execute",       "operators",     "delegates",
                                        "framework",     "kernel",        "delegated",
                                        "delegate_call", "delegate_call", "instruction"};
    session s = {0};
    builder *b = &s.b;
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    open_session(
        &s,
        DUMP(b,
             RUN(b, "Execute", CALL(b, "native_call_a", 1, 2, 3), CALL(b, "OPERATOR_CALL", 1, 1, 4),
                 TIMED(b, .delegate_id_str = "conv", .instruction_id = SOME(2), .end_time = 1),
                 CALL(b, "DELEGATE_CALL", 2, 5, 9), CALL(b, "DELEGATE_CALL", 3, 10, 12),
                 CALL(b, "JF_CALL", 4, 12, 13), CALL(b, "Method::execute", 5, 0, 20))),
        NULL);
    assert_ok(eti__profile_from_inspector(&profile, s.inspector, NULL, &err));
    const eti_profile_block *block = &profile->blocks[0];
    assert_int_equal(block->n_entries, COUNT_OF(kinds));
    assert_int_equal(block->n_totals, 4);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const eti_entry *entry = &block->entries[i];
        eti_entry read = {0};
        assert_string_equal(eti__entry_kind_name(entry), kinds[i]);
        assert_true(eti__entry_set_kind(&read, eti__text_of(kinds[i])));
        assert_int_equal(read.kind, entry->kind);
        assert_int_equal(read.role, entry->role);
    }
    assert_false(eti__entry_set_kind(&(eti_entry){0}, eti__text_of("event")));
    eti_profile_free(profile);
    close_session(&s);
}

/* numpy.percentile of 0 to 59, in any order, and of few runs. */
static void a_file_has_the_percentiles_of_its_runs(void **state) {
    (void)state;
    uint64_t ticks[60];
    double scratch[120];
    eti_file_times times;
    for (size_t i = 0; i < 60; i++)
        ticks[i] = i * 17 % 60;
    eti__file_times_of(&times, ticks, 60, scratch);
    assert_true(times.min == 0 && times.max == 59 && times.avg == 29.5 && times.p50 == 29.5);
    assert_true(times.fast == 8.5);
    assert_true(fabs(times.p90 - 53.1) < 1e-12 && fabs(times.p95 - 56.05) < 1e-12);
    assert_true(fabs(times.p99 - 58.41) < 1e-12);
    static const uint64_t few[] = {30, 10, 20};
    eti__file_times_of(&times, few, 3, scratch);
    assert_true(times.p50 == 20 && fabs(times.p95 - 29) < 1e-12 && fabs(times.p99 - 29.8) < 1e-12);
    eti__file_times_of(&times, few, 1, scratch);
    assert_true(times.p50 == 30 && times.p95 == 30 && times.p99 == 30 && times.fast == 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_the_percentiles_of_its_runs),
        cmocka_unit_test(the_first_runs_of_each_file_are_skipped),
        cmocka_unit_test(a_given_number_of_first_runs_is_known),
        cmocka_unit_test(a_file_without_remaining_runs_is_not_counted),
        cmocka_unit_test(delegated_events_keep_their_cycles),
        cmocka_unit_test(a_delegated_event_without_a_call_has_its_own_backend),
        cmocka_unit_test(calls_that_were_logged_inside_have_no_operators),
        cmocka_unit_test(a_thousand_labels_are_read),
        cmocka_unit_test(entries_are_named_by_their_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
