/*
 * compare_results.c - prints the differences of outputs from reference outputs, as
 * compare_results() of the Inspector does.
 */
#include "api/api.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "numerics/numerics.h"

#include <math.h>
#include <stdlib.h>

#define N_METRICS 3

/* Appends a number as Python's format(value, ">8.5f"). */
static void add_number(eti_buffer *out, double value) {
    if (isfinite(value))
        eti__buffer_printf(out, "%8.5f", value);
    else
        eti__buffer_printf(out, "%8s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static size_t count_pairs(const eti_event_block *block) {
    return block->n_run_outputs < block->n_reference_outputs ? block->n_run_outputs
                                                             : block->n_reference_outputs;
}

/* Returns whether the outputs of the block are compared. */
static bool is_compared(const eti_event_block *block) {
    return eti__text_is(block->name, "Execute") && count_pairs(block) > 0;
}

/* One pair of values: metrics, or none. */
typedef struct pair {
    eti_output_metrics metrics;
    bool has_metrics;
} pair;

static eti_status compare_pairs(pair *pairs, const eti_event_block *block, eti_error *err) {
    for (size_t i = 0; i < count_pairs(block); i++) {
        const eti_value *reference = &block->reference_outputs[i], *output = &block->run_outputs[i];
        eti_status status = ETI_OK;
        if (reference->kind == ETI_VALUE_TENSOR && output->kind == ETI_VALUE_TENSOR) {
            pairs[i].has_metrics = true;
            status = eti__output_metrics_compare(&pairs[i].metrics, reference->tensors,
                                                 output->tensors, err);
        }
        if (status == ETI_ERROR_DATA)
            eti__error_prefix(err, "block %.*s: output %zu", ETI_TEXT_ARGS(block->label), i);
        ETI_TRY(status);
    }
    return ETI_OK;
}

static void print_metric(eti_buffer *out, const pair *pairs, size_t n, size_t metric) {
    static const char *const names[N_METRICS] = {"snr", "mse", "cosine_similarity"};
    eti__buffer_printf(out, "%s\n--------------------\n", names[metric]);
    for (size_t i = 0; i < n; i++) {
        const eti_output_metrics *metrics = &pairs[i].metrics;
        eti__buffer_printf(out, "%-5zu", i);
        if (pairs[i].has_metrics)
            add_number(out, metric == 0   ? metrics->snr
                            : metric == 1 ? metrics->mse
                                          : metrics->cosine_similarity);
        else
            eti__buffer_printf(out, "%8s", "None");
        eti__buffer_add_char(out, '\n');
    }
    eti__buffer_add_string(out, "\n\n");
}

static eti_status print_block(eti_buffer *out, const eti_event_block *block, eti_error *err) {
    pair *pairs = calloc(count_pairs(block) + 1, sizeof *pairs);
    eti_status status = pairs ? compare_pairs(pairs, block, err) : eti_fail_memory(err);
    for (size_t i = 0; i < N_METRICS && status == ETI_OK; i++)
        print_metric(out, pairs, count_pairs(block), i);
    free(pairs);
    return status == ETI_OK && out->failed ? eti_fail_memory(err) : status;
}

static eti_status check_inputs(const eti_inspector *inspector, eti_error *err) {
    if (!inspector->record)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the reference outputs are in the ETRecord: give it with %setrecord_path",
                        eti__option_prefix());
    if (!inspector->has_debug_buffer)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "the outputs of runs are in the debug buffer: give it with %sdebug_buffer_path",
            eti__option_prefix());
    if (inspector->options.no_debug_data)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sno_debug_data ignores the outputs to compare: leave it out",
                        eti__option_prefix());
    return ETI_OK;
}

static eti_status fail_empty(const eti_inspector *inspector, eti_error *err) {
    bool has_references = false;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        has_references |= inspector->blocks.blocks[i].n_reference_outputs > 0;
    if (!has_references)
        return eti_fail(err, ETI_ERROR_DATA,
                        "%s: has no reference outputs for these runs: generate it with the test "
                        "cases of a bundled program",
                        inspector->record_file.name);
    return eti_fail(
        err, ETI_ERROR_DATA,
        "%s: has no block called Execute with outputs: record the outputs of the program",
        inspector->n_dumps > 0 ? inspector->dumps[0].file_name : "the ETDump");
}

static eti_status print_blocks(eti_buffer *out, const eti_inspector *inspector, eti_error *err) {
    bool is_empty = true;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!is_compared(block))
            continue;
        is_empty = false;
        ETI_TRY(print_block(out, block, err));
    }
    return is_empty ? fail_empty(inspector, err) : ETI_OK;
}

static eti_status compare(eti_inspector *inspector, eti_write_function write, void *context,
                          eti_error *err) {
    eti_buffer text = {0};
    ETI_TRY(check_inputs(inspector, err));
    ETI_TRY(eti_inspector_read_reference_outputs(inspector, err));
    eti_status status = print_blocks(&text, inspector, err);
    if (status == ETI_OK && !write(context, text.data, text.size))
        status = eti_fail(err, ETI_ERROR_WRITE, "cannot write the comparison of outputs");
    eti__buffer_free(&text);
    return status;
}

eti_status eti_inspector_compare_results(eti_inspector *inspector, const eti_request *request,
                                         eti_write_function write, void *context, eti_error *err) {
    const char *before = eti__set_option_prefix(request ? request->prefix : "");
    eti_status status = compare(inspector, write, context, err);
    eti__set_option_prefix(before);
    return status;
}
