#include "tensors/torch_tensors.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "base/status.h"
#include "read/read.h"
#include "tensors/torch_save.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names repeat keys of the archive, which may be as long as the archive. */
#define MOST_NAME_BYTES ((uint64_t)64 << 20)

typedef struct tensor_list {
    const char *file_name;
    eti_arena *arena;
    eti_tensor_values *tensors; /* allocated by malloc() */
    size_t n, capacity;
    eti_text_table names; /* in the arena */
    uint64_t n_name_bytes;
    eti_error *err;
} tensor_list;

bool eti__torch_tensors_is(const struct eti_file *file) {
    static const char pickle[] = "/data.pkl";
    eti_arena arena = {0};
    eti_zip zip;
    bool is_it = false;
    size_t size = sizeof pickle - 1;
    if (!eti__zip_has_end(file) ||
        eti__zip_open_large(&zip, &arena, file, ETI_ZIP_TENSORS, NULL) != ETI_OK)
        zip.n_members = 0;
    for (size_t i = 0; i < zip.n_members && !is_it; i++) {
        eti_text name = zip.members[i].name;
        is_it = name.size >= size && memcmp(name.data + name.size - size, pickle, size) == 0;
    }
    eti__arena_free(&arena);
    return is_it;
}

/* ---- values ----------------------------------------------------------------------------------- */

static const char *kind_name(const eti_saved_value *value) {
    static const char *const names[] = {
        [ETI_SAVED_NONE] = "None",     [ETI_SAVED_BOOL] = "a bool", [ETI_SAVED_INT] = "an int",
        [ETI_SAVED_FLOAT] = "a float", [ETI_SAVED_TEXT] = "a text", [ETI_SAVED_LIST] = "a list",
        [ETI_SAVED_TUPLE] = "a tuple", [ETI_SAVED_DICT] = "a dict", [ETI_SAVED_TENSOR] = "a tensor",
        [ETI_SAVED_DTYPE] = "a dtype",
    };
    return names[value->kind];
}

static bool is_list(const eti_saved_value *value) {
    return value->kind == ETI_SAVED_LIST || value->kind == ETI_SAVED_TUPLE;
}

static void store_number(eti_tensor_values *out, uint8_t room[8], uint64_t bits) {
    bits = eti__from_file_64(bits);
    memcpy(room, &bits, sizeof bits);
    out->data = room;
}

/* Turns a number or a bool into a tensor without dimensions, whose element is in `room` if it is wider than a byte;
 * returns false for any other value. */
static bool set_number(eti_tensor_values *out, uint8_t room[8], const eti_saved_value *value) {
    uint64_t bits;
    *out = (eti_tensor_values){.n_elements = 1};
    switch (value->kind) {
    case ETI_SAVED_BOOL:
        out->scalar_type = eti__scalar_type_find(eti__text_of("bool"));
        out->data = (const uint8_t *)&value->as_bool;
        return true;
    case ETI_SAVED_INT:
        out->scalar_type = eti__scalar_type_find(eti__text_of("int64"));
        store_number(out, room, (uint64_t)value->as_int);
        return true;
    case ETI_SAVED_FLOAT:
        out->scalar_type = eti__scalar_type_find(eti__text_of("float64"));
        memcpy(&bits, &value->as_float, sizeof bits);
        store_number(out, room, bits);
        return true;
    default:
        return false;
    }
}

static eti_status fail_value(const tensor_list *list, eti_text name, const eti_saved_value *value) {
    return eti_fail(list->err, ETI_ERROR_MALFORMED,
                    "%s: %.*s%sexpected a tensor, or a list of tensors, found %s: save a dict of "
                    "tensors",
                    list->file_name, ETI_TEXT_ARGS(name), name.size > 0 ? ": " : "",
                    kind_name(value));
}

