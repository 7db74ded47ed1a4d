#define ZLIB_CONST

#include "tensors/npy.h"

#include "base/intern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ==== npy ===================================================================================== */
/* Reads .npy files:
 *
 *     "\x93NUMPY" major minor | header length, 2 bytes in version 1, else 4 | header | data
 *     header    {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    then spaces and a line feed
 *
 * The length is little-endian; descr contains the byte order, the kind and the size of an element. */

/* Largest size of magic number and header; numpy, too, rejects headers of more than 10,000 bytes. */
#define ETI_NPY_MOST_BEFORE_DATA 10012

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

/* Reads the header of an array from `beginning`, the first of `size` bytes: at least ETI_NPY_MOST_BEFORE_DATA of them, or
 * all. Sets all of `values` except for name and data. Messages do not name the file. ETI_ERROR_MALFORMED: not an array,
 * an unsupported type, or a size that does not match the array; ETI_ERROR_LIMIT: a longer header; ETI_ERROR_MEMORY. */
static eti_status read_npy_header(eti_npy_header *out, eti_tensor_values *values, eti_arena *arena,
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

/* Sets the data of an array, given the bytes after its header: a view of these, or if they are big-endian, a copy in
 * `arena`. ETI_ERROR_MEMORY. */
static eti_status set_npy_data(eti_tensor_values *values, eti_arena *arena,
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
    eti_status status = read_npy_header(&header, out, arena, all, file->size, err);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s", file->name);
    ETI_TRY(status);
    return set_npy_data(out, arena, &header, file->data + header.data_offset, err);
}

/* ==== npz ===================================================================================== */

#define USUAL_BEFORE_DATA 128 /* header size that is enough for all shapes but the largest */

static eti_status name_member(const eti_npz *npz, const eti_zip_member *member, eti_status status,
                              eti_error *err) {
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s: member %.*s", npz->zip.file->name, ETI_TEXT_ARGS(member->name));
    return status;
}

/* Returns the name of an array; absent if the member is not an array. */
static eti_text array_name(eti_text name) {
    static const char suffix[] = ".npy";
    size_t size = sizeof suffix - 1;
    if (name.size < size || memcmp(name.data + name.size - size, suffix, size) != 0)
        return (eti_text){NULL, 0};
    return (eti_text){name.data, name.size - size};
}

/* Reads a header. Most are short; the largest possible number of bytes is read only if this one is not. */
static eti_status read_header(eti_npz *npz, const eti_zip_member *member, eti_npz_array *array,
                              eti_tensor_values *values, eti_arena *arena, eti_error *err) {
    char beginning[ETI_NPY_MOST_BEFORE_DATA];
    size_t n;
    ETI_TRY(eti__zip_member_begin(&npz->zip, member, beginning, USUAL_BEFORE_DATA, &n, err));
    bool is_longer = n == USUAL_BEFORE_DATA &&
                     ((uint8_t)beginning[8] > USUAL_BEFORE_DATA - 12 || beginning[9] != 0 ||
                      ((uint8_t)beginning[6] > 1 && (beginning[10] != 0 || beginning[11] != 0)));
    if (is_longer)
        ETI_TRY(eti__zip_member_begin(&npz->zip, member, beginning, sizeof beginning, &n, err));
    array->member = member;
    return read_npy_header(&array->header, values, arena, (eti_text){beginning, n}, member->size,
                           err);
}

static eti_status read_headers(eti_npz *npz, eti_text_table *names, eti_arena *arena,
                               eti_error *err) {
    for (size_t i = 0; i < npz->zip.n_members; i++) {
        const eti_zip_member *member = &npz->zip.members[i];
        eti_text name;
        uint32_t number;
        if (!eti__arena_own_text(arena, array_name(member->name), &name))
            return eti_fail_memory(err);
        if (!name.data)
            continue;
        if (!eti__text_table_add(names, name, NULL, &number))
            return eti_fail_memory(err);
        eti_status status =
            read_header(npz, member, &npz->arrays[number], &npz->tensors[number], arena, err);
        ETI_TRY(name_member(npz, member, status, err));
        npz->tensors[number].name = name;
    }
    npz->n_tensors = names->count;
    if (npz->n_tensors == 0 && npz->zip.n_members > 0)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected .npy files in an .npz file, found a ZIP without any",
                        npz->zip.file->name);
    return ETI_OK;
}

