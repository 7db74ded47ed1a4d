/*
 *     header length, 8 bytes | header, with spaces up to a multiple of 8 | data
 *
 * Data are ordered by the width of their elements, the widest first, so that each element is at a
 * multiple of its width, as programs that map the file require.
 */
#include "tensors/safetensors.h"

#include "base/json_writer.h"
#include "base/sort.h"
#include "tensors/npy_write.h"
#include "tensors/tensor_files.h"

#include <stdlib.h>

static int compare_widths(const void *a, const void *b, void *context) {
    const eti_tensor_values *const *x = a, *const *y = b;
    int width_x = eti__element_type((*x)->scalar_type)->width;
    int width_y = eti__element_type((*y)->scalar_type)->width;
    (void)context;
    return width_x != width_y ? width_y - width_x : (*x > *y) - (*x < *y);
}

static eti_status add_tensor(eti_json_writer *json, const eti_tensor_values *tensor, uint64_t *at,
                             eti_error *err) {
    const char *dtype = eti__safetensors_dtype(tensor->scalar_type);
    if (!dtype)
        return eti_fail(err, ETI_ERROR_USAGE, "tensor %.*s: safetensors files do not support %s",
                        ETI_TEXT_ARGS(tensor->name), eti__element_type(tensor->scalar_type)->name);
    eti__json_add_key_text(json, tensor->name);
    eti__json_open_object(json);
    eti__json_add_member(json, "dtype", eti__text_of(dtype));
    eti__json_add_key(json, "shape");
    eti__json_open_array(json);
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        eti__json_add_i64(json, tensor->sizes[i]);
    eti__json_close_level(json);
    eti__json_add_key(json, "data_offsets");
    eti__json_open_array(json);
    eti__json_add_u64(json, *at);
    *at += eti__tensor_values_size(tensor);
    eti__json_add_u64(json, *at);
    eti__json_close_level(json);
    eti__json_close_level(json);
    return ETI_OK;
}

static eti_status add_header(eti_buffer *header, const eti_tensor_values *const *tensors, size_t n,
                             eti_error *err) {
    uint64_t at = 0;
    eti_json_writer json = eti__json_writer(header, ETI_JSON_COMPACT);
    eti__json_open_object(&json);
    for (size_t i = 0; i < n; i++)
        ETI_TRY(add_tensor(&json, tensors[i], &at, err));
    eti__json_close_level(&json);
    while (!header->failed && header->size % 8 != 0)
        eti__buffer_add_char(header, ' ');
    if (header->failed)
        return eti_fail_memory(err);
    if (header->size > ETI_SAFETENSORS_MOST_HEADER)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the header of these tensors has %zu bytes, but safetensors files allow at "
                        "most %d: save fewer, or as .npz",
                        header->size, ETI_SAFETENSORS_MOST_HEADER);
    return ETI_OK;
}

static void put_file(const eti_buffer *header, const eti_tensor_values *const *tensors, size_t n,
                     uint8_t *piece, eti_output *output) {
    uint8_t length[8];
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (uint8_t)(header->size >> (8 * i));
    eti__output_add(output, length, sizeof length);
    eti__output_add_text(output, eti__buffer_text(header));
    for (size_t i = 0; i < n; i++) {
        eti_row_major rows = {.tensor = tensors[i]};
        for (size_t size;
             !eti__output_failed(output) && (size = eti__row_major_next(&rows, piece)) > 0;)
            eti__output_add(output, piece, size);
    }
}

eti_status eti__safetensors_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                                  eti_error *err) {
    eti_buffer header = {0};
    const eti_tensor_values **order = malloc((n + !n) * sizeof *order);
    uint8_t *piece = malloc(ETI_NPY_PIECE_BYTES);
    eti_status status = order && piece ? ETI_OK : eti_fail_memory(err);
    if (status == ETI_OK) {
        for (size_t i = 0; i < n; i++)
            order[i] = &tensors[i];
        eti__sort((void *)order, n, sizeof *order, compare_widths, NULL);
        status = add_header(&header, order, n, err);
    }
    if (status == ETI_OK)
        put_file(&header, order, n, piece, output);
    eti__buffer_free(&header);
    free((void *)order);
    free(piece);
    return status;
}
