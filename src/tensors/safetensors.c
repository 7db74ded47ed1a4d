#include "tensors/safetensors.h"

#include "base/array.h"
#include "base/intern.h"
#include "base/json_writer.h"
#include "base/sort.h"
#include "tensors/npy.h"
#include "tensors/values.h"

#include <stdlib.h>
#include <string.h>

/* ==== safetensors ============================================================================= */
/* Reads safetensors files:
 *
 *     header length, 8 bytes | header | data
 *     header    {"__metadata__": {...}, "a.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
 *
 * The length is little-endian. Offsets count from the first byte after the header; the second one
 * is the end of the tensor. The header may end in spaces. */

#define ETI_SAFETENSORS_MOST_HEADER 100000000

#define LENGTH_BYTES 8

static const struct {
    const char *name;
    int8_t scalar_type;
} dtypes[] = {
    {"BOOL", 11},        {"U8", 0},           {"I8", 1},   {"F8_E5M2", 23},
    {"F8_E4M3", 24},     {"I16", 2},          {"U16", 27}, {"F16", 5},
    {"BF16", 15},        {"I32", 3},          {"U32", 28}, {"F32", 6},
    {"I64", 4},          {"U64", 29},         {"F64", 7},  {"C64", ETI_COMPLEX64},
    {"F8_E5M2FNUZ", 25}, {"F8_E4M3FNUZ", 26},
};

/* Returns the format's name of a scalar type; NULL if it has no such type. */
static const char *safetensors_dtype(int8_t scalar_type) {
    if (scalar_type == 22) /* bits16, which is called uint16 wherever it has a name */
        scalar_type = 27;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (dtypes[i].scalar_type == scalar_type)
            return dtypes[i].name;
    }
    return NULL;
}

static uint64_t header_length(const uint8_t *bytes) {
    uint64_t length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++)
        length |= (uint64_t)bytes[i] << 8 * i;
    return length;
}

bool eti__safetensors_is(const void *data, size_t size) {
    const uint8_t *bytes = data;
    return size > LENGTH_BYTES && bytes[LENGTH_BYTES] == '{' &&
           header_length(bytes) <= ETI_SAFETENSORS_MOST_HEADER;
}

/* ---- one tensor ------------------------------------------------------------------------------ */

/* A tensor and the place of its data according to the header. */
typedef struct placed_tensor {
    eti_tensor_values values;
    uint64_t begin, end;
} placed_tensor;

typedef struct safetensors_header {
    const struct eti_file *file;
    eti_arena *arena;
    const uint8_t *data;
    uint64_t n_data;
    placed_tensor *tensors;
    size_t n_tensors, capacity;
    eti_text_table names;
} safetensors_header;

static void fail_tensor(eti_json *json, const placed_tensor *tensor, const char *what) {
    eti__json_fail(json, ETI_ERROR_MALFORMED, "tensor %.*s: %s", ETI_TEXT_ARGS(tensor->values.name),
                   what);
}

static void read_dtype(eti_json *json, placed_tensor *tensor) {
    eti_text name;
    if (!eti__json_read_string(json, &name))
        return;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (!eti__text_is(name, dtypes[i].name))
            continue;
        tensor->values.scalar_type = dtypes[i].scalar_type;
        return;
    }
    eti__json_fail(json, ETI_ERROR_MALFORMED,
                   "tensor %.*s: dtype %.*s is not supported: expected one such as F32, BF16, I64, "
                   "U8, BOOL or F8_E4M3",
                   ETI_TEXT_ARGS(tensor->values.name), ETI_TEXT_ARGS(name));
}

static void read_shape(eti_json *json, eti_arena *arena, placed_tensor *tensor) {
    int64_t sizes[ETI_TENSOR_MOST_DIMS], *copy;
    uint32_t n = 0;
    if (!eti__json_enter_array(json))
        return;
    while (eti__json_next_element(json)) {
        if (n == ETI_TENSOR_MOST_DIMS)
            fail_tensor(json, tensor, "it has more than 64 dimensions");
        else if (eti__json_read_int64(json, &sizes[n]))
            n++;
    }
    copy = eti__arena_alloc(arena, n, sizeof *copy);
    if (!copy) {
        eti__json_fail_memory(json);
        return;
    }
    memcpy(copy, sizes, n * sizeof *copy);
    tensor->values.sizes = copy;
    tensor->values.n_dims = n;
}

