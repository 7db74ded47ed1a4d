#include "tensors/values.h"

#include "base/numbers.h"
#include "tensors/tensors.h"

#include <math.h>
#include <string.h>

/* ==== scalar type ============================================================================= */

/* Element types by number. The Inspector rejects all types from bfloat16 on, except for uint16 and bits16; their bytes
 * are handled like those of any other type. Reserved numbers have no name. */
static const eti_scalar_type scalar_types[] = {
    [0] = {"uint8", 1, false, ETI_ELEMENT_UNSIGNED},
    [1] = {"int8", 1, false, ETI_ELEMENT_SIGNED},
    [2] = {"int16", 2, false, ETI_ELEMENT_SIGNED},
    [3] = {"int32", 4, false, ETI_ELEMENT_SIGNED},
    [4] = {"int64", 8, false, ETI_ELEMENT_SIGNED},
    [5] = {"float16", 2, true, ETI_ELEMENT_HALF},
    [6] = {"float32", 4, true, ETI_ELEMENT_SINGLE},
    [7] = {"float64", 8, true, ETI_ELEMENT_DOUBLE},
    [11] = {"bool", 1, false, ETI_ELEMENT_TRUTH},
    [12] = {"qint8", 1, false, ETI_ELEMENT_SIGNED},
    [13] = {"quint8", 1, false, ETI_ELEMENT_UNSIGNED},
    [14] = {"qint32", 4, false, ETI_ELEMENT_SIGNED},
    [15] = {"bfloat16", 2, true, ETI_ELEMENT_BFLOAT},
    [16] = {"quint4x2", 0, false, ETI_ELEMENT_UNREADABLE},
    [17] = {"quint2x4", 0, false, ETI_ELEMENT_UNREADABLE},
    /* BITS16, which the Inspector reads as uint16 */
    [22] = {"uint16", 2, false, ETI_ELEMENT_UNSIGNED},
    [23] = {"float8_e5m2", 1, true, ETI_ELEMENT_FLOAT8},
    [24] = {"float8_e4m3fn", 1, true, ETI_ELEMENT_FLOAT8},
    [25] = {"float8_e5m2fnuz", 1, false, ETI_ELEMENT_FLOAT8},
    [26] = {"float8_e4m3fnuz", 1, false, ETI_ELEMENT_FLOAT8},
    [27] = {"uint16", 2, false, ETI_ELEMENT_UNSIGNED},
    [28] = {"uint32", 4, false, ETI_ELEMENT_UNSIGNED},
    [29] = {"uint64", 8, false, ETI_ELEMENT_UNSIGNED},
};

const eti_scalar_type *eti__scalar_type(int8_t number) {
    static const eti_scalar_type unknown = {"unknown", 0, false, ETI_ELEMENT_UNREADABLE};
    const int8_t n_types = sizeof scalar_types / sizeof scalar_types[0];
    if (number < 0 || number >= n_types || !scalar_types[number].name)
        return &unknown;
    return &scalar_types[number];
}

int8_t eti__scalar_type_find(eti_text name) {
    int8_t number =
        sizeof scalar_types /
        sizeof scalar_types[0]; /* of the two numbers called uint16, the last is found */
    while (number-- > 0) {
        const eti_scalar_type *type = &scalar_types[number];
        if (type->name && type->width > 0 && type->name[0] != 'q' && eti__text_is(name, type->name))
            return number;
    }
    return -1;
}

/* ==== tensor values =========================================================================== */

const eti_scalar_type *eti__element_type(int8_t scalar_type) {
    static const eti_scalar_type complex64 = {"complex64", 8, false, ETI_ELEMENT_UNREADABLE};
    return scalar_type == ETI_COMPLEX64 ? &complex64 : eti__scalar_type(scalar_type);
}

const char *eti__tensor_values_count(eti_tensor_values *values) {
    uint64_t product = 1, width = eti__element_type(values->scalar_type)->width;
    bool is_empty = false;
    if (values->n_dims > ETI_TENSOR_MOST_DIMS)
        return "it has more than 64 dimensions";
    for (uint32_t i = 0; i < values->n_dims; i++) {
        int64_t size = values->sizes[i];
        if (size < 0)
            return "a size is negative";
        is_empty = is_empty || size == 0;
        if (size > 0 && __builtin_mul_overflow(product, (uint64_t)size, &product))
            return "the product of its sizes is too large for any memory";
    }
    if (product > INT64_MAX / (width > 0 ? width : 1))
        return "the product of its sizes is too large for any memory";
    values->n_elements = is_empty ? 0 : product;
    return NULL;
}

bool eti__sizes_equal(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b) {
    return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * sizeof *a) == 0);
}

