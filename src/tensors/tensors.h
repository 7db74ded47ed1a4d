/*
 * tensors.h - files of tensors, both ways; data types, and elements as numbers.
 */
#ifndef ETI_TENSORS_TENSORS_H
#define ETI_TENSORS_TENSORS_H

#include "base/arena.h"
#include "base/files.h"
#include "base/output.h"
#include "etinspect.h"
#include "read/read.h"

/* ==== scalar type ============================================================================= */
/* Names, widths and kinds of the elements of tensors, by ExecuTorch's numbers
 * (schema/scalar_type.fbs). */

/* The way in which the bits of an element represent a number. */
typedef enum eti_element_kind {
    ETI_ELEMENT_UNREADABLE,
    ETI_ELEMENT_SIGNED,
    ETI_ELEMENT_UNSIGNED,
    ETI_ELEMENT_TRUTH, /* nonzero bits are 1 */
    ETI_ELEMENT_HALF,
    ETI_ELEMENT_BFLOAT,
    ETI_ELEMENT_SINGLE,
    ETI_ELEMENT_DOUBLE,
    ETI_ELEMENT_FLOAT8,
} eti_element_kind;

typedef struct eti_scalar_type {
    const char *name; /* torch's name; "unknown" for a number without a type */
    uint8_t width;    /* bytes per element; 0 if elements are packed or unknown */
    bool is_float;    /* begins with a sign bit, so that there are two zeros */
    uint8_t kind;     /* an eti_element_kind */
} eti_scalar_type;

/* Returns the type with this number; never NULL. */
const eti_scalar_type *eti__scalar_type(int8_t number);

/* ==== tensor values =========================================================================== */
/* The elements of a tensor: their places, their order and their type. All readers of tensors
 * produce these, whatever the file, and all writers of tensors take them.
 *
 * It owns nothing: names, sizes and strides live in an arena or in the caller's memory, data in
 * the file that was read or in an arena. */

/* Largest number of dimensions in torch and numpy. */
#define ETI_TENSOR_MOST_DIMS 64

/* Returns the type of elements by its number, which is that of values.h or complex64. Never NULL. */
const eti_scalar_type *eti__element_type(int8_t scalar_type);

typedef struct eti_tensor_values {
    eti_text name;        /* name in its file; absent if it has none */
    int8_t scalar_type;   /* ExecuTorch's number of a type with a width; see values.h */
    uint32_t n_dims;      /* 0 for a scalar, which has one element */
    const int64_t *sizes; /* n_dims of them, none negative */
    const int64_t *
        strides; /* n_dims of them, in elements, none negative; 0: all elements along the dimension are the same */
    uint64_t n_elements; /* product of the sizes */
    const uint8_t *
        data; /* element [0, 0, ...], unaligned; elements are little-endian. NULL if there are none, or they were not read */
} eti_tensor_values;

/* Returns the number of bytes of all elements if each is stored once. */
static inline uint64_t eti__tensor_values_size(const eti_tensor_values *values) {
    return values->n_elements * eti__element_type(values->scalar_type)->width;
}

/* Sets the number of elements to the product of the sizes; sizes, n_dims and type must be set. Returns why such a tensor
 * is impossible; NULL if it is possible, and its size in bytes is below 2^63. */
const char *eti__tensor_values_count(eti_tensor_values *values);

/* Returns whether two tensors have the same number of dimensions and the same sizes. */
bool eti__sizes_equal(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b);

/* Computes `strides`, n_dims of them, for elements without gaps: the last index changes fastest, or the first if
 * `is_fortran_order`. The elements must have been counted. */
void eti__tensor_values_dense_strides(const eti_tensor_values *values, bool is_fortran_order,
                                      int64_t *strides);

/* Computes the number of elements from the first to the last in memory, gaps included; 0 without elements. Returns false
 * if that is more than 2^63 bytes, or a stride is negative. The elements must have been counted. */
bool eti__tensor_values_extent(const eti_tensor_values *values, uint64_t *n_elements);

/* Returns whether the elements are stored without gaps, with the last index changing fastest. */
bool eti__tensor_values_are_row_major(const eti_tensor_values *values);

/* Copies `n` elements, from number `first` on (with the last index changing fastest), to `out`, without gaps. They must
 * exist, and the tensor must have data. */
void eti__tensor_values_copy(const eti_tensor_values *values, uint64_t first, uint64_t n,
                             void *out);

/* ==== elements ================================================================================ */
/* Turns the elements of tensors into numbers. Elements of quantized types count as the integers
 * that they hold. */

/* Number of elements that are processed together, so that they stay in the innermost cache. */
#define ETI_ELEMENTS_AT_ONCE 1024

