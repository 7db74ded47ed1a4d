#include "numerics/joined.h"

#include "numerics/numerics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A difference, and its input. */
typedef struct part {
    const eti_difference *of;
    size_t input;
} part;

/* ---- the worst -------------------------------------------------------------------------------- */

static int severity(uint8_t status) {
    static const int severities[ETI_N_DIFFERENCE_STATUSES] = {
        [ETI_DIFFERENCE_COMPARED] = 0,  [ETI_DIFFERENCE_VIEW] = 1,
        [ETI_DIFFERENCE_ONLY_BASE] = 2, [ETI_DIFFERENCE_ONLY_NEW] = 3,
        [ETI_DIFFERENCE_CONTENTS] = 4,  [ETI_DIFFERENCE_TYPE] = 5,
        [ETI_DIFFERENCE_OUTSIDE] = 6,   [ETI_DIFFERENCE_SHAPE] = 7,
        [ETI_DIFFERENCE_NONFINITE] = 8,
    };
    return severities[status];
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns whether a metric is unknown although the outputs differ; `of` has the metrics of its input or inputs. */
static bool is_unknown(double value, const eti_metrics *of) {
    return isnan(value) && eti__metrics_differ(of);
}

/* Sets each metric of `out` to the worse of both; fmin() and fmax() ignore NaN. */
static void join_metrics(eti_metrics *out, const eti_metrics *other) {
    const struct {
        double *value, other;
        bool is_lowest;
    } metrics[] = {
        {&out->max_abs, other->max_abs, false}, {&out->mean_abs, other->mean_abs, false},
        {&out->rmse, other->rmse, false},       {&out->max_rel, other->max_rel, false},
        {&out->cosine, other->cosine, true},    {&out->psnr, other->psnr, true},
        {&out->ulp_max, other->ulp_max, false},
    };
    enum { N_METRICS = sizeof metrics / sizeof *metrics };
    double worst[N_METRICS];
    for (size_t i = 0; i < N_METRICS; i++) {
        const double *value = metrics[i].value, next = metrics[i].other;
        worst[i] = metrics[i].is_lowest ? fmin(*value, next) : fmax(*value, next);
        if (is_unknown(*value, out) || is_unknown(next, other))
            worst[i] = NAN;
    }
    for (size_t i = 0; i < N_METRICS; i++) /* last: max_abs shows whether outputs differ */
        *metrics[i].value = worst[i];
    out->mse = fmax(out->mse, other->mse);
    out->l1 = fmax(out->l1, other->l1);
    out->snr = fmin(out->snr, other->snr);
    out->pairs = out->pairs < other->pairs ? out->pairs : other->pairs;
    out->mismatched = larger(out->mismatched, other->mismatched);
    out->nan_base = larger(out->nan_base, other->nan_base);
    out->nan_new = larger(out->nan_new, other->nan_new);
    out->inf_base = larger(out->inf_base, other->inf_base);
    out->inf_new = larger(out->inf_new, other->inf_new);
    out->identical = out->identical && other->identical;
}

static void join_drop(eti_difference *out, const eti_difference *other) {
    if (!other->has_snr_in || (out->has_snr_in && out->snr_drop >= other->snr_drop))
        return;
    out->has_snr_in = true;
    out->snr_in = other->snr_in;
    out->snr_drop = other->snr_drop;
}

static bool has_larger_max_abs(const eti_difference *a, const eti_difference *b) {
    return !b || isnan(b->metrics.max_abs) || a->metrics.max_abs > b->metrics.max_abs;
}

/* Returns whether `other` describes the row better. */
static bool is_worse(const eti_joined_difference *out, const eti_difference *lowest,
                     const eti_difference *other) {
    if (!eti__difference_is_compared(other))
        return out->n_compared == 0 && severity(other->status) > severity(lowest->status);
    return out->n_compared == 0 || other->metrics.snr < lowest->metrics.snr;
}

double eti__joined_median(double *values, size_t n) {
    const size_t ranks[] = {(n - 1) / 2, n / 2};
    eti__select_ranks(values, n, ranks, 2);
    double low = values[ranks[0]], high = values[ranks[1]];
    return isinf(low) || low == high ? low : (low + high) / 2;
}

static void join(eti_joined_difference *out, const part *parts, size_t n, double *scratch) {
    const eti_difference *lowest = parts[0].of;
    *out = (eti_joined_difference){
        .worst = *lowest, .input = parts[0].input, .n_inputs = n, .snr_p50 = NAN};
    for (size_t i = 0; i < n; i++) {
        const eti_difference *of = parts[i].of;
        if (i > 0 && is_worse(out, lowest, of)) {
            lowest = of;
            out->worst.of = of->of;
            out->input = parts[i].input;
        }
        if (severity(of->status) > severity(out->worst.status))
            out->worst.status = of->status;
        if (out->worst.inside.size == 0)
            out->worst.inside = of->inside;
        join_drop(&out->worst, of);
        if (!eti__difference_is_compared(of))
            continue;
        if (out->n_compared == 0)
            out->worst.metrics = of->metrics;
        else
            join_metrics(&out->worst.metrics, &of->metrics);
        if (has_larger_max_abs(of, out->of_max_abs)) {
            out->of_max_abs = of;
            out->worst.metrics.max_abs_at = of->metrics.max_abs_at;
        }
        scratch[out->n_compared++] = of->metrics.snr;
    }
    if (out->n_compared > 0)
        out->snr_p50 = eti__joined_median(scratch, out->n_compared);
}

/* ---- matching points -------------------------------------------------------------------------- */

static bool ran_several_methods(const eti_input_differences *inputs, size_t n) {
    const eti_event_block *first = NULL;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < inputs[k].of->n; i++) {
            const eti_point *point = inputs[k].of->rows[i].of->newer;
            if (!point || !point->event)
                continue;
            first = first ? first : point->event->block;
            if (point->event->block->method != first->method)
                return true;
        }
    }
    return false;
}