static void read_offsets(eti_json *json, placed_tensor *tensor) {
    uint64_t offsets[2];
    size_t n = 0;
    if (!eti__json_enter_array(json))
        return;
    while (eti__json_next_element(json)) {
        if (n == 2)
            fail_tensor(json, tensor, "data_offsets is not a pair");
        else if (eti__json_read_uint64(json, &offsets[n]))
            n++;
    }
    if (n < 2) {
        fail_tensor(json, tensor, "data_offsets is not a pair");
        return;
    }
    tensor->begin = offsets[0];
    tensor->end = offsets[1];
}

enum { HAS_DTYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 };

static void read_field(eti_json *json, eti_arena *arena, eti_text key, placed_tensor *tensor,
                       unsigned *has) {
    unsigned field = eti__text_is(key, "dtype")          ? HAS_DTYPE
                     : eti__text_is(key, "shape")        ? HAS_SHAPE
                     : eti__text_is(key, "data_offsets") ? HAS_OFFSETS
                                                         : 0;
    if (*has & field)
        fail_tensor(json, tensor, "dtype, shape or data_offsets is given twice");
    *has |= field;
    switch (field) {
    case HAS_DTYPE:
        read_dtype(json, tensor);
        break;
    case HAS_SHAPE:
        read_shape(json, arena, tensor);
        break;
    case HAS_OFFSETS:
        read_offsets(json, tensor);
        break;
    default:
        eti__json_skip(json);
        break;
    }
}

static void check_tensor(eti_json *json, const safetensors_header *header, placed_tensor *tensor) {
    const char *wrong = eti__tensor_values_count(&tensor->values);
    uint64_t size = eti__tensor_values_size(&tensor->values);
    if (wrong)
        fail_tensor(json, tensor, wrong);
    else if (tensor->begin > tensor->end || tensor->end > header->n_data)
        eti__json_fail(json, ETI_ERROR_MALFORMED,
                       "tensor %.*s: its data from byte %llu to %llu lie outside the %llu bytes "
                       "after the header",
                       ETI_TEXT_ARGS(tensor->values.name), (unsigned long long)tensor->begin,
                       (unsigned long long)tensor->end, (unsigned long long)header->n_data);
    else if (tensor->end - tensor->begin != size)
        eti__json_fail(json, ETI_ERROR_MALFORMED,
                       "tensor %.*s: expected %llu bytes of data for its shape and dtype, found "
                       "%llu",
                       ETI_TEXT_ARGS(tensor->values.name), (unsigned long long)size,
                       (unsigned long long)(tensor->end - tensor->begin));
    else if (size > 0)
        tensor->values.data = header->data + tensor->begin;
}

static void read_tensor(eti_json *json, safetensors_header *header, eti_text name) {
    placed_tensor tensor = {.begin = 0};
    uint32_t number;
    unsigned has = 0;
    eti_text key;
    if (!eti__arena_copy_text(header->arena, name, &tensor.values.name) ||
        !eti__text_table_add(&header->names, tensor.values.name, NULL, &number) ||
        !ETI_GROW(header->tensors, header->capacity, header->n_tensors + 1)) {
        eti__json_fail_memory(json);
        return;
    }
    if (number < header->n_tensors)
        fail_tensor(json, &tensor, "another tensor has the same name");
    if (!eti__json_enter_object(json))
        return;
    while (eti__json_next_key(json, &key))
        read_field(json, header->arena, key, &tensor, &has);
    if (has != HAS_ALL)
        fail_tensor(json, &tensor, "dtype, shape or data_offsets is missing");
    if (eti__json_failed(json))
        return;
    check_tensor(json, header, &tensor);
    header->tensors[header->n_tensors++] = tensor;
}

/* ---- all tensors ----------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b, void *context) {
    const placed_tensor *x = a, *y = b;
    (void)context;
    int order = (x->begin > y->begin) - (x->begin < y->begin);
    return order != 0 ? order : (x->end > y->end) - (x->end < y->end);
}

/* Checks that each tensor begins where the previous one ends, and that the last one ends with the file. */
static eti_status check_cover(const safetensors_header *header, eti_error *err) {
    uint64_t at = 0;
    for (size_t i = 0; i < header->n_tensors; i++) {
        const placed_tensor *tensor = &header->tensors[i];
        if (tensor->begin != at)
            return eti_fail(
                err, ETI_ERROR_MALFORMED,
                "%s: tensor %.*s: its data begin at byte %llu, but the data of the previous tensor "
                "end at %llu: safetensors files have no overlaps and no holes",
                header->file->name, ETI_TEXT_ARGS(tensor->values.name),
                (unsigned long long)tensor->begin, (unsigned long long)at);
        at = tensor->end;
    }
    if (at != header->n_data)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: %llu bytes of data follow the header, but the tensors take only %llu",
                        header->file->name, (unsigned long long)header->n_data,
                        (unsigned long long)at);
    return ETI_OK;
}

