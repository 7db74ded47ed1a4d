/* Tests how well methods of programs and ETRecords fit the events of a block. The program has the methods encode (3
 * kernels) and forward (6 kernels, the first three of which are those of encode). Each kernel is an event, and so is the
 * tensor that it logged. */
#include "support.h"

#include "model/method_fit.h"
#include "model/methods.h"

#define FOLDER "testdata/multi-method/"

enum { ENCODE, FORWARD };

typedef struct files {
    eti_inspector *inspector;
    const eti_event_block *blocks[2]; /* one of each method */
} files;

static files open_files(bool with_program, const char *record) {
    files of = {0};
    const eti_source dump = {.path = FOLDER "run.etdp"}, pte = {.path = FOLDER "model.pte"},
                     etrecord = {.path = record};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = &pte,
                               .n_programs = with_program};
    const eti_options options = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&of.inspector, &inputs, &options, &err));
    assert_int_equal(eti_inspector_block_count(of.inspector), 3); /* the first block loads */
    of.blocks[ENCODE] = eti_inspector_block(of.inspector, 1);
    of.blocks[FORWARD] = eti_inspector_block(of.inspector, 2);
    return of;
}

static void check_fit(const eti_method_fit *fit, uint64_t n_compared, uint64_t n_unlike,
                      uint64_t n_contrary, uint64_t n_missing) {
    assert_int_equal(fit->n_compared, n_compared);
    assert_int_equal(fit->n_unlike, n_unlike);
    assert_int_equal(fit->n_contrary, n_contrary);
    assert_int_equal(fit->n_missing, n_missing);
}

static void a_plan_fits_the_block_that_ran_it(void **state) {
    (void)state;
    files of = open_files(true, NULL);
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method_fit fit;
    assert_true(eti__fit_plan(of.blocks[ENCODE], &pte->plans[ENCODE], &fit));
    check_fit(&fit, 6, 0, 0, 0);
    assert_true(eti__fit_plan(of.blocks[FORWARD], &pte->plans[FORWARD], &fit));
    check_fit(&fit, 12, 0, 0, 0);
    eti_inspector_close(of.inspector);
}

static void a_longer_plan_misses_events_and_a_shorter_one_instructions(void **state) {
    (void)state;
    files of = open_files(true, NULL);
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method_fit fit;
    assert_true(eti__fit_plan(of.blocks[ENCODE], &pte->plans[FORWARD], &fit));
    check_fit(&fit, 6, 0, 0, 3);
    assert_true(eti__fit_plan(of.blocks[FORWARD], &pte->plans[ENCODE], &fit));
    check_fit(&fit, 12, 6, 0, 0);
    eti_inspector_close(of.inspector);
}

static void a_record_fits_by_its_instructions(void **state) {
    (void)state;
    files of = open_files(false, FOLDER "record.etrecord");
    eti_method_fit fit;
    assert_true(eti__fit_record(of.inspector, of.blocks[ENCODE], ENCODE, &fit));
    check_fit(&fit, 6, 0, 0, 0);
    assert_true(eti__fit_record(of.inspector, of.blocks[ENCODE], FORWARD, &fit));
    check_fit(&fit, 6, 0, 0, 3);
    assert_true(eti__fit_record(of.inspector, of.blocks[FORWARD], ENCODE, &fit));
    check_fit(&fit, 12, 6, 0, 0);
    eti_inspector_close(of.inspector);
}

static void files_of_one_export_fit(void **state) {
    (void)state;
    files of = open_files(true, FOLDER "record.etrecord");
    const eti_pte *pte = &of.inspector->programs[0];
    eti_method method = {.number = ENCODE, .plan = &pte->plans[ENCODE]};
    eti_method_fit fit;
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 3, 0, 0, 0);
    method.plan = &pte->plans[FORWARD]; /* three more calls than encode has in the record */
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 3, 0, 0, 3);
    method = (eti_method){.number = FORWARD, .plan = &pte->plans[ENCODE]};
    eti__fit_files(of.inspector, &method, &fit);
    check_fit(&fit, 6, 0, 3, 0);
    eti_inspector_close(of.inspector);
}

static void kernels_are_compared_with_operators_of_their_handles(void **state) {
    (void)state;
    files of = open_files(true, FOLDER "record.etrecord");
    size_t left = ETI_NAMES_COMPARED;
    uint64_t n_compared = 0;
    assert_int_equal(eti__count_unlike_kernels(of.blocks[FORWARD], &left, &n_compared), 0);
    assert_int_equal(n_compared, 6);
    assert_true(left < ETI_NAMES_COMPARED);
    left = 0; /* no name may be examined */
    n_compared = 0;
    assert_int_equal(eti__count_unlike_kernels(of.blocks[FORWARD], &left, &n_compared), 0);
    assert_int_equal(n_compared, 0);
    eti_inspector_close(of.inspector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_fits_the_block_that_ran_it),
        cmocka_unit_test(a_longer_plan_misses_events_and_a_shorter_one_instructions),
        cmocka_unit_test(a_record_fits_by_its_instructions),
        cmocka_unit_test(files_of_one_export_fit),
        cmocka_unit_test(kernels_are_compared_with_operators_of_their_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