/* A float in memory of any type, such as the contents of a file. */
typedef float eti_stored_float __attribute__((may_alias));

/* Returns whether elements of this type are numbers that can be read. */
bool eti__elements_are_readable(int8_t scalar_type);

/* Returns whether every number of the type can be stored in a float, which includes half precision and 16-bit
 * integers. */
bool eti__elements_fit_floats(int8_t scalar_type);

/* Convert `n` consecutive elements at `bytes`, which may be any address. The type must be readable and, if the
 * function's name says so, fit floats. */
void eti__elements_as_doubles(int8_t scalar_type, const uint8_t *bytes, size_t n, double *out);
void eti__elements_as_floats(int8_t scalar_type, const uint8_t *bytes, size_t n, float *out);

/* Returns `n` elements, of a type that fits floats, as floats: the bytes themselves if they are floats; otherwise
 * converts them into `room` and returns that. */
const eti_stored_float *eti__elements_in_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                                float *room);

/* Returns the address of consecutive elements from number `first` on. If they are not adjacent in `values`, copies
 * `n` of them, at most ETI_ELEMENTS_AT_ONCE, to `room`, which has 8 bytes for each. */
const uint8_t *eti__elements_at(const eti_tensor_values *values, bool is_dense, uint64_t first,
                                size_t n, uint8_t *room);

/* Returns whether the elements are contiguous in some order: the strides are those of a dense tensor with permuted
 * dimensions. The sizes must have been checked. */
bool eti__elements_are_dense(const eti_tensor_values *values);

/* ==== npy ===================================================================================== */
/* Reads the array of numbers in a .npy file, or in a member of an .npz file, which has the same
 * form.
 *
 * Versions 1.0, 2.0 and 3.0 are supported, with integers, floats and bools of either byte order,
 * in C or Fortran order. Arrays of other things (objects, texts, raw bytes, dates, complex
 * numbers, structures) are rejected. The header, which is a Python dict, is parsed for its three
 * keys; nothing is evaluated. */

typedef struct eti_npy_header {
    uint32_t data_offset; /* number of bytes before the data */
    bool is_big_endian;
} eti_npy_header;

/* ==== npz ===================================================================================== */
/* Reads the arrays of an .npz file: a ZIP of .npy files as written by numpy.savez() and
 * savez_compressed().
 *
 * Opening it reads the headers; the data of an array are found, and inflated if necessary, when
 * the array is loaded. Members that are not .npy files are skipped. */

typedef struct eti_npz_array {
    const eti_zip_member *member;
    eti_npy_header header;
} eti_npz_array;

typedef struct eti_npz {
    eti_zip zip;
    eti_tensor_values *
        tensors; /* without data, in the order of the ZIP; their names are those of members without .npy */
    eti_npz_array *arrays; /* one per tensor */
    size_t n_tensors;
} eti_npz;

/* ==== saved value ============================================================================= */
/* A value saved by Python: a tensor, a number, a text, or a container of these.
 *
 * Values live in the arena of their reader. Containers may share items, but never contain
 * themselves. */

typedef enum eti_saved_kind {
    ETI_SAVED_NONE,
    ETI_SAVED_BOOL,
    ETI_SAVED_INT,
    ETI_SAVED_FLOAT,
    ETI_SAVED_TEXT,
    ETI_SAVED_LIST,
    ETI_SAVED_TUPLE,
    ETI_SAVED_DICT,
    ETI_SAVED_TENSOR,
    ETI_SAVED_DTYPE,
    /* Used only while a file is read: */
    ETI_SAVED_FUNCTION, /* as_int: number of the function */
    ETI_SAVED_STORAGE,
} eti_saved_kind;

typedef struct eti_saved_value eti_saved_value;
typedef struct eti_saved_storage eti_saved_storage;

struct eti_saved_value {
    eti_saved_kind kind;
    uint32_t n_items;        /* in a container; a dict has two per key */
    uint32_t items_capacity; /* used by the reader */
    bool has_attributes;     /* an OrderedDict, whose attributes are ignored */
    union {
        bool as_bool;
        int64_t as_int; /* for a dtype: the number of the scalar type */
        double as_float;
        struct {
            const char *text; /* UTF-8 */
            size_t text_size;
        };
        const eti_saved_value **items; /* in a dict: a key, its value, the next key, ... */
        const eti_tensor_values *tensor;
        const eti_saved_storage *storage;
    };
};

static inline eti_text eti__saved_text(const eti_saved_value *value) {
    return (eti_text){value->text, value->text_size};
}

