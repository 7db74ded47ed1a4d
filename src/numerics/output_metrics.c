#include "numerics/output_metrics.h"

#include "base/status.h"
#include "base/text.h"
#include "model/model.h"
#include "tensors/tensors.h"

#include <inttypes.h>
#include <math.h>

#define N ETI_ELEMENTS_AT_ONCE

/* ---- elements --------------------------------------------------------------------------------- */

static eti_status view(eti_tensor_values *out, int64_t strides[ETI_TENSOR_MOST_DIMS],
                       const eti_tensor *tensor, const char *what, eti_error *err) {
    *out = (eti_tensor_values){.scalar_type = tensor->scalar_type,
                               .n_dims = (uint32_t)tensor->n_dims,
                               .sizes = tensor->sizes,
                               .strides = tensor->strides,
                               .data = tensor->data};
    if (!eti__elements_are_readable(tensor->scalar_type))
        return eti_fail(err, ETI_ERROR_DATA,
                        "the %s has elements of the type %s, which cannot be "
                        "read",
                        what, tensor->dtype);
    const char *fault = tensor->n_dims > ETI_TENSOR_MOST_DIMS ? "it has more than 64 dimensions"
                                                              : eti__tensor_values_count(out);
    if (fault)
        return eti_fail(err, ETI_ERROR_DATA, "the %s cannot be read: %s", what, fault);
    if (out->n_elements > 0 && !out->data)
        return eti_fail(err, ETI_ERROR_DATA, "the %s has no data", what);
    if (out->strides && eti__elements_are_dense(out))
        return ETI_OK;
    eti__tensor_values_dense_strides(out, false, strides);
    out->strides = strides;
    return ETI_OK;
}

static void load(const eti_tensor_values *values, uint64_t first, size_t n, float *out) {
    uint8_t room[N * 8];
    double wide[N];
    const uint8_t *bytes =
        eti__elements_at(values, eti__tensor_values_are_row_major(values), first, n, room);
    if (eti__elements_fit_floats(values->scalar_type)) {
        eti__elements_as_floats(values->scalar_type, bytes, n, out);
        return;
    }
    eti__elements_as_doubles(values->scalar_type, bytes, n, wide);
    for (size_t i = 0; i < n; i++)
        out[i] = (float)wide[i];
}

static void add_shape(eti_buffer *out, const eti_tensor *tensor) {
    size_t n = tensor->n_dims < ETI_TENSOR_MOST_DIMS ? tensor->n_dims : ETI_TENSOR_MOST_DIMS;
    eti__buffer_add_sizes(out, tensor->sizes, n);
}

static eti_status check_shapes(const eti_tensor *reference, const eti_tensor *output,
                               eti_error *err) {
    if (eti__sizes_equal(reference->sizes, reference->n_dims, output->sizes, output->n_dims))
        return ETI_OK;
    eti_buffer text = {0};
    add_shape(&text, output);
    eti__buffer_add_string(&text, ", the reference output the shape ");
    add_shape(&text, reference);
    eti_text shapes = eti__buffer_text(&text);
    eti_status status = text.failed ? eti_fail_memory(err)
                                    : eti_fail(err, ETI_ERROR_DATA, "the output has the shape %.*s",
                                               ETI_TEXT_ARGS(shapes));
    eti__buffer_free(&text);
    return status;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Sums of floats, in doubles; torch's own, in floats, have about as many digits as a float. */
typedef struct float_sums {
    double a2, b2, d2, ab;
} float_sums;

static void add_block(float_sums *sums, const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float d = a[i] - b[i];
        sums->a2 += (double)(a[i] * a[i]);
        sums->b2 += (double)(b[i] * b[i]);
        sums->d2 += (double)(d * d);
        sums->ab += (double)(a[i] * b[i]);
    }
}

double eti__round_to_cents(double value) {
    char text[64];
    int64_t cents = 0;
    /* beyond this, a double has at most two decimals, or is not finite */
    if (!(fabs(value) < 0x1p46))
        return value;
    (void)eti__snprintf(text, sizeof text, "%.2f", fabs(value));
    for (const char *at = text; *at; at++) { /* skips the decimal point */
        if (eti__is_digit(*at))
            cents = cents * 10 + (*at - '0');
    }
    return copysign((double)cents / 100, value);
}

static void finish(eti_output_metrics *out, const float_sums *sums, uint64_t n) {
    float power = (float)(sums->a2 / (double)n), noise = (float)(sums->d2 / (double)n);
    float magnitudes = sqrtf((float)sums->a2) * sqrtf((float)sums->b2);
    out->snr = eti__round_to_cents((double)(10.0F * log10f(power / noise)));
    out->mse = eti__round_to_cents((double)noise);
    out->cosine_similarity = eti__round_to_cents((double)((float)sums->ab / magnitudes));
}

eti_status eti__output_metrics_compare(eti_output_metrics *out, const eti_tensor *reference,
                                       const eti_tensor *output, eti_error *err) {
    int64_t strides[2][ETI_TENSOR_MOST_DIMS];
    eti_tensor_values a, b;
    float_sums sums = {0, 0, 0, 0};
    ETI_TRY(view(&a, strides[0], reference, "reference output", err));
    ETI_TRY(view(&b, strides[1], output, "output", err));
    ETI_TRY(check_shapes(reference, output, err));
    for (uint64_t first = 0; first < a.n_elements; first += N) {
        float x[N], y[N];
        size_t n = a.n_elements - first < N ? (size_t)(a.n_elements - first) : N;
        load(&a, first, n, x);
        load(&b, first, n, y);
        add_block(&sums, x, y, n);
    }
    finish(out, &sums, a.n_elements);
    return ETI_OK;
}
