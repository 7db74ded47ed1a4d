#include "tensors/scalar_type.h"
#include "base/text.h"

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
