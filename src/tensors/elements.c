#include "tensors/elements.h"

#include "base/bytes.h"
#include "base/numbers.h"

#include <math.h>
#include <string.h>

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