eti_status eti__npz_open(eti_npz *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    eti_text_table names = {0};
    *out = (eti_npz){.n_tensors = 0};
    ETI_TRY(eti__zip_open_large(&out->zip, arena, file, ETI_ZIP_TENSORS, err));
    out->tensors = eti__arena_alloc(arena, out->zip.n_members, sizeof *out->tensors);
    out->arrays = eti__arena_alloc(arena, out->zip.n_members, sizeof *out->arrays);
    if (!out->tensors || !out->arrays)
        return eti_fail_memory(err);
    eti_status status = read_headers(out, &names, arena, err);
    eti__text_table_free(&names);
    return status;
}

eti_status eti__npz_load(eti_tensor_values *out, eti_npz *npz, size_t i, eti_arena *arena,
                         eti_error *err) {
    const eti_npz_array *array = &npz->arrays[i];
    eti_text bytes = {NULL, 0};
    *out = npz->tensors[i];
    ETI_TRY(name_member(npz, array->member,
                        eti__zip_member_load(&bytes, arena, &npz->zip, array->member, err), err));
    const uint8_t *data = (const uint8_t *)bytes.data + array->header.data_offset;
    return set_npy_data(out, arena, &array->header, data, err);
}

/* ==== npy write =============================================================================== */

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

/* Starts at the first element, as .npy files store it. */
static eti_row_major npy_rows(const eti_tensor_values *tensor) {
    return (eti_row_major){tensor, 0, is_widened(tensor)};
}

/* Returns the number of bytes of the elements in a .npy file. */
static uint64_t npy_data_size(const eti_tensor_values *tensor) {
    return eti__tensor_values_size(tensor) * (is_widened(tensor) ? 2 : 1);
}

/* ---- files ----------------------------------------------------------------------------------- */

static eti_status fail_written_type(const eti_tensor_values *tensor, eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE,
                    "tensor %.*s: .npy files do not support %s: save it as .safetensors",
                    ETI_TEXT_ARGS(tensor->name), eti__element_type(tensor->scalar_type)->name);
}

/* Adds the header; the shape of one dimension is written (3,). */
eti_status eti__npy_add_header(eti_buffer *out, const eti_tensor_values *tensor, eti_error *err) {
    size_t type = (size_t)tensor->scalar_type, start = out->size;
    if (tensor->scalar_type < 0 || type >= sizeof descrs / sizeof *descrs || !descrs[type])
        return fail_written_type(tensor, err);
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
        eti_row_major rows = npy_rows(tensor);
        eti__output_add_text(output, eti__buffer_text(&header));
        for (size_t n; !eti__output_failed(output) && (n = eti__row_major_next(&rows, piece)) > 0;)
            eti__output_add(output, piece, n);
    }
    eti__buffer_free(&header);
    free(piece);
    return status;
}

/* ==== npz write =============================================================================== */

/*
 * An .npz file is a ZIP whose members are .npy files, stored:
 *
 *     file       member ... | directory entry ... | [zip64 end | where that is] | end
 * member     "PK\3\4" needed flags method time date 0 0 0 name_n extra_n | name | extra | bytes | "PK\7\10" crc32 size size
 *
 * The checksum and sizes of a member follow it, so that its elements are read once. Numbers that do not fit into 4 bytes are
 * replaced by all ones, and stored in an extra field (id 1). The extra field of a member also indicates that the sizes after
 * it have 8 bytes.
 */

