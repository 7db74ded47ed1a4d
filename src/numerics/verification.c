#include "numerics/verification.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the test case of a run ------------------------------------------------------------------- */

/* Lists the methods; of several suites for one method, the first counts. */
static eti_status list_methods(eti_verification *out, eti_error *err) {
    const eti_bundle *bundle = &out->bundle;
    out->suites_of = eti__arena_alloc(&out->arena, bundle->n_suites, sizeof *out->suites_of);
    if (!out->suites_of)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < bundle->n_suites; i++) {
        size_t n_before = out->methods.count;
        uint32_t number;
        if (!bundle->suites[i].method.data)
            continue;
        if (!eti__text_table_add(&out->methods, bundle->suites[i].method, NULL, &number))
            return eti_fail_memory(err);
        if (number == n_before)
            out->suites_of[number] = i;
    }
    return ETI_OK;
}

static eti_status open_bundle(eti_verification *out, eti_error *err) {
    eti_status status = eti__bundle_open(
        &out->bundle, &out->arena, (eti_text){(const char *)out->file.data, out->file.size}, err);
    if (status != ETI_OK) {
        eti__error_prefix(err, "%s", out->file.name);
        return status;
    }
    out->suites = eti__arena_alloc_zero(&out->arena, out->bundle.n_suites, sizeof(*out->suites));
    return out->suites ? list_methods(out, err) : eti_fail_memory(err);
}

/* Finds the suite of a method. If the method is unknown, uses the one that the user names, or the only one with test
 * cases. */
static eti_status find_suite(const eti_verification *in, const eti_inspector *inspector,
                             const eti_event_block *block, const eti_bundle_suite **out,
                             eti_error *err) {
    const eti_bundle *bundle = &in->bundle;
    eti_text method = block->method_name;
    if (!method.data && inspector->options.method)
        method = eti__text_of(inspector->options.method);
    if (!method.data && bundle->n_suites == 1)
        method = bundle->suites[0].method;
    if (!method.data)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "the method of EventBlock %.*s is unknown, and %s has test cases of %" PRIu32
            " methods: name it (%smethod), or give the ETRecord",
            ETI_TEXT_ARGS(block->label), in->file.name, bundle->n_suites, eti__option_prefix());
    uint32_t number;
    if (!eti__text_table_find(&in->methods, method, &number))
        return eti_fail(err, ETI_ERROR_DATA, "%s: has no test cases for method %.*s", in->file.name,
                        ETI_TEXT_ARGS(method));
    *out = &bundle->suites[in->suites_of[number]];
    return ETI_OK;
}

static eti_status choose_case(const eti_verification *in, const eti_event_block *block,
                              const eti_numerics_options *options, const eti_bundle_suite *suite,
                              uint32_t *out, eti_error *err) {
    int64_t index = block->bundled_input_index;
    if (options->test_case != ETI_NO_TEST_CASE_ASKED)
        index = (int64_t)options->test_case; /* 32 bits, see the catalogue */
    if (index < 0 && suite->n_cases == 1)
        index = 0;
    if (index < 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the ETDump does not record which of the %" PRIu32
                        " test cases of %.*s the EventBlock %.*s ran: give its number (%stestset)",
                        suite->n_cases, ETI_TEXT_ARGS(suite->method), ETI_TEXT_ARGS(block->label),
                        eti__option_prefix());
    if (index >= suite->n_cases)
        return eti_fail(err, ETI_ERROR_DATA,
                        "%s: there is no test case %" PRId64 " of %.*s, which has %" PRIu32
                        ": give the bundled program that ran",
                        in->file.name, index, ETI_TEXT_ARGS(suite->method), suite->n_cases);
    *out = (uint32_t)index;
    return ETI_OK;
}

static eti_status read_suite(eti_verification *in, const eti_bundle_suite *suite,
                             const eti_bundle_case **out, eti_error *err) {
    size_t i = (size_t)(suite - in->bundle.suites);
    if (!in->suites[i])
        ETI_TRY(eti__bundle_read_suite(&in->suites[i], &in->arena, &in->bundle, (uint32_t)i, err));
    *out = in->suites[i];
    return ETI_OK;
}

/* Limit: a small file may expect outputs that no run has, for each run. */
#define MOST_MISSING 65536

/* ---- rows ------------------------------------------------------------------------------------- */

static eti_status add_row(eti_verification *out, eti_verified_row row,
                          const eti_tolerances *tolerances, eti_error *err) {
    row.has_metrics = eti__verdict_compares(row.verified.verdict) &&
                      eti__metrics_compare(&row.expected->tensor, &row.tensor->values, tolerances,
                                           1, &row.metrics) == ETI_OK;
    if (!ETI_GROW(out->rows, out->capacity, out->n + 1))
        return eti_fail_memory(err);
    out->rows[out->n++] = row;
    out->n_compared += eti__verdict_compares(row.verified.verdict);
    return ETI_OK;
}