static eti_status take_tensors(eti_safetensors *out, safetensors_header *header, eti_error *err) {
    eti_tensor_values *tensors =
        eti__arena_alloc(header->arena, header->n_tensors, sizeof *tensors);
    if (!tensors)
        return eti_fail_memory(err);
    for (size_t i = 0; i < header->n_tensors; i++) {
        tensors[i] = header->tensors[i].values;
        int64_t *strides = eti__arena_alloc(header->arena, tensors[i].n_dims, sizeof *strides);
        if (!strides)
            return eti_fail_memory(err);
        eti__tensor_values_dense_strides(&tensors[i], false, strides);
        tensors[i].strides = strides;
    }
    *out = (eti_safetensors){tensors, header->n_tensors};
    return ETI_OK;
}

static eti_status read_header(safetensors_header *header, eti_text text, eti_error *err) {
    eti_json json;
    eti_text key;
    eti__json_open_text(&json, text);
    json.refuses_nan = true;
    if (eti__json_enter_object(&json)) {
        while (eti__json_next_key(&json, &key)) {
            if (eti__text_is(key, "__metadata__"))
                eti__json_skip(&json);
            else
                read_tensor(&json, header, key);
        }
    }
    eti_status status = eti__json_close(&json, err);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s: header", header->file->name);
    return status;
}

static eti_status find_header(safetensors_header *header, eti_text *text, eti_error *err) {
    const struct eti_file *file = header->file;
    if (file->size < LENGTH_BYTES)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected a safetensors file, found %zu bytes", file->name, file->size);
    uint64_t length = header_length(file->data);
    if (length > ETI_SAFETENSORS_MOST_HEADER)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%s: a header of %llu bytes; safetensors files allow at most %d",
                        file->name, (unsigned long long)length, ETI_SAFETENSORS_MOST_HEADER);
    if (length > file->size - LENGTH_BYTES)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected a header of %llu bytes, found %zu: the file was cut short or "
                        "is not a safetensors file",
                        file->name, (unsigned long long)length, file->size - LENGTH_BYTES);
    *text = (eti_text){(const char *)file->data + LENGTH_BYTES, (size_t)length};
    header->data = file->data + LENGTH_BYTES + length;
    header->n_data = file->size - LENGTH_BYTES - length;
    return ETI_OK;
}

eti_status eti__safetensors_read(eti_safetensors *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) {
    safetensors_header header = {.file = file, .arena = arena};
    eti_text text = {NULL, 0};
    *out = (eti_safetensors){NULL, 0};
    ETI_TRY(find_header(&header, &text, err));
    eti_status status = read_header(&header, text, err);
    if (status == ETI_OK) {
        eti__sort(header.tensors, header.n_tensors, sizeof *header.tensors, compare_places, NULL);
        status = check_cover(&header, err);
    }
    if (status == ETI_OK)
        status = take_tensors(out, &header, err);
    eti__text_table_free(&header.names);
    free(header.tensors);
    return status;
}

/* ==== safetensors write ======================================================================= */

/*
 *     header length, 8 bytes | header, with spaces up to a multiple of 8 | data
 *
 * Data are ordered by the width of their elements, the widest first, so that each element is at a
 * multiple of its width, as programs that map the file require.
 */

static int compare_widths(const void *a, const void *b, void *context) {
    const eti_tensor_values *const *x = a, *const *y = b;
    int width_x = eti__element_type((*x)->scalar_type)->width;
    int width_y = eti__element_type((*y)->scalar_type)->width;
    (void)context;
    return width_x != width_y ? width_y - width_x : (*x > *y) - (*x < *y);
}

static eti_status add_tensor(eti_json_writer *json, const eti_tensor_values *tensor, uint64_t *at,
                             eti_error *err) {
    const char *dtype = safetensors_dtype(tensor->scalar_type);
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