void eti__tensor_values_dense_strides(const eti_tensor_values *values, bool is_fortran_order,
                                      int64_t *strides) {
    int64_t stride = 1;
    for (uint32_t i = 0; i < values->n_dims; i++) {
        uint32_t at = is_fortran_order ? i : values->n_dims - 1 - i;
        strides[at] = stride;
        if (values->sizes[at] > 0) /* the product of these cannot overflow */
            stride *= values->sizes[at];
    }
}

bool eti__tensor_values_extent(const eti_tensor_values *values, uint64_t *n_elements) {
    uint64_t last = 0, width = eti__element_type(values->scalar_type)->width;
    *n_elements = 0;
    for (uint32_t i = 0; i < values->n_dims; i++) {
        uint64_t reach;
        if (values->strides[i] < 0)
            return false;
        if (values->n_elements == 0)
            continue;
        if (__builtin_mul_overflow((uint64_t)values->sizes[i] - 1, (uint64_t)values->strides[i],
                                   &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return false;
    }
    if (last >= INT64_MAX / (width > 0 ? width : 1))
        return false;
    *n_elements = values->n_elements > 0 ? last + 1 : 0;
    return true;
}

bool eti__tensor_values_are_row_major(const eti_tensor_values *values) {
    int64_t stride = 1;
    if (values->n_elements == 0)
        return true;
    for (uint32_t i = values->n_dims; i-- > 0;) {
        if (values->sizes[i] == 1) /* its stride is never used */
            continue;
        if (values->strides[i] != stride)
            return false;
        stride *= values->sizes[i];
    }
    return true;
}

/* ---- copying --------------------------------------------------------------------------------- */

/* Copies `n` elements of WIDTH bytes that are `step` bytes apart. */
#define COPY_APART(WIDTH)                                                                          \
    for (uint64_t i = 0; i < n; i++) {                                                             \
        memcpy(out, from, WIDTH);                                                                  \
        out += (WIDTH);                                                                            \
        from += step;                                                                              \
    }

static void copy_apart(uint8_t *out, const uint8_t *from, uint64_t step, uint64_t n, size_t width) {
    if (step == width) {
        memcpy(out, from, (size_t)n * width);
        return;
    }
    switch (width) {
    case 1:
        COPY_APART(1) break;
    case 2:
        COPY_APART(2) break;
    case 4:
        COPY_APART(4) break;
    case 8:
        COPY_APART(8) break;
    default:
        COPY_APART(width)
    }
}

/* Stores the index of element number `first` in `index`, and returns the element's distance from the beginning of the
 * data, in elements. */
static uint64_t find_index(const eti_tensor_values *values, uint64_t first, int64_t *index) {
    uint64_t distance = 0;
    for (uint32_t i = values->n_dims; i-- > 0;) {
        uint64_t size = (uint64_t)values->sizes[i];
        index[i] = (int64_t)(first % size);
        distance += (uint64_t)index[i] * (uint64_t)values->strides[i];
        first /= size;
    }
    return distance;
}

/* Moves from the end of a row to the next one. Returns the new distance. */
static uint64_t next_row(const eti_tensor_values *values, int64_t *index) {
    uint64_t distance = 0;
    uint32_t last = values->n_dims - 1;
    index[last] = 0;
    for (uint32_t i = last; i-- > 0;) {
        if (++index[i] < values->sizes[i])
            break;
        index[i] = 0;
    }
    for (uint32_t i = 0; i < last; i++)
        distance += (uint64_t)index[i] * (uint64_t)values->strides[i];
    return distance;
}

void eti__tensor_values_copy(const eti_tensor_values *values, uint64_t first, uint64_t n,
                             void *out) {
    size_t width = eti__element_type(values->scalar_type)->width;
    uint8_t *to = out;
    int64_t index[ETI_TENSOR_MOST_DIMS] = {0};
    if (n == 0)
        return;
    if (values->n_dims == 0 || eti__tensor_values_are_row_major(values)) {
        memcpy(to, values->data + first * width, (size_t)n * width);
        return;
    }
    uint32_t last = values->n_dims - 1;
    uint64_t row_step = (uint64_t)values->strides[last] * width;
    for (uint64_t distance = find_index(values, first, index);;) {
        uint64_t left = (uint64_t)(values->sizes[last] - index[last]);
        uint64_t taken = left < n ? left : n;
        copy_apart(to, values->data + distance * width, row_step, taken, width);
        n -= taken;
        if (n == 0)
            return;
        to += taken * width;
        distance = next_row(values, index);
    }
}

/* ==== elements ================================================================================ */

static eti_element_kind kind_of(int8_t scalar_type) {
    return (eti_element_kind)eti__scalar_type(scalar_type)->kind;
}

bool eti__elements_are_readable(int8_t scalar_type) {
    return kind_of(scalar_type) != ETI_ELEMENT_UNREADABLE;
}

bool eti__elements_fit_floats(int8_t scalar_type) {
    eti_element_kind kind = kind_of(scalar_type);
    uint8_t width = eti__scalar_type(scalar_type)->width;
    return kind == ETI_ELEMENT_HALF || kind == ETI_ELEMENT_BFLOAT || kind == ETI_ELEMENT_SINGLE ||
           kind == ETI_ELEMENT_FLOAT8 || kind == ETI_ELEMENT_TRUTH ||
           ((kind == ETI_ELEMENT_SIGNED || kind == ETI_ELEMENT_UNSIGNED) && width <= 2);
}

/* ---- small floats ---------------------------------------------------------------------------- */

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Puts the exponent into the position of a float's, and corrects the bias by a multiplication, which also works for
 * subnormal numbers. */
static float half_of(uint16_t half) {
    uint32_t magnitude = (uint32_t)(half & 0x7fffU) << 13, sign = (uint32_t)(half & 0x8000U) << 16;
    uint32_t bits = bits_of(float_of(magnitude) * 0x1p112F);
    /* all bits set if not finite */
    uint32_t exponent = 0U - (uint32_t)(magnitude >= 0x7c00U << 13);
    return float_of(sign | bits | (exponent & 0x7f800000U));
}

static float bfloat_of(uint16_t bits) {
    return float_of((uint32_t)bits << 16);
}

/* Properties of the four 8-bit float types. With `has_infinity`, as in IEEE 754; otherwise only one pattern is NaN:
 * all bits set or, for fnuz, negative zero. */
typedef struct float8_form {
    uint8_t n_mantissa, bias;
    bool has_infinity, is_fnuz;
} float8_form;

static const float8_form float8_forms[] = {
    {2, 15, true, false}, /* 23: e5m2 */
    {3, 7, false, false}, /* 24: e4m3fn */
    {2, 16, false, true}, /* 25: e5m2fnuz */
    {3, 8, false, true},  /* 26: e4m3fnuz */
};

static float float8_of(const float8_form *form, uint8_t bits) {
    unsigned mask = (1u << form->n_mantissa) - 1, mantissa = bits & mask;
    int exponent = (bits & 0x7f) >> form->n_mantissa;
    bool is_last = exponent == 0x7f >> form->n_mantissa;
    float magnitude;
    if (form->is_fnuz ? bits == 0x80 : is_last && mantissa == mask)
        return NAN;
    if (is_last && form->has_infinity)
        magnitude = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)mantissa, 1 - form->bias - form->n_mantissa);
    else
        magnitude =
            ldexpf((float)(mantissa | (mask + 1)), exponent - form->bias - form->n_mantissa);
    return bits & 0x80 ? -magnitude : magnitude;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Types of numbers at any address. */
typedef uint8_t stored_8;
typedef uint16_t stored_16 __attribute__((may_alias, aligned(1)));
typedef uint32_t stored_32 __attribute__((may_alias, aligned(1)));
typedef uint64_t stored_64 __attribute__((may_alias, aligned(1)));

/* Number of iterations of inner loops; compilers vectorize loops with a fixed length. */
#define AT_ONCE 16

/* Converts all elements of `width` bits with `value`, an expression of their `bits`. */
#define CONVERT(width, value)                                                                      \
    {                                                                                              \
        const stored_##width *at = (const void *)bytes;                                            \
        size_t i = 0;                                                                              \
        for (; i + AT_ONCE <= n; i += AT_ONCE) {                                                   \
            for (size_t j = 0; j < AT_ONCE; j++) {                                                 \
                uint##width##_t bits = eti__from_file_##width(at[i + j]);                          \
                out[i + j] = (value);                                                              \
            }                                                                                      \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            uint##width##_t bits = eti__from_file_##width(at[i]);                                  \
            out[i] = (value);                                                                      \
        }                                                                                          \
        break;                                                                                     \
    }

/* Combines a kind and a width in bytes. */
#define FORM(kind, width) ((unsigned)(kind) << 4 | (unsigned)(width))

static unsigned form_of(int8_t scalar_type) {
    return FORM(kind_of(scalar_type), eti__scalar_type(scalar_type)->width);
}

/* The cases of types whose elements fit floats, except for elements of the last type, uint16. */
#define CONVERT_NARROW(type)                                                                       \
    case FORM(ETI_ELEMENT_HALF, 2):                                                                \
        CONVERT(16, (type)half_of(bits))                                                           \
    case FORM(ETI_ELEMENT_BFLOAT, 2):                                                              \
        CONVERT(16, (type)bfloat_of(bits))                                                         \
    case FORM(ETI_ELEMENT_SINGLE, 4):                                                              \
        CONVERT(32, (type)float_of(bits))                                                          \
    case FORM(ETI_ELEMENT_FLOAT8, 1):                                                              \
        CONVERT(8, (type)float8_of(&float8_forms[scalar_type - 23], bits))                         \
    case FORM(ETI_ELEMENT_TRUTH, 1):                                                               \
        CONVERT(8, (type)(bits != 0))                                                              \
    case FORM(ETI_ELEMENT_SIGNED, 1):                                                              \
        CONVERT(8, (type)(int8_t)bits)                                                             \
    case FORM(ETI_ELEMENT_SIGNED, 2):                                                              \
        CONVERT(16, (type)(int16_t)bits)                                                           \
    case FORM(ETI_ELEMENT_UNSIGNED, 1):                                                            \
        CONVERT(8, (type)bits)

/* Both functions return the number of elements. */
ETI_LOOPS size_t to_floats_body(int8_t scalar_type, const uint8_t *restrict bytes, size_t n,
                                float *restrict out) {
    switch (form_of(scalar_type)) {
        CONVERT_NARROW(float)
    default:
        CONVERT(16, (float)bits)
    }
    return n;
}

ETI_LOOPS size_t to_doubles_body(int8_t scalar_type, const uint8_t *restrict bytes, size_t n,
                                 double *restrict out) {
    switch (form_of(scalar_type)) {
        CONVERT_NARROW(double)
    case FORM(ETI_ELEMENT_DOUBLE, 8):
        CONVERT(64, double_of(bits))
    case FORM(ETI_ELEMENT_SIGNED, 4):
        CONVERT(32, (double)(int32_t)bits)
    case FORM(ETI_ELEMENT_SIGNED, 8):
        CONVERT(64, (double)(int64_t)bits)
    case FORM(ETI_ELEMENT_UNSIGNED, 2):
        CONVERT(16, (double)bits)
    case FORM(ETI_ELEMENT_UNSIGNED, 4):
        CONVERT(32, (double)bits)
    default:
        CONVERT(64, (double)bits)
    }
    return n;
}

ETI_WITH_VECTORS(size_t, to_floats,
                 (int8_t scalar_type, const uint8_t *restrict bytes, size_t n, float *restrict out),
                 (scalar_type, bytes, n, out))
ETI_WITH_VECTORS(size_t, to_doubles,
                 (int8_t scalar_type, const uint8_t *restrict bytes, size_t n,
                  double *restrict out),
                 (scalar_type, bytes, n, out))

void eti__elements_as_floats(int8_t scalar_type, const uint8_t *bytes, size_t n, float *out) {
    (void)to_floats(scalar_type, bytes, n, out);
}

void eti__elements_as_doubles(int8_t scalar_type, const uint8_t *bytes, size_t n, double *out) {
    (void)to_doubles(scalar_type, bytes, n, out);
}

const eti_stored_float *eti__elements_in_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                                float *room) {
    bool is_aligned = (uintptr_t)bytes % _Alignof(float) == 0;
    if (ETI_LIES_AS_IN_FILES && is_aligned && kind_of(scalar_type) == ETI_ELEMENT_SINGLE)
        return (const eti_stored_float *)(const void *)bytes;
    eti__elements_as_floats(scalar_type, bytes, n, room);
    return room;
}

/* ---- addresses of elements ------------------------------------------------------------------- */

const uint8_t *eti__elements_at(const eti_tensor_values *values, bool is_dense, uint64_t first,
                                size_t n, uint8_t *room) {
    if (is_dense)
        return values->data + first * eti__scalar_type(values->scalar_type)->width;
    eti__tensor_values_copy(values, first, n, room);
    return room;
}

bool eti__elements_are_dense(const eti_tensor_values *values) {
    uint64_t seen = 0; /* bit i: the place of dimension i was found */
    int64_t expected = 1;
    if (values->n_elements == 0)
        return true;
    for (uint32_t n_placed = 0; n_placed < values->n_dims; n_placed++) {
        uint32_t next = values->n_dims;
        for (uint32_t i = 0; i < values->n_dims && next == values->n_dims; i++) {
            bool fits = values->sizes[i] == 1 || values->strides[i] == expected;
            if (fits && !(seen & UINT64_C(1) << i))
                next = i;
        }
        if (next == values->n_dims)
            return false;
        seen |= UINT64_C(1) << next;
        expected *= values->sizes[next];
    }
    return true;
}
