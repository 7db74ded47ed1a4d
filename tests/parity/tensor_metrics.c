/*
 * tensor_metrics - compares the tensors of two files in order, and prints their metrics.
 *
 *     tensor_metrics BASE NEW RTOL ATOL
 *
 * Files are .npz or safetensors. Prints a line of JSON per pair; non-finite numbers are texts.
 */
#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "numerics/numerics.h"
#include "tensors/tensors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_double(const char *name, double value) {
    const char *quote = isfinite(value) ? "" : "\"";
    printf("\"%s\": %s%.17g%s, ", name, quote, isnan(value) ? (double)NAN : value, quote);
}

static void print_metrics(const eti_metrics *m) {
    const struct {
        const char *name;
        double value;
    } doubles[] = {
        {"gap_mse", m->gap_mse}, {"gap_l1", m->gap_l1},
        {"gap_snr", m->gap_snr}, {"mse", m->mse},
        {"l1", m->l1},           {"snr", m->snr},
        {"max_abs", m->max_abs}, {"mean_abs", m->mean_abs},
        {"rmse", m->rmse},       {"max_rel", m->max_rel},
        {"cosine", m->cosine},   {"psnr", m->psnr},
        {"ulp_max", m->ulp_max},
    };
    putchar('{');
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        print_double(doubles[i].name, doubles[i].value);
    printf("\"max_abs_at\": %" PRIu64 ", \"pairs\": %" PRIu64 ", \"mismatched\": %" PRIu64 ", ",
           m->max_abs_at, m->pairs, m->mismatched);
    printf("\"nan_base\": %" PRIu64 ", \"nan_new\": %" PRIu64 ", \"inf_base\": %" PRIu64
           ", \"inf_new\": %" PRIu64 ", ",
           m->nan_base, m->nan_new, m->inf_base, m->inf_new);
    printf("\"identical\": %s}\n", m->identical ? "true" : "false");
}

typedef struct side {
    struct eti_file file;
    eti_tensor_file tensors;
} side;

static eti_status open_side(side *out, eti_arena *arena, const char *path, eti_error *err) {
    const eti_source source = {.path = path};
    ETI_TRY(eti__file_open_source(&out->file, &source, err));
    return eti__tensor_file_open(&out->tensors, arena, &out->file, err);
}

static eti_status run(char **argv, side *base, side *newer, eti_arena *arena, eti_error *err) {
    const eti_tolerances tolerances = {strtod(argv[3], NULL), strtod(argv[4], NULL)};
    ETI_TRY(open_side(base, arena, argv[1], err));
    ETI_TRY(open_side(newer, arena, argv[2], err));
    if (base->tensors.n_tensors != newer->tensors.n_tensors)
        return eti_fail(err, ETI_ERROR_DATA, "other numbers of tensors");
    for (size_t i = 0; i < base->tensors.n_tensors; i++) {
        eti_tensor_values a, b;
        eti_metrics metrics;
        ETI_TRY(eti__tensor_file_load(&a, &base->tensors, i, arena, err));
        ETI_TRY(eti__tensor_file_load(&b, &newer->tensors, i, arena, err));
        if (eti__metrics_compare(&a, &b, &tolerances, 1, &metrics) != ETI_OK)
            return eti_fail(err, ETI_ERROR_DATA, "pair %zu cannot be compared", i);
        print_metrics(&metrics);
    }
    return ETI_OK;
}

int main(int argc, char **argv) {
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    side base = {.tensors = {.n_tensors = 0}}, newer = {.tensors = {.n_tensors = 0}};
    if (argc != 5)
        return 2;
    eti_status status = run(argv, &base, &newer, &arena, &err);
    if (status != ETI_OK)
        fprintf(stderr, "%s: %s\n", eti_status_text(status), err.message);
    eti__tensor_file_close(&base.tensors);
    eti__tensor_file_close(&newer.tensors);
    eti__arena_free(&arena);
    eti__file_release(&base.file);
    eti__file_release(&newer.file);
    return status == ETI_OK ? 0 : 3;
}