/* Appends the key that joins the values of two inputs at one point. */
static void add_key(eti_buffer *text, const eti_matched_outputs *of, bool has_methods) {
    const eti_point *point = of->newer ? of->newer : of->base;
    text->size = 0;
    if (has_methods && point->event)
        eti__buffer_printf(text, "%zu", point->event->block->method);
    eti__buffer_printf(text, "\n%u\n", (unsigned)of->output);
    eti__buffer_add_text(text, of->key);
    if (of->key.size > 0)
        return;
    eti__buffer_printf(text, "\n%" PRId32 "\n", point->instruction);
    eti__buffer_add_text(text, point->name);
}

typedef struct joining {
    eti_joined_differences *out;
    size_t n_parts;
    uint32_t *row_of; /* per part: its row */
    part *parts;      /* grouped by row */
    size_t *ends;     /* per row: end of its parts */
    double *scratch;
} joining;

/* Assigns rows to all parts, in the order of the inputs. Returns false if memory runs out. */
static bool find_rows(joining *in, const eti_input_differences *inputs, size_t n, bool is_each) {
    eti_text_table keys = {{0}};
    eti_arena arena = {NULL};
    eti_buffer text = {0};
    bool done = true, has_methods = ran_several_methods(inputs, n);
    size_t at = 0;
    for (size_t k = 0; done && k < n; k++) {
        for (size_t i = 0; done && i < inputs[k].of->n; i++, at++) {
            in->row_of[at] = (uint32_t)at;
            if (is_each || n == 1)
                continue;
            add_key(&text, inputs[k].of->rows[i].of, has_methods);
            done = !text.failed &&
                   eti__text_table_add(&keys, eti__buffer_text(&text), &arena, &in->row_of[at]);
        }
    }
    in->out->n = is_each || n == 1 ? at : keys.count;
    eti__buffer_free(&text);
    eti__text_table_free(&keys);
    eti__arena_free(&arena);
    return done;
}

static void gather_parts(joining *in, const eti_input_differences *inputs, size_t n) {
    size_t at = 0, sum = 0;
    for (size_t i = 0; i < in->n_parts; i++)
        in->ends[in->row_of[i]]++;
    for (size_t i = 0; i < in->out->n; i++) {
        size_t count = in->ends[i];
        in->ends[i] = sum;
        sum += count;
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < inputs[k].of->n; i++, at++)
            in->parts[in->ends[in->row_of[at]]++] = (part){&inputs[k].of->rows[i], inputs[k].input};
    }
}

static bool join_all(joining *in, const eti_input_differences *inputs, size_t n, bool is_each) {
    eti_joined_differences *out = in->out;
    if (!in->row_of || !in->parts || !in->ends || !in->scratch ||
        !find_rows(in, inputs, n, is_each))
        return false;
    out->rows = calloc(out->n + 1, sizeof *out->rows);
    if (!out->rows)
        return false;
    gather_parts(in, inputs, n);
    for (size_t i = 0, first = 0; i < out->n; first = in->ends[i++]) {
        join(&out->rows[i], in->parts + first, in->ends[i] - first, in->scratch);
        out->n_compared += out->rows[i].n_compared > 0;
    }
    return true;
}

eti_status eti__differences_join(eti_joined_differences *out, const eti_input_differences *inputs,
                                 size_t n, bool is_each, eti_error *err) {
    size_t n_parts = 0;
    for (size_t k = 0; k < n; k++)
        n_parts += inputs[k].of->n;
    *out = (eti_joined_differences){.n = 0};
    if (n_parts == 0)
        return ETI_OK;
    joining in = {
        .out = out,
        .n_parts = n_parts,
        .row_of = malloc((n_parts + 1) * sizeof *in.row_of),
        .parts = malloc((n_parts + 1) * sizeof *in.parts),
        .ends = calloc(n_parts + 1, sizeof *in.ends),
        .scratch = malloc((n_parts + 1) * sizeof *in.scratch),
    };
    bool done = join_all(&in, inputs, n, is_each);
    free(in.row_of);
    free(in.parts);
    free(in.ends);
    free(in.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__joined_differences_free(eti_joined_differences *joined) {
    free(joined->rows);
    *joined = (eti_joined_differences){.n = 0};
}