/* Compares the outputs of a run with those of the test case that `row` names. */
static eti_status verify_run(eti_verification *out, eti_verified_row row,
                             const eti_bundle_case *expected, const eti_recorded_tensor *outputs,
                             uint32_t n_outputs, const eti_tolerances *tolerances, eti_error *err) {
    uint32_t n = eti__verify_row_count(expected, n_outputs);
    out->n_missing += n - n_outputs;
    if (out->n_missing > MOST_MISSING)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%s: the test cases that ran expect more than %d outputs that the runs do "
                        "not have: give the bundled program that ran",
                        out->file.name, MOST_MISSING);
    const eti_tensor_values **values = calloc((size_t)n_outputs + 1, sizeof *values);
    eti_verified_output *verified = calloc((size_t)n + 1, sizeof *verified);
    eti_status status = values && verified ? ETI_OK : eti_fail_memory(err);
    for (uint32_t i = 0; status == ETI_OK && i < n_outputs; i++)
        values[i] = outputs[i].fault == ETI_RECORDED_SHAPE ? NULL : &outputs[i].values;
    if (status == ETI_OK)
        out->n_passed += eti__verify_case(expected, values, n_outputs, tolerances, verified).passed;
    out->n_runs++;
    size_t n_before = out->n_compared;
    for (row.output = 0; status == ETI_OK && row.output < n; row.output++) {
        uint32_t i = row.output;
        row.expected = i < expected->n_expected ? &expected->expected[i] : NULL;
        row.tensor = i < n_outputs ? &outputs[i] : NULL;
        row.verified = verified[i];
        status = add_row(out, row, tolerances, err);
    }
    out->n_uncompared += out->n_compared == n_before;
    free(values);
    free(verified);
    return status;
}

static eti_status add_run(eti_verification *out, const eti_inspector *inspector,
                          const eti_numerics_options *options, const eti_recorded_tensor *outputs,
                          uint32_t n_outputs, eti_error *err) {
    eti_verified_row row = {.block = outputs->block, .run = outputs->run};
    const eti_bundle_suite *suite;
    const eti_bundle_case *cases;
    ETI_TRY(find_suite(out, inspector, row.block, &suite, err));
    ETI_TRY(choose_case(out, row.block, options, suite, &row.test_case, err));
    ETI_TRY(read_suite(out, suite, &cases, err));
    row.method = suite->method;
    if (cases[row.test_case].n_expected == 0) {
        out->n_unverified++;
        return ETI_OK;
    }
    return verify_run(out, row, &cases[row.test_case], outputs, n_outputs, &options->tolerances,
                      err);
}

/* Counts the selected blocks that ran but recorded no output. Tensors are in block order. */
static size_t count_silent(const eti_recorded *recorded, const eti_inspector *inspector,
                           const eti_view_options *options) {
    size_t n = 0, at = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        bool has_outputs = false;
        for (; at < recorded->n && recorded->tensors[at].block == block; at++)
            has_outputs = has_outputs || !recorded->tensors[at].event;
        n += eti__block_is_chosen(options, block) && eti__block_runs(block) && !has_outputs;
    }
    return n;
}

static eti_status check_any(const eti_verification *in, eti_error *err) {
    if (in->n_compared > 0)
        return ETI_OK;
    if (in->n_unverified > 0 && in->n == 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%s: the test cases that ran have no expected outputs, so nothing can be "
                        "verified: bundle them with expected outputs",
                        in->file.name);
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "no outputs of a run can be compared with those of %s: record the outputs of "
                    "the program in the debug buffer",
                    in->file.name);
}

eti_status eti__verification_make(eti_verification *out, const eti_inspector *inspector,
                                  const eti_numerics_options *options, struct eti_file *bundle,
                                  eti_error *err) {
    *out = (eti_verification){.file = *bundle};
    *bundle = (struct eti_file){.data = NULL};
    ETI_TRY(open_bundle(out, err));
    ETI_TRY(eti__recorded_list(&out->recorded, inspector, &options->view, err));
    const eti_recorded_tensor *tensors = out->recorded.tensors;
    for (size_t i = 0, end; i < out->recorded.n; i = end) {
        end = i + 1;
        if (tensors[i].event)
            continue;
        while (end < out->recorded.n && !tensors[end].event &&
               eti__recorded_together(&tensors[i], &tensors[end]))
            end++;
        ETI_TRY(add_run(out, inspector, options, &tensors[i], (uint32_t)(end - i), err));
    }
    out->n_unverified += count_silent(&out->recorded, inspector, &options->view);
    return check_any(out, err);
}

void eti__verification_free(eti_verification *verification) {
    eti__recorded_free(&verification->recorded);
    eti__text_table_free(&verification->methods);
    eti__arena_free(&verification->arena);
    eti__file_release(&verification->file);
    free(verification->rows);
    *verification = (eti_verification){.n = 0};
}
