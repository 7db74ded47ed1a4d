#include "tensors/npy_write.h"

#include "tensors/tensor_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BFLOAT16 15
#define HEADER_ALIGNMENT 64

/* Types of elements in .npy files, by ExecuTorch's numbers. */
static const char *const descrs[] = {
    [0] = "|u1",  [1] = "|i1",  [2] = "<i2",  [3] = "<i4",  [4] = "<i8",
    [5] = "<f2",  [6] = "<f4",  [7] = "<f8",  [11] = "|b1", [BFLOAT16] = "<f4",
    [22] = "<u2", [27] = "<u2", [28] = "<u4", [29] = "<u8",
};

static bool is_widened(const eti_tensor_values *tensor) {
    return tensor->scalar_type == BFLOAT16;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Converts the `n` bfloat16 in the first half of `piece` to float32, of which they are the upper
 * halves. */
static void widen(uint8_t *piece, uint64_t n) {
    while (n-- > 0) {
        const uint8_t low = piece[2 * n], high = piece[2 * n + 1];
        const uint8_t wide[4] = {0, 0, low, high};
        memcpy(piece + 4 * n, wide, sizeof wide);
    }
}

size_t eti__row_major_next(eti_row_major *rows, void *piece) {
    const eti_tensor_values *tensor = rows->tensor;
    size_t width = rows->is_widened ? 4 : eti__element_type(tensor->scalar_type)->width;
    uint64_t left = tensor->n_elements - rows->next, most = ETI_NPY_PIECE_BYTES / width;
    uint64_t n = left < most ? left : most;
    if (n == 0)
        return 0;
    eti__tensor_values_copy(tensor, rows->next, n, piece);
    if (rows->is_widened)
        widen(piece, n);
    rows->next += n;
    return (size_t)n * width;
}

eti_row_major eti__npy_rows(const eti_tensor_values *tensor) {
    return (eti_row_major){tensor, 0, is_widened(tensor)};
}

uint64_t eti__npy_data_size(const eti_tensor_values *tensor) {
    return eti__tensor_values_size(tensor) * (is_widened(tensor) ? 2 : 1);
}

/* ---- files ----------------------------------------------------------------------------------- */

static eti_status fail_type(const eti_tensor_values *tensor, eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE,
                    "tensor %.*s: .npy files do not support %s: save it as .safetensors",
                    ETI_TEXT_ARGS(tensor->name), eti__element_type(tensor->scalar_type)->name);
}

/* Adds the header; the shape of one dimension is written (3,). */
eti_status eti__npy_add_header(eti_buffer *out, const eti_tensor_values *tensor, eti_error *err) {
    size_t type = (size_t)tensor->scalar_type, start = out->size;
    if (tensor->scalar_type < 0 || type >= sizeof descrs / sizeof *descrs || !descrs[type])
        return fail_type(tensor, err);
    eti__buffer_add(out, "\x93NUMPY\1\0..", 10);
    eti__buffer_printf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (", descrs[type]);
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        eti__buffer_printf(out, "%s%" PRId64 "%s", i > 0 ? " " : "", tensor->sizes[i],
                           i + 1 < tensor->n_dims || tensor->n_dims == 1 ? "," : "");
    eti__buffer_add_string(out, "), }");
    while (!out->failed && (out->size - start) % HEADER_ALIGNMENT != HEADER_ALIGNMENT - 1)
        eti__buffer_add_char(out, ' ');
    eti__buffer_add_char(out, '\n');
    if (out->failed)
        return ETI_OK;
    size_t length = out->size - start - 10;
    out->data[start + 8] = (char)(length & 0xff);
    out->data[start + 9] = (char)(length >> 8); /* 64 dimensions have fewer than 2,000 bytes */
    return ETI_OK;
}

eti_status eti__npy_write(const eti_tensor_values *tensor, eti_output *output, eti_error *err) {
    eti_buffer header = {0};
    uint8_t *piece = malloc(ETI_NPY_PIECE_BYTES);
    eti_status status = eti__npy_add_header(&header, tensor, err);
    if (status == ETI_OK && (!piece || header.failed))
        status = eti_fail_memory(err);
    if (status == ETI_OK) {
        eti_row_major rows = eti__npy_rows(tensor);
        eti__output_add_text(output, eti__buffer_text(&header));
        for (size_t n; !eti__output_failed(output) && (n = eti__row_major_next(&rows, piece)) > 0;)
            eti__output_add(output, piece, n);
    }
    eti__buffer_free(&header);
    free(piece);
    return status;
}
