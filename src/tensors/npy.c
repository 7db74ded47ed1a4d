/*
 * npy.c - reads .npy files:
 *
 *     "\x93NUMPY" major minor | header length, 2 bytes in version 1, else 4 | header | data
 *     header    {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    then spaces and a line feed
 *
 * The length is little-endian; descr contains the byte order, the kind and the size of an element.
 */
#include "tensors/npy.h"
#include "base/status.h"

#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6

bool eti__npy_is(const void *data, size_t size) {
    return size >= MAGIC_BYTES && memcmp(data, MAGIC, MAGIC_BYTES) == 0;
}

/* ---- the dict -------------------------------------------------------------------------------- */

typedef struct npy_dict {
    const char *at, *end;
    eti_text descr; /* absent until it is read */
    bool has_order, is_fortran_order;
    bool has_shape;
    uint32_t n_dims;
    int64_t sizes[ETI_TENSOR_MOST_DIMS];
    const char *wrong; /* the first fault */
} npy_dict;

/* Returns false, so that callers can return the result. */
static bool fail_dict(npy_dict *dict, const char *wrong) {
    if (!dict->wrong)
        dict->wrong = wrong;
    return false;
}

static void skip_space(npy_dict *dict) {
    while (dict->at < dict->end && (eti__is_blank(*dict->at) || *dict->at == '\n'))
        dict->at++;
}

/* Takes `c` after optional white space. */
static bool take_char(npy_dict *dict, char c) {
    skip_space(dict);
    bool is_there = dict->at < dict->end && *dict->at == c;
    dict->at += is_there;
    return is_there;
}

static bool take_word(npy_dict *dict, const char *word) {
    size_t size = strlen(word);
    skip_space(dict);
    if ((size_t)(dict->end - dict->at) < size || memcmp(dict->at, word, size) != 0)
        return false;
    dict->at += size;
    return true;
}

static bool take_text(npy_dict *dict, eti_text *out) {
    skip_space(dict);
    if (dict->at == dict->end || (*dict->at != '\'' && *dict->at != '"'))
        return false;
    char quote = *dict->at++;
    const char *end = memchr(dict->at, quote, (size_t)(dict->end - dict->at));
    if (!end)
        return false;
    *out = (eti_text){dict->at, (size_t)(end - dict->at)};
    dict->at = end + 1;
    return !memchr(out->data, '\\', out->size);
}

static bool take_size(npy_dict *dict, int64_t *size) {
    const char *from = dict->at;
    *size = 0;
    for (; dict->at < dict->end && eti__is_digit(*dict->at); dict->at++) {
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, *dict->at - '0', size))
            return fail_dict(dict, "a size has more than 64 bits");
    }
    if (dict->at == from)
        return fail_dict(dict, "the shape is not a tuple of sizes");
    if (dict->at < dict->end && *dict->at == 'L') /* Python 2 wrote long integers this way */
        dict->at++;
    return true;
}

static bool take_shape(npy_dict *dict) {
    bool goes_on = true;
    if (!take_char(dict, '('))
        return fail_dict(dict, "the shape is not a tuple of sizes");
    for (; !take_char(dict, ')'); goes_on = take_char(dict, ',')) {
        if (!goes_on)
            return fail_dict(dict, "the shape is not a tuple of sizes");
        if (dict->n_dims == ETI_TENSOR_MOST_DIMS)
            return fail_dict(dict, "the array has more than 64 dimensions");
        skip_space(dict);
        if (!take_size(dict, &dict->sizes[dict->n_dims]))
            return false;
        dict->n_dims++;
    }
    dict->has_shape = true;
    return true;
}

static bool take_order(npy_dict *dict) {
    dict->has_order = true;
    dict->is_fortran_order = take_word(dict, "True");
    return dict->is_fortran_order || take_word(dict, "False") ||
           fail_dict(dict, "fortran_order is neither True nor False");
}

