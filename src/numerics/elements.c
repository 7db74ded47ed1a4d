#include "numerics/elements.h"

#include <math.h>
#include <string.h>

/* How the bits of a type make a number. */
typedef enum element_kind {
    NOT_READABLE,
    SIGNED,
    UNSIGNED,
    TRUTH, /* any bits but zeros are 1 */
    HALF,
    BFLOAT,
    SINGLE,
    DOUBLE,
    FLOAT8, /* see `float8_forms` */
} element_kind;

static const uint8_t kinds[] = {
    [0] = UNSIGNED,  [1] = SIGNED,  [2] = SIGNED,  [3] = SIGNED,    [4] = SIGNED,
    [5] = HALF,      [6] = SINGLE,  [7] = DOUBLE,  [11] = TRUTH,    [12] = SIGNED,
    [13] = UNSIGNED, [14] = SIGNED, [15] = BFLOAT, [22] = UNSIGNED, [23] = FLOAT8,
    [24] = FLOAT8,   [25] = FLOAT8, [26] = FLOAT8, [27] = UNSIGNED, [28] = UNSIGNED,
    [29] = UNSIGNED,
};

static element_kind kind_of(int8_t scalar_type) {
    bool is_known = scalar_type >= 0 && (size_t)scalar_type < sizeof kinds;
    return is_known ? (element_kind)kinds[scalar_type] : NOT_READABLE;
}

bool eti__elements_are_readable(int8_t scalar_type) {
    return kind_of(scalar_type) != NOT_READABLE;
}

bool eti__elements_fit_floats(int8_t scalar_type) {
    element_kind kind = kind_of(scalar_type);
    uint8_t width = eti__scalar_type(scalar_type)->width;
    return kind == HALF || kind == BFLOAT || kind == SINGLE || kind == FLOAT8 || kind == TRUTH ||
           ((kind == SIGNED || kind == UNSIGNED) && width <= 2);
}

/* ---- small floats ---------------------------------------------------------------------------- */

static uint32_t load_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static uint16_t load_u16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint64_t load_u64(const uint8_t *bytes) {
    return load_u32(bytes) | (uint64_t)load_u32(bytes + 4) << 32;
}

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

/* Puts the exponent where a float has it, and lets a product correct the bias, for subnormal numbers, too. */
static float half_of(uint16_t bits) {
    uint32_t magnitude = (uint32_t)(bits & 0x7fffu) << 13;
    float value = float_of(magnitude) * 0x1p112F;
    bool is_finite = (bits & 0x7c00u) != 0x7c00u;
    if (!is_finite)
        value = float_of(magnitude | 0x7f800000u);
    return bits & 0x8000u ? -value : value;
}

/* What the four types of 8 bits are. `has_infinity`: as in IEEE 754; otherwise NaN is one pattern only: all bits, or (fnuz)
 * that of the negative zero. */
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

/* Whether numbers lie in files as they do in memory. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LIES_AS_IN_FILES true
#else
#define LIES_AS_IN_FILES false
#endif

/* Converts with LOAD, an expression of `at`, the bytes of an element. */
#define CONVERT(LOAD)                                                                              \
    for (size_t i = 0; i < n; i++) {                                                               \
        const uint8_t *at = bytes + i * width;                                                     \
        out[i] = (LOAD);                                                                           \
    }                                                                                              \
    break

static void integers_as_doubles(bool is_signed, const uint8_t *bytes, size_t n, size_t width,
                                double *out) {
    switch (is_signed ? -(int)width : (int)width) {
    case -1:
        CONVERT((double)(int8_t)*at);
    case -2:
        CONVERT((double)(int16_t)load_u16(at));
    case -4:
        CONVERT((double)(int32_t)load_u32(at));
    case -8:
        CONVERT((double)(int64_t)load_u64(at));
    case 1:
        CONVERT((double)*at);
    case 2:
        CONVERT((double)load_u16(at));
    case 4:
        CONVERT((double)load_u32(at));
    default:
        CONVERT((double)load_u64(at));
    }
}

void eti__elements_as_floats(int8_t scalar_type, const uint8_t *bytes, size_t n, float *out) {
    size_t width = eti__scalar_type(scalar_type)->width;
    element_kind kind = kind_of(scalar_type);
    if (kind == SINGLE && LIES_AS_IN_FILES) {
        memcpy(out, bytes, n * sizeof *out);
        return;
    }
    switch (kind) {
    case HALF:
        CONVERT(half_of(load_u16(at)));
    case BFLOAT:
        CONVERT(float_of((uint32_t)load_u16(at) << 16));
    case SINGLE:
        CONVERT(float_of(load_u32(at)));
    case FLOAT8:
        CONVERT(float8_of(&float8_forms[scalar_type - 23], *at));
    case TRUTH:
        CONVERT((float)(*at != 0));
    case SIGNED:
        CONVERT(width == 1 ? (float)(int8_t)*at : (float)(int16_t)load_u16(at));
    default:
        CONVERT(width == 1 ? (float)*at : (float)load_u16(at));
    }
}

const eti_stored_float *eti__elements_in_floats(int8_t scalar_type, const uint8_t *bytes, size_t n,
                                                float *room) {
    bool is_aligned = (uintptr_t)bytes % _Alignof(float) == 0;
    if (LIES_AS_IN_FILES && is_aligned && kind_of(scalar_type) == SINGLE)
        return (const eti_stored_float *)(const void *)bytes;
    eti__elements_as_floats(scalar_type, bytes, n, room);
    return room;
}

void eti__elements_as_doubles(int8_t scalar_type, const uint8_t *bytes, size_t n, double *out) {
    size_t width = eti__scalar_type(scalar_type)->width;
    element_kind kind = kind_of(scalar_type);
    if (kind == DOUBLE && LIES_AS_IN_FILES) {
        memcpy(out, bytes, n * sizeof *out);
        return;
    }
    switch (kind) {
    case HALF:
        CONVERT((double)half_of(load_u16(at)));
    case BFLOAT:
        CONVERT((double)float_of((uint32_t)load_u16(at) << 16));
    case SINGLE:
        CONVERT((double)float_of(load_u32(at)));
    case DOUBLE:
        CONVERT(double_of(load_u64(at)));
    case FLOAT8:
        CONVERT((double)float8_of(&float8_forms[scalar_type - 23], *at));
    case TRUTH:
        CONVERT((double)(*at != 0));
    case SIGNED:
        integers_as_doubles(true, bytes, n, width, out);
        break;
    default:
        integers_as_doubles(false, bytes, n, width, out);
    }
}

/* ---- where elements lie ---------------------------------------------------------------------- */

const uint8_t *eti__elements_at(const eti_tensor_values *values, bool is_dense, uint64_t first,
                                size_t n, uint8_t *room) {
    if (is_dense)
        return values->data + first * eti__scalar_type(values->scalar_type)->width;
    eti__tensor_values_copy(values, first, n, room);
    return room;
}

bool eti__elements_are_dense(const eti_tensor_values *values) {
    uint64_t seen = 0; /* bit i: dimension i has its place */
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