/* ==== tensor file ============================================================================= */
/* Opens any file of named tensors and recognises its format by its contents: .npz, .npy,
 * safetensors, an archive of torch.save (see torch_save.h), or a folder of .npy files. */

typedef struct eti_tensor_file {
    const eti_tensor_values *tensors; /* may be without data: see below */
    size_t n_tensors;
    bool is_ordered; /* in the order in which they were saved */
    /* Private members: */
    bool is_npz;
    eti_npz npz;            /* if is_npz */
    struct eti_file *files; /* if a folder, one per tensor; otherwise NULL */
    size_t n_files;
} eti_tensor_file;

/* Opens `file`, whose bytes must outlive the tensors; everything else is in `arena`. The array of a .npy file, and the
 * lone tensor of a .pt file, has the file's name without folders and suffix. ETI_ERROR_MALFORMED: damaged, or another kind of file; ETI_ERROR_LIMIT;
 * ETI_ERROR_MEMORY. Success must be followed by eti__tensor_file_close(). */
eti_status eti__tensor_file_open(eti_tensor_file *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

/* Opens all .npy files in the folder at `path`, in the order of their names; hidden files and subfolders are ignored.
 * Fails in the same ways, and with ETI_ERROR_READ. */
eti_status eti__tensor_folder_open(eti_tensor_file *out, eti_arena *arena, const char *path,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Opens a source: a folder, or else a file, which becomes `file`. Fails in the same ways, and with the statuses of
 * opening the file, which the caller releases in any case. */
eti_status eti__tensor_source_open(eti_tensor_file *out, eti_arena *arena, struct eti_file *file,
                                   const eti_source *source, eti_error *err) ETI_WARN_UNUSED;

/* Loads tensor `i` with its data. Data that are not a view of a file live in `arena`, which may differ from the one given
 * before. ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__tensor_file_load(eti_tensor_values *out, eti_tensor_file *file, size_t i,
                                 eti_arena *arena, eti_error *err) ETI_WARN_UNUSED;

/* Releases the files of a folder. All zeros is allowed. */
void eti__tensor_file_close(eti_tensor_file *file);

/* ==== tensor files ============================================================================ */
/* Turns tensors into files that numpy and safetensors read: an .npz file, a folder of .npy files,
 * or a safetensors file.
 *
 * Elements are written in row-major order, whatever the strides. In .npy files bfloat16 becomes
 * float32, which can hold each of its values; complex numbers, 8-bit floats and quantized types
 * can only be saved as safetensors, or not at all. */

/* Saves `n` tensors with their data, under different names, as `path`, atomically. In a folder, each file is atomic by
 * itself: a signal leaves the files that are complete. After a failure, the files that this call created, and the folder if
 * it created that too, are removed; files that it replaced stay new. Names must be UTF-8.
 * ETI_ERROR_USAGE: a type that the format does not have, or without `replaces` a file that exists already; ETI_ERROR_DATA:
 * two tensors of one name, or a name that no file can have; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__tensors_save(const char *path, const eti_tensor_values *tensors, size_t n,
                             bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Checks whether a file at `path` may be written: unless `replaces` is set, there must be none. ETI_ERROR_USAGE. */
eti_status eti__save_check(const char *path, bool replaces, eti_error *err) ETI_WARN_UNUSED;

/* Puts the written file in place and frees `output`. ETI_ERROR_USAGE: a file was made there since
 * it was checked; ETI_ERROR_WRITE. */
eti_status eti__save_commit(eti_output *output, const char *path, bool replaces,
                            eti_error *err) ETI_WARN_UNUSED;
eti_status eti__npz_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;
eti_status eti__safetensors_write(const eti_tensor_values *tensors, size_t n, eti_output *output,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== torch save ============================================================================== */
/* Reads an archive written by torch.save() into values: nested lists, tuples and dicts of tensors
 * and scalars.
 *
 * Tensors are views of the archive. Only data that rebuild tensors are understood; nothing is
 * executed. Archives from before torch 1.6 and plain pickles, which ETRecords contained until
 * March 2026, are rejected, and so are quantized and sparse tensors and archives from big-endian
 * machines. */

/* Reads `file`, whose bytes must outlive the values; everything else is in `arena`. Each storage must have the bytes that
 * its tensors need, and a correct checksum. ETI_ERROR_MALFORMED names the file, and the member and byte in it;
 * ETI_ERROR_LIMIT: more than unpickler.h allows, or tensors that share bytes so often that their total size exceeds 64
 * MiB plus 4 times the file; ETI_ERROR_MEMORY. */
eti_status eti__torch_save_read(const eti_saved_value **out, eti_arena *arena,
                                const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
