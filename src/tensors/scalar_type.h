/*
 * scalar_type.h - names, widths and kinds of the elements of tensors, by ExecuTorch's numbers (schema/scalar_type.fbs).
 */
#ifndef ETI_TENSORS_SCALAR_TYPE_H
#define ETI_TENSORS_SCALAR_TYPE_H

#include "etinspect.h"

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

/* Returns the number of the type that torch calls `name`; -1 if there is none, its elements have no width, or it is
 * quantized. */
int8_t eti__scalar_type_find(eti_text name);

#endif
