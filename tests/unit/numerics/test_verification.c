/* Tests which test case a run is compared with, and the work that a small file may cause. The comparisons are tested in
 * test_verify.c and tests/cli/views/numerics_expected.sh. */
#include "numerics/verification.h"

#include "file_order.h"
#include "inspector_fixture.h"

static const float floats[] = {1, 2, 3, 4};

/* Makes `n_runs` runs, each with one output: the floats. */
static place put_runs(builder *b, size_t n_runs) {
    place runs[512],
        output = VALUE(b, .val = SOME(VAL_TENSOR), .tensor = TENSOR(b, TYPE_FLOAT, 0, 4),
                       .output = put_bool(b, 1));
    assert_true(n_runs <= COUNT_OF(runs));
    for (size_t i = 0; i < n_runs; i++)
        runs[i] = RUN(b, "Execute", LOGGED(b, .instruction_id = SOME(-1), .value = output));
    return put_dump(b, (optional){0}, put_tables(b, runs, n_runs));
}

/* Makes a suite of one case that expects the floats, the first of which is `first`, followed by `n_others` values that are
 * not tensors. */
static place put_suite(builder *b, const char *method, float first, size_t n_others) {
    float numbers[] = {first, 2, 3, 4};
    to_file_order(numbers, COUNT_OF(numbers), sizeof *numbers);
    place values[512], data = put_bytes(b, numbers, sizeof numbers), order = put_bytes(b, "\0", 1);
    put_number(b, 4, 4);
    put_number(b, 1, 4);
    place sizes = here(b);
    place tensor = PUT_TABLE(b, (slot){1, TYPE_FLOAT, 0}, target_slot(sizes), target_slot(data),
                             target_slot(order));
    assert_true(n_others < COUNT_OF(values));
    values[0] = PUT_TABLE(b, (slot){1, ETI_BUNDLE_TENSOR, 0}, target_slot(tensor));
    for (size_t i = 0; i < n_others; i++)
        values[i + 1] = PUT_TABLE(b, (slot){1, ETI_BUNDLE_INT, 0}, target_slot(put_int(b, 7)));
    place one = PUT_TABLE(b, (slot){0}, target_slot(put_tables(b, values, n_others + 1)));
    place cases = put_tables(b, &one, 1), name = put_string(b, method);
    return PUT_TABLE(b, target_slot(name), target_slot(cases));
}

static void finish_bundle(builder *b, place suites) {
    place program = put_bytes(b, "x", 1);
    finish_as(b, PUT_TABLE(b, (slot){4, 2, 0}, target_slot(suites), target_slot(program)), "BP08",
              false);
}

typedef struct fixture {
    session s;
    builder bundle;
    eti_verification found;
} fixture;

/* Compares all runs with this bundle. */
static eti_status verify(fixture *f, size_t n_runs, const char *method, eti_error *err) {
    const eti_source buffer = {"debug.bin", in_file_order(floats, COUNT_OF(floats), sizeof *floats),
                               sizeof floats};
    const eti_options options = {
        .target_time_scale = ETI_SCALE_MS, .no_debug_data = true, .method = method};
    eti_numerics_options how = ETI_NUMERICS_OPTIONS_DEFAULT;
    how.view = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    how.view.run = "all";
    f->s.options = &options;
    f->s.debug_buffer = &buffer;
    open_session(&f->s, put_runs(&f->s.b, n_runs), NULL);
    const eti_source source = {"model.bpte", f->bundle.file.data, f->bundle.file.size};
    struct eti_file file;
    assert_int_equal(eti__file_open_source(&file, &source, err), ETI_OK);
    return eti__verification_make(&f->found, f->s.inspector, &how, &file, err);
}

static void close_fixture(fixture *f) {
    eti__verification_free(&f->found);
    close_session(&f->s);
    builder_free(&f->bundle);
}

static void outputs_that_a_run_lacks_have_rows(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    place suite = put_suite(&f.bundle, "forward", 1, 2);
    finish_bundle(&f.bundle, put_tables(&f.bundle, &suite, 1));
    assert_ok(verify(&f, 2, NULL, &err));
    assert_int_equal(f.found.n, 6);
    assert_int_equal(f.found.n_runs, 2);
    assert_int_equal(f.found.n_passed, 0);
    assert_int_equal(f.found.n_compared, 2);
    assert_int_equal(f.found.n_missing, 4);
    assert_int_equal(f.found.n_uncompared, 0);
    for (uint32_t i = 0; i < 6; i++) {
        const eti_verified_row *row = &f.found.rows[i];
        assert_int_equal(row->run, i / 3);
        assert_int_equal(row->output, i % 3);
        assert_text(row->method, "forward");
        assert_int_equal(row->verified.verdict, i % 3 ? ETI_VERIFY_NO_EXPECTED : ETI_VERIFY_PASSED);
        assert_int_equal(row->has_metrics, i % 3 == 0);
    }
    close_fixture(&f);
}

/* 300 runs and 300 values take a few kilobytes, and make 90,000 rows. */
static void rows_that_nothing_is_known_of_are_limited(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    place suite = put_suite(&f.bundle, "forward", 1, 300);
    finish_bundle(&f.bundle, put_tables(&f.bundle, &suite, 1));
    assert_fails(verify(&f, 300, NULL, &err), ETI_ERROR_LIMIT,
                 "model.bpte: the test cases that ran expect more than 65536 outputs that the runs "
                 "do not have");
    close_fixture(&f);
}

static void of_two_suites_of_a_method_the_first_counts(void **state) {
    (void)state;
    static const char *const methods[] = {"encode", "forward", "decode"};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        fixture f = {.found = {.n = 0}};
        eti_error err = ETI_ERROR_INIT;
        builder *b = &f.bundle;
        const place suites[] = {put_suite(b, "encode", 9, 0), put_suite(b, "forward", 1, 0),
                                put_suite(b, "encode", 1, 0), put_suite(b, "forward", 9, 0)};
        finish_bundle(b, put_tables(b, suites, COUNT_OF(suites)));
        eti_status status = verify(&f, 1, methods[i], &err);
        if (i == 2) {
            assert_int_equal(status, ETI_ERROR_DATA);
            assert_non_null(strstr(err.message, "model.bpte: has no test cases for method decode"));
        } else {
            assert_ok(status);
            assert_int_equal(f.found.n, 1);
            assert_int_equal(f.found.n_passed, i);
        }
        close_fixture(&f);
    }
}

static void a_method_that_is_not_known_is_asked_for(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    const place suites[] = {put_suite(&f.bundle, "encode", 1, 0),
                            put_suite(&f.bundle, "forward", 1, 0)};
    finish_bundle(&f.bundle, put_tables(&f.bundle, suites, 2));
    assert_fails(verify(&f, 1, NULL, &err), ETI_ERROR_USAGE, "has test cases of 2 methods");
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_that_a_run_lacks_have_rows),
        cmocka_unit_test(rows_that_nothing_is_known_of_are_limited),
        cmocka_unit_test(of_two_suites_of_a_method_the_first_counts),
        cmocka_unit_test(a_method_that_is_not_known_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
