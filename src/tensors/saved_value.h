/*
 * saved_value.h - a value saved by Python: a tensor, a number, a text, or a container of these.
 *
 * Values live in the arena of their reader. Containers may share items, but never contain themselves.
 */
#ifndef ETI_TENSORS_SAVED_VALUE_H
#define ETI_TENSORS_SAVED_VALUE_H

#include "etinspect.h"
#include "tensors/tensor_values.h"

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

#endif