#define NEEDED_ZIP64 45
#define NEEDED_PLAIN 20
#define FLAGS 0x0808    /* sizes follow, names are UTF-8 */
#define FIRST_DATE 0x21 /* 1 January 1980, so that the file depends only on the tensors */
#define ELSEWHERE UINT32_MAX

typedef struct zip_writer {
    eti_output *output;
    uint64_t n_written;
    eti_buffer directory;
    uint64_t n_members;
    uint8_t *piece;
} zip_writer;

static void add_le(eti_buffer *out, uint64_t number, size_t width) {
    for (size_t i = 0; i < width; i++)
        eti__buffer_add_char(out, (char)(number >> (8 * i)));
}

static void put(zip_writer *writer, const void *bytes, size_t n) {
    eti__output_add(writer->output, bytes, n);
    writer->n_written += n;
}

static void put_buffer(zip_writer *writer, const eti_buffer *buffer) {
    put(writer, buffer->data, buffer->size);
}

typedef struct zip_entry {
    eti_text name; /* without .npy */
    uint64_t place, size;
    uint32_t crc32;
} zip_entry;

static bool is_large(const zip_entry *entry) {
    return entry->size >= ELSEWHERE;
}

static void add_name(eti_buffer *out, eti_text name) {
    eti__buffer_add_text(out, name);
    eti__buffer_add_string(out, ".npy");
}

static void add_member_header(eti_buffer *out, const zip_entry *entry) {
    bool has_zip64 = is_large(entry);
    eti__buffer_add(out, "PK\3\4", 4);
    add_le(out, has_zip64 ? NEEDED_ZIP64 : NEEDED_PLAIN, 2);
    add_le(out, FLAGS, 2);
    add_le(out, 0, 4); /* stored; midnight */
    add_le(out, FIRST_DATE, 2);
    add_le(out, 0, 4);
    add_le(out, has_zip64 ? ELSEWHERE : 0, 4);
    add_le(out, has_zip64 ? ELSEWHERE : 0, 4);
    add_le(out, entry->name.size + 4, 2);
    add_le(out, has_zip64 ? 20 : 0, 2);
    add_name(out, entry->name);
    if (has_zip64) {
        add_le(out, 1, 2);
        add_le(out, 16, 2);
        add_le(out, 0, 8);
        add_le(out, 0, 8);
    }
}

static void add_member_end(eti_buffer *out, const zip_entry *entry) {
    size_t width = is_large(entry) ? 8 : 4;
    eti__buffer_add(out, "PK\7\10", 4);
    add_le(out, entry->crc32, 4);
    add_le(out, entry->size, width);
    add_le(out, entry->size, width);
}

static void add_directory_entry(eti_buffer *out, const zip_entry *entry) {
    bool is_far = entry->place >= ELSEWHERE, has_zip64 = is_large(entry) || is_far;
    uint64_t size = is_large(entry) ? ELSEWHERE : entry->size;
    eti__buffer_add(out, "PK\1\2", 4);
    add_le(out, NEEDED_ZIP64, 2); /* made by: MS-DOS, so that there are no file modes */
    add_le(out, has_zip64 ? NEEDED_ZIP64 : NEEDED_PLAIN, 2);
    add_le(out, FLAGS, 2);
    add_le(out, 0, 4);
    add_le(out, FIRST_DATE, 2);
    add_le(out, entry->crc32, 4);
    add_le(out, size, 4);
    add_le(out, size, 4);
    add_le(out, entry->name.size + 4, 2);
    add_le(out, has_zip64 ? 4u + (is_large(entry) ? 16u : 0u) + (is_far ? 8u : 0u) : 0u, 2);
    add_le(out, 0, 6); /* comment, disk, internal attributes */
    add_le(out, 0, 4);
    add_le(out, is_far ? ELSEWHERE : entry->place, 4);
    add_name(out, entry->name);
    if (has_zip64) {
        add_le(out, 1, 2);
        add_le(out, (is_large(entry) ? 16u : 0u) + (is_far ? 8u : 0u), 2);
        if (is_large(entry)) {
            add_le(out, entry->size, 8);
            add_le(out, entry->size, 8);
        }
        if (is_far)
            add_le(out, entry->place, 8);
    }
}