static bool take_descr(npy_dict *dict) {
    if (take_char(dict, '['))
        return fail_dict(dict, "an array of structures; only arrays of numbers are supported");
    return take_text(dict, &dict->descr) || fail_dict(dict, "descr is not a string");
}

static bool take_item(npy_dict *dict) {
    eti_text key;
    if (!take_text(dict, &key) || !take_char(dict, ':'))
        return fail_dict(dict, "the header is not a dict of three keys");
    if (eti__text_is(key, "descr") && !dict->descr.data)
        return take_descr(dict);
    if (eti__text_is(key, "fortran_order") && !dict->has_order)
        return take_order(dict);
    if (eti__text_is(key, "shape") && !dict->has_shape)
        return take_shape(dict);
    return fail_dict(
        dict, "the header has a key twice, or a key other than descr, fortran_order and shape");
}

static bool take_dict(npy_dict *dict) {
    bool goes_on = true;
    if (!take_char(dict, '{'))
        return fail_dict(dict, "the header is not a dict of three keys");
    for (; !take_char(dict, '}'); goes_on = take_char(dict, ',')) {
        if (!goes_on || !take_item(dict))
            return fail_dict(dict, "the header is not a dict of three keys");
    }
    skip_space(dict);
    if (dict->at != dict->end)
        return fail_dict(dict, "the header has text after the dict");
    return (dict->descr.data && dict->has_order && dict->has_shape) ||
           fail_dict(dict, "the header lacks descr, fortran_order or shape");
}

/* ---- types ----------------------------------------------------------------------------------- */

static const struct {
    char kind, width;
    int8_t scalar_type;
} number_types[] = {
    {'b', '1', 11}, {'i', '1', 1},  {'i', '2', 2},  {'i', '4', 3}, {'i', '8', 4}, {'u', '1', 0},
    {'u', '2', 27}, {'u', '4', 28}, {'u', '8', 29}, {'f', '2', 5}, {'f', '4', 6}, {'f', '8', 7},
};

static const struct {
    char kind;
    const char *name;
} other_types[] = {
    {'O', "Python objects, which are pickles"},
    {'V', "raw bytes or structures; bfloat16 is also saved this way: save it as float32"},
    {'S', "byte strings"},
    {'a', "byte strings"},
    {'U', "texts"},
    {'c', "complex numbers"},
    {'M', "dates"},
    {'m', "time spans"},
    {'f', "floats of this width"},
    {'g', "floats of this width"},
};

static eti_status fail_type(eti_text descr, eti_error *err) {
    const char *name = "a type that numpy does not have";
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++) {
        if (descr.size > 1 && descr.data[1] == other_types[i].kind)
            name = other_types[i].name;
    }
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "dtype %.*s is not supported: expected bool, integers or floats of 16, 32 or "
                    "64 bits, found %s",
                    ETI_TEXT_ARGS(descr), name);
}

/* Reads the type of elements. '=', the machine's own order, counts as little-endian, which is the order of all machines
 * but one for which numpy is built. */
static eti_status read_type(eti_npy_header *out, eti_tensor_values *values, eti_text descr,
                            eti_error *err) {
    if (descr.size != 3 || descr.data[0] == '\0' || !strchr("<>|=", descr.data[0]))
        return fail_type(descr, err);
    for (size_t i = 0; i < sizeof number_types / sizeof *number_types; i++) {
        if (descr.data[1] != number_types[i].kind || descr.data[2] != number_types[i].width)
            continue;
        values->scalar_type = number_types[i].scalar_type;
        out->is_big_endian = descr.data[0] == '>' && number_types[i].width > '1';
        return ETI_OK;
    }
    return fail_type(descr, err);
}

/* ---- the array ------------------------------------------------------------------------------- */

