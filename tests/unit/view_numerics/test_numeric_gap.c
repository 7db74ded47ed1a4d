#include "view_numerics/view_numerics.h"

#include "file_order.h"
#include "report_fixture.h"

#include <math.h>

static const float recorded[] = {1, 2, 3, 4, 5, 6, 7, 8.5F};
static const float expected[] = {1, 2, 3, 4, 5, 6, 7, 8};

static const char header[] =
    "{\"x.0/1:add.out#0\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
    "\"x.0/2:mul.out#0\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[16,32]}}";

static uint8_t reference_bytes[8 + sizeof header - 1 + sizeof expected];

static eti_source reference(void) {
    memset(reference_bytes, 0, 8);
    reference_bytes[0] = sizeof header - 1;
    memcpy(reference_bytes + 8, header, sizeof header - 1);
    memcpy(reference_bytes + 8 + sizeof header - 1, in_file_order(expected, COUNT_OF(expected), 4),
           sizeof expected);
    return (eti_source){"x.safetensors", reference_bytes, sizeof reference_bytes};
}

static place put_log(builder *b, const char *name, int32_t instruction, place tensor) {
    return LOGGED(b, .name = name, .instruction_id = SOME(instruction),
                  .value = TENSOR_VALUE(b, tensor));
}

static void open_run(session *s, bool has_buffer) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    const eti_source buffer = {"debug.bin", in_file_order(recorded, COUNT_OF(recorded), 4),
                               sizeof recorded};
    builder *b = &s->b;
    s->options = &options;
    s->debug_buffer = has_buffer ? &buffer : NULL;
    open_session(s,
                 DUMP(b, RUN(b, "Execute", put_log(b, "add.out", 1, TENSOR(b, TYPE_FLOAT, 0, 4)),
                             put_log(b, "mul.out", 2, TENSOR(b, TYPE_FLOAT, 16, 4)),
                             TIMED(b, .name = "add.out", .instruction_id = SOME(1),
                                   .start_time = 1000, .end_time = 5000),
                             TIMED(b, .name = "mul.out", .instruction_id = SOME(2),
                                   .start_time = 5000, .end_time = 9000))),
                 NULL);
}

static void the_worst_of_gaps_passes_over_what_is_unknown(void **state) {
    (void)state;
    const double nothing = (double)NAN;
    const eti_gap unknown = {0}, first = {true, 30, nothing, nothing, 2};
    const eti_gap second = {true, nothing, 5, 0.5, 1}, third = {true, 20, -3, 0.25, 0};
    eti_gap gap = {0};
    eti__gap_join(&gap, &unknown);
    assert_false(gap.is_known);
    eti__gap_join(&gap, &first);
    eti__gap_join(&gap, &unknown);
    eti__gap_join(&gap, &second);
    assert_near(gap.snr, 30);
    assert_near(gap.snr_drop, 5);
    eti__gap_join(&gap, &third);
    assert_near(gap.snr, 20);
    assert_near(gap.snr_drop, 5);
    assert_near(gap.max_abs, 0.5);
    assert_int_equal(gap.nan_new, 2);
}

static void outputs_have_their_events(void **state) {
    (void)state;
    session s = {0};
    eti_gaps gaps;
    eti_error err = ETI_ERROR_INIT;
    const eti_source from = reference();
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_run(&s, true);
    assert_ok(eti__gaps_find(&gaps, s.inspector, &options, &err));
    assert_false(gaps.is_asked);
    eti__gaps_free(&gaps);
    options.reference = &from;
    assert_ok(eti__gaps_find(&gaps, s.inspector, &options, &err));
    assert_true(gaps.is_asked);
    assert_int_equal(gaps.n, 2);
    assert_true(isinf(gaps.of[0].gap.snr));
    assert_text(gaps.of[1].event->name, "mul.out");
    assert_near(gaps.of[1].gap.max_abs, 0.5);
    assert_true(isnan(gaps.of[1].gap.snr_drop));
    assert_null(gaps.of[1].node);
    assert_null(gaps.of[1].base_event);
    eti__gaps_free(&gaps);
    close_session(&s);
}

static void modules_that_are_not_known_share_a_gap(void **state) {
    (void)state;
    session s = {0};
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    const eti_source from = reference();
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_run(&s, true);
    for (int i = 0; i < 2; i++) {
        options.reference = i == 0 ? NULL : &from;
        assert_ok(eti__inspector_report(&report, s.inspector, "tree", &options, &err));
        const eti_table *table = table_of(report, "modules");
        assert_int_equal(eti_table_row_count(table), 1);
        assert_int_equal(eti_table_column_count(table), i == 0 ? 15 : 19);
        if (i > 0)
            assert_near(cell_at(table, 0, "max_abs").as_double, 0.5);
        assert_int_equal(has_note(report, "modules", "compared outputs: 2"), i > 0);
        eti_report_free(report);
    }
    close_session(&s);
}

static void incomparable_files_are_refused(void **state) {
    (void)state;
    static const uint8_t bundle[64] = {[4] = 'B', 'P', '0', '8'};
    const eti_source wrong = {"x.bpte", bundle, sizeof bundle}, from = reference();
    session s = {0}, without = {0};
    eti_gaps gaps;
    eti_error err = ETI_ERROR_INIT;
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    open_run(&s, true);
    open_run(&without, false);
    options.reference = &wrong;
    assert_int_equal(eti__gaps_find(&gaps, s.inspector, &options, &err), ETI_ERROR_USAGE);
    assert_non_null(strstr(err.message, "x.bpte is a bundled program"));
    eti__gaps_free(&gaps);
    options.reference = &from;
    assert_int_equal(eti__gaps_find(&gaps, without.inspector, &options, &err), ETI_ERROR_USAGE);
    eti__gaps_free(&gaps);
    options.match = "source";
    assert_int_equal(eti__gaps_find(&gaps, s.inspector, &options, &err), ETI_ERROR_TOO_FEW);
    eti__gaps_free(&gaps);
    close_session(&s);
    close_session(&without);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_of_gaps_passes_over_what_is_unknown),
        cmocka_unit_test(outputs_have_their_events),
        cmocka_unit_test(modules_that_are_not_known_share_a_gap),
        cmocka_unit_test(incomparable_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