static void add_end(eti_buffer *out, uint64_t n, uint64_t size, uint64_t place) {
    bool has_zip64 = n >= UINT16_MAX || size >= ELSEWHERE || place >= ELSEWHERE;
    if (has_zip64) {
        eti__buffer_add(out, "PK\6\6", 4);
        add_le(out, 44, 8);
        add_le(out, NEEDED_ZIP64, 2);
        add_le(out, NEEDED_ZIP64, 2);
        add_le(out, 0, 8); /* one disk */
        add_le(out, n, 8);
        add_le(out, n, 8);
        add_le(out, size, 8);
        add_le(out, place, 8);
        eti__buffer_add(out, "PK\6\7", 4);
        add_le(out, 0, 4);
        add_le(out, place + size, 8);
        add_le(out, 1, 4);
    }
    eti__buffer_add(out, "PK\5\6", 4);
    add_le(out, 0, 4);
    add_le(out, n < UINT16_MAX ? n : UINT16_MAX, 2);
    add_le(out, n < UINT16_MAX ? n : UINT16_MAX, 2);
    add_le(out, size < ELSEWHERE ? size : ELSEWHERE, 4);
    add_le(out, place < ELSEWHERE ? place : ELSEWHERE, 4);
    add_le(out, 0, 2);
}

static void put_elements(zip_writer *writer, const eti_tensor_values *tensor, zip_entry *entry) {
    eti_row_major rows = npy_rows(tensor);
    for (size_t n; !eti__output_failed(writer->output) &&
                   (n = eti__row_major_next(&rows, writer->piece)) > 0;) {
        entry->crc32 = (uint32_t)crc32_z(entry->crc32, writer->piece, n);
        put(writer, writer->piece, n);
    }
}

static eti_status put_member(zip_writer *writer, const eti_tensor_values *tensor, eti_buffer *bytes,
                             eti_error *err) {
    zip_entry entry = {.name = tensor->name, .place = writer->n_written};
    bytes->size = 0;
    ETI_TRY(eti__npy_add_header(bytes, tensor, err));
    entry.size = bytes->size + npy_data_size(tensor);
    entry.crc32 = (uint32_t)crc32_z(0, (const uint8_t *)bytes->data, bytes->size);
    eti_buffer header = {0};
    add_member_header(&header, &entry);
    put_buffer(writer, &header);
    put_buffer(writer, bytes);
    put_elements(writer, tensor, &entry);
    header.size = 0;
    add_member_end(&header, &entry);
    put_buffer(writer, &header);
    add_directory_entry(&writer->directory, &entry);
    writer->n_members++;
    bool has_failed = header.failed || bytes->failed || writer->directory.failed;
    eti__buffer_free(&header);
    return has_failed ? eti_fail_memory(err) : ETI_OK;
}

static eti_status put_members(zip_writer *writer, const eti_tensor_values *tensors, size_t n,
                              eti_error *err) {
    eti_buffer bytes = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n && status == ETI_OK && !eti__output_failed(writer->output); i++)
        status = put_member(writer, &tensors[i], &bytes, err);
    eti__buffer_free(&bytes);
    return status;
}

eti_status eti__npz_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                          eti_error *err) {
    zip_writer writer = {.output = output, .piece = malloc(ETI_NPY_PIECE_BYTES)};
    eti_status status = writer.piece ? put_members(&writer, tensors, n, err) : eti_fail_memory(err);
    if (status == ETI_OK) {
        eti_buffer *directory = &writer.directory;
        add_end(directory, writer.n_members, directory->size, writer.n_written);
        put_buffer(&writer, directory);
        status = directory->failed ? eti_fail_memory(err) : ETI_OK;
    }
    eti__buffer_free(&writer.directory);
    free(writer.piece);
    return status;
}