static eti_status set_shape(eti_tensor_values *values, eti_arena *arena, const npy_dict *dict,
                            eti_error *err) {
    int64_t *sizes = eti__arena_alloc(arena, dict->n_dims, sizeof *sizes);
    int64_t *strides = eti__arena_alloc(arena, dict->n_dims, sizeof *strides);
    if (!sizes || !strides)
        return eti_fail_memory(err);
    memcpy(sizes, dict->sizes, dict->n_dims * sizeof *sizes);
    values->sizes = sizes;
    values->strides = strides;
    values->n_dims = dict->n_dims;
    const char *wrong = eti__tensor_values_count(values);
    if (wrong)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the shape of the array is impossible: %s",
                        wrong);
    eti__tensor_values_dense_strides(values, dict->is_fortran_order, strides);
    return ETI_OK;
}

/* Finds the dict after the magic number, version and length. */
static eti_status find_dict(eti_text *dict, eti_npy_header *out, eti_text beginning,
                            eti_error *err) {
    const uint8_t *bytes = (const uint8_t *)beginning.data;
    if (!eti__npy_is(bytes, beginning.size))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "expected a .npy file, which begins with \\x93NUMPY, found other bytes");
    if (beginning.size < 12)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the array was cut short in its header");
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "expected version 1.0, 2.0 or 3.0 of .npy files, found %d.%d", bytes[6],
                        bytes[7]);
    uint32_t before = bytes[6] == 1 ? 10 : 12;
    uint64_t size = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
    if (bytes[6] > 1)
        size |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
    if (size > ETI_NPY_MOST_BEFORE_DATA - before)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "the header of the array has %llu bytes; at most %u are supported",
                        (unsigned long long)size, ETI_NPY_MOST_BEFORE_DATA - before);
    if (size > beginning.size - before)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the array was cut short in its header");
    *dict = (eti_text){beginning.data + before, (size_t)size};
    out->data_offset = before + (uint32_t)size;
    return ETI_OK;
}

eti_status eti__npy_read_header(eti_npy_header *out, eti_tensor_values *values, eti_arena *arena,
                                eti_text beginning, uint64_t size, eti_error *err) {
    eti_text text = {NULL, 0};
    *values = (eti_tensor_values){.name = {NULL, 0}};
    ETI_TRY(find_dict(&text, out, beginning, err));
    npy_dict dict = {.at = text.data, .end = text.data + text.size};
    if (!take_dict(&dict))
        return eti_fail(err, ETI_ERROR_MALFORMED, "header of the array: %s", dict.wrong);
    ETI_TRY(read_type(out, values, dict.descr, err));
    ETI_TRY(set_shape(values, arena, &dict, err));
    uint64_t expected = eti__tensor_values_size(values);
    if (size - out->data_offset != expected)
        return eti_fail(
            err, ETI_ERROR_MALFORMED,
            "an array of this shape and dtype has %llu bytes, but %llu follow its header",
            (unsigned long long)expected, (unsigned long long)(size - out->data_offset));
    return ETI_OK;
}

eti_status eti__npy_set_data(eti_tensor_values *values, eti_arena *arena,
                             const eti_npy_header *header, const uint8_t *data, eti_error *err) {
    size_t width = eti__element_type(values->scalar_type)->width;
    size_t size = (size_t)eti__tensor_values_size(values);
    values->data = size > 0 ? data : NULL;
    if (!header->is_big_endian || size == 0)
        return ETI_OK;
    uint8_t *turned = eti__arena_alloc(arena, size, 1);
    if (!turned)
        return eti_fail_memory(err);
    for (size_t at = 0; at < size; at += width) {
        for (size_t i = 0; i < width; i++)
            turned[at + i] = data[at + width - 1 - i];
    }
    values->data = turned;
    return ETI_OK;
}

eti_status eti__npy_read(eti_tensor_values *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    eti_npy_header header = {0};
    const eti_text all = {(const char *)file->data, file->size};
    eti_status status = eti__npy_read_header(&header, out, arena, all, file->size, err);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s", file->name);
    ETI_TRY(status);
    return eti__npy_set_data(out, arena, &header, file->data + header.data_offset, err);
}