static eti_status add_tensor(tensor_list *list, eti_text name, const eti_saved_value *value) {
    eti_tensor_values values;
    uint32_t number;
    if (value->kind == ETI_SAVED_TENSOR) {
        values = *value->tensor;
    } else {
        uint8_t *room = eti__arena_alloc(list->arena, sizeof(uint64_t), 1);
        if (!room)
            return eti_fail_memory(list->err);
        if (!set_number(&values, room, value))
            return fail_value(list, name, value);
    }
    list->n_name_bytes += name.size;
    if (list->n >= ETI_ZIP_TENSORS || list->n_name_bytes > MOST_NAME_BYTES)
        return eti_fail(list->err, ETI_ERROR_LIMIT, "%s: more than %d tensors, or %d MiB of names",
                        list->file_name, ETI_ZIP_TENSORS, (int)(MOST_NAME_BYTES >> 20));
    if (!eti__text_table_add(&list->names, name, list->arena, &number) ||
        !ETI_GROW(list->tensors, list->capacity, list->n + 1))
        return eti_fail_memory(list->err);
    if (number < list->n)
        return eti_fail(list->err, ETI_ERROR_MALFORMED, "%s: two tensors are called %.*s",
                        list->file_name, ETI_TEXT_ARGS(name));
    values.name = list->names.texts[number];
    list->tensors[list->n++] = values;
    return ETI_OK;
}

/* Adds a named value: a tensor, or each item of a list. */
static eti_status add_named(tensor_list *list, eti_text name, const eti_saved_value *value) {
    eti_buffer full = {0};
    eti_status status = ETI_OK;
    if (!is_list(value))
        return add_tensor(list, name, value);
    for (uint32_t i = 0; i < value->n_items && status == ETI_OK; i++) {
        full.size = 0;
        eti__buffer_add_text(&full, name);
        eti__buffer_printf(&full, "#%" PRIu32, i);
        status = full.failed ? eti_fail_memory(list->err)
                             : add_tensor(list, eti__buffer_text(&full), value->items[i]);
    }
    eti__buffer_free(&full);
    return status;
}

static eti_status add_numbered(tensor_list *list, int64_t number, const eti_saved_value *value) {
    char name[32];
    (void)snprintf(name, sizeof name, "%" PRId64, number);
    return add_named(list, eti__text_of(name), value);
}

static eti_status add_all(tensor_list *list, const eti_saved_value *value) {
    if (is_list(value)) {
        for (uint32_t i = 0; i < value->n_items; i++)
            ETI_TRY(add_numbered(list, i, value->items[i]));
        return ETI_OK;
    }
    if (value->kind != ETI_SAVED_DICT)
        return add_tensor(list, eti__text_of(""), value);
    for (uint32_t i = 0; i + 1 < value->n_items; i += 2) {
        const eti_saved_value *key = value->items[i];
        if (key->kind == ETI_SAVED_INT)
            ETI_TRY(add_numbered(list, key->as_int, value->items[i + 1]));
        else if (key->kind == ETI_SAVED_TEXT)
            ETI_TRY(add_named(list, eti__saved_text(key), value->items[i + 1]));
        else
            return eti_fail(list->err, ETI_ERROR_MALFORMED,
                            "%s: expected strings or ints as keys of a dict of tensors, found %s",
                            list->file_name, kind_name(key));
    }
    return ETI_OK;
}

eti_status eti__torch_tensors_read(const eti_tensor_values **out, size_t *n, eti_arena *arena,
                                   const struct eti_file *file, eti_error *err) {
    const eti_saved_value *value;
    tensor_list list = {.file_name = file->name, .arena = arena, .err = err};
    *out = NULL;
    *n = 0;
    ETI_TRY(eti__torch_save_read(&value, arena, file, err));
    eti_status status = add_all(&list, value);
    eti_tensor_values *tensors =
        status == ETI_OK ? eti__arena_alloc(arena, list.n, sizeof *tensors) : NULL;
    if (status == ETI_OK && !tensors)
        status = eti_fail_memory(err);
    if (status == ETI_OK && list.n > 0)
        memcpy(tensors, list.tensors, list.n * sizeof *tensors);
    if (status == ETI_OK) {
        *out = tensors;
        *n = list.n;
    }
    eti__text_table_free(&list.names);
    free(list.tensors);
    return status;
}
