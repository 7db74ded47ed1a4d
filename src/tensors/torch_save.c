#include "tensors/torch_save.h"

#include "base/array.h"
#include "base/intern.h"
#include "tensors/unpickler.h"
#include "tensors/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== torch save ============================================================================== */
/* Reads archives of torch.save(): ZIPs of stored members below one folder with any name:
 *
 *     <folder>/data.pkl      the pickle of the value, with a persistent id for each storage
 *     <folder>/byteorder     "little" or "big"; missing in old archives
 *     <folder>/data/<key>    the bytes of a storage
 *     <folder>/version, .format_version, .storage_alignment, .data/serialization_id    never read
 *
 *     persistent id               ("storage", class, key, location, number of elements)
 *     _rebuild_tensor_v2          (storage, offset, sizes, strides, requires_grad, hooks [, metadata])
 *     _rebuild_tensor_v3          as above, with a dtype before the metadata
 *     _rebuild_parameter          (tensor, requires_grad, hooks)
 *     _rebuild_from_type_v2       (one of the first two, Tensor, its arguments, attributes): of tensors with attributes
 *
 * Offset and strides count elements, or bytes in an UntypedStorage. */

#define MOST_SHARED_BYTES ((uint64_t)64 << 20)

struct eti_saved_storage {
    eti_text bytes;
    int8_t scalar_type;
};

typedef struct torch_archive {
    const struct eti_file *file;
    eti_arena *arena;
    eti_zip zip;
    eti_text_table names;    /* of members */
    size_t *zip_indexes;     /* by number in `names` */
    const eti_text **loaded; /* by number in `names`; NULL: not yet */
    eti_text folder;         /* including its slash */
} torch_archive;

/* ---- globals --------------------------------------------------------------------------------- */

enum {
    MAKE_DICT,
    REBUILD_TENSOR_V2,
    REBUILD_TENSOR_V3,
    REBUILD_PARAMETER,
    REBUILD_FROM_TYPE,
    TENSOR_CLASS,
    FIRST_STORAGE_CLASS
};

#define UNTYPED INT8_MAX

static const struct {
    const char *module, *name;
    int function; /* at most FIRST_STORAGE_CLASS */
    int8_t scalar_type;
} globals[] = {
    {"collections", "OrderedDict", MAKE_DICT, 0},
    {"torch._utils", "_rebuild_tensor_v2", REBUILD_TENSOR_V2, 0},
    {"torch._utils", "_rebuild_tensor_v3", REBUILD_TENSOR_V3, 0},
    {"torch._utils", "_rebuild_parameter", REBUILD_PARAMETER, 0},
    {"torch._tensor", "_rebuild_from_type_v2", REBUILD_FROM_TYPE, 0},
    {"torch", "Tensor", TENSOR_CLASS, 0},
    {"torch.storage", "UntypedStorage", FIRST_STORAGE_CLASS, UNTYPED},
    {"torch", "ByteStorage", FIRST_STORAGE_CLASS, 0},
    {"torch", "CharStorage", FIRST_STORAGE_CLASS, 1},
    {"torch", "ShortStorage", FIRST_STORAGE_CLASS, 2},
    {"torch", "IntStorage", FIRST_STORAGE_CLASS, 3},
    {"torch", "LongStorage", FIRST_STORAGE_CLASS, 4},
    {"torch", "HalfStorage", FIRST_STORAGE_CLASS, 5},
    {"torch", "FloatStorage", FIRST_STORAGE_CLASS, 6},
    {"torch", "DoubleStorage", FIRST_STORAGE_CLASS, 7},
    {"torch", "ComplexFloatStorage", FIRST_STORAGE_CLASS, ETI_COMPLEX64},
    {"torch", "BoolStorage", FIRST_STORAGE_CLASS, 11},
    {"torch", "BFloat16Storage", FIRST_STORAGE_CLASS, 15},
};

/* Finds a global that is allowed. A storage class is represented by a function that is never called. */
static bool find_global(eti_saved_value *out, eti_text module, eti_text name) {
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
        if (!eti__text_is(module, globals[i].module) || !eti__text_is(name, globals[i].name))
            continue;
        int64_t number = globals[i].function == FIRST_STORAGE_CLASS
                             ? FIRST_STORAGE_CLASS + globals[i].scalar_type
                             : globals[i].function;
        *out = (eti_saved_value){.kind = ETI_SAVED_FUNCTION, .as_int = number};
        return true;
    }
    int8_t scalar_type = eti__scalar_type_find(name);
    if (!eti__text_is(module, "torch") || scalar_type < 0)
        return false;
    *out = (eti_saved_value){.kind = ETI_SAVED_DTYPE, .as_int = scalar_type};
    return true;
}

/* ---- storages -------------------------------------------------------------------------------- */

static eti_status fail_member(eti_status status, eti_text name, eti_error *err) {
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "member %.*s", ETI_TEXT_ARGS(name));
    return status;
}

/* Loads the member `name` of the archive's folder; absent if there is none. */
static eti_status load_member(torch_archive *archive, eti_text name, eti_text *out,
                              eti_error *err) {
    char full_name[ETI_ZIP_NAME_BYTES];
    uint32_t number;
    size_t size = archive->folder.size + name.size;
    *out = (eti_text){NULL, 0};
    if (size > sizeof full_name)
        return ETI_OK;
    memcpy(full_name, archive->folder.data, archive->folder.size);
    memcpy(full_name + archive->folder.size, name.data, name.size);
    if (!eti__text_table_find(&archive->names, (eti_text){full_name, size}, &number))
        return ETI_OK;
    if (!archive->loaded[number]) {
        eti_text *loaded = eti__arena_alloc(archive->arena, 1, sizeof *loaded);
        if (!loaded)
            return eti_fail_memory(err);
        const eti_zip_member *member = &archive->zip.members[archive->zip_indexes[number]];
        ETI_TRY(fail_member(
            eti__zip_member_load(loaded, archive->arena, &archive->zip, member, err), name, err));
        archive->loaded[number] = loaded;
    }
    *out = *archive->loaded[number];
    return ETI_OK;
}

static eti_status load_storage(torch_archive *archive, eti_text key, eti_text *out,
                               eti_error *err) {
    static const char data[] = "data/";
    char name[ETI_ZIP_NAME_BYTES];
    *out = (eti_text){NULL, 0};
    if (key.size < sizeof name - sizeof data) {
        memcpy(name, data, sizeof data - 1);
        memcpy(name + sizeof data - 1, key.data, key.size);
        ETI_TRY(load_member(archive, (eti_text){name, sizeof data - 1 + key.size}, out, err));
    }
    if (!out->data)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the archive has no storage data/%.*s",
                        ETI_TEXT_ARGS(key));
    return ETI_OK;
}

static bool is_storage_class(const eti_saved_value *value) {
    return value->kind == ETI_SAVED_FUNCTION && value->as_int >= FIRST_STORAGE_CLASS;
}

static bool is_storage_id(const eti_saved_value *id) {
    return id->kind == ETI_SAVED_TUPLE && id->n_items == 5 &&
           id->items[0]->kind == ETI_SAVED_TEXT &&
           eti__text_is(eti__saved_text(id->items[0]), "storage") &&
           is_storage_class(id->items[1]) && id->items[2]->kind == ETI_SAVED_TEXT &&
           id->items[3]->kind == ETI_SAVED_TEXT && id->items[4]->kind == ETI_SAVED_INT &&
           id->items[4]->as_int >= 0;
}

static eti_status load(void *context, eti_saved_value *out, const eti_saved_value *id,
                       eti_error *err) {
    torch_archive *archive = context;
    if (!is_storage_id(id))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "expected ('storage', class, key, location, number of elements) as a "
                        "persistent id");
    eti_saved_storage *storage = eti__arena_alloc_zero(archive->arena, 1, sizeof *storage);
    if (!storage)
        return eti_fail_memory(err);
    int64_t scalar_type = id->items[1]->as_int - FIRST_STORAGE_CLASS;
    if (scalar_type != UNTYPED) /* otherwise its elements are bytes */
        storage->scalar_type = (int8_t)scalar_type;
    ETI_TRY(load_storage(archive, eti__saved_text(id->items[2]), &storage->bytes, err));
    uint64_t width = eti__element_type(storage->scalar_type)->width, expected;
    if (__builtin_mul_overflow((uint64_t)id->items[4]->as_int, width, &expected) ||
        expected != storage->bytes.size)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "storage data/%.*s: expected %lld elements of %llu bytes, found %zu bytes",
                        ETI_TEXT_ARGS(eti__saved_text(id->items[2])),
                        (long long)id->items[4]->as_int, (unsigned long long)width,
                        storage->bytes.size);
    *out = (eti_saved_value){.kind = ETI_SAVED_STORAGE, .storage = storage};
    return ETI_OK;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_status fail_tensor(const char *what, eti_error *err) {
    return eti_fail(err, ETI_ERROR_MALFORMED, "a tensor cannot be rebuilt: %s", what);
}

static eti_status copy_numbers(const torch_archive *archive, const int64_t **out,
                               const eti_saved_value *tuple, eti_error *err) {
    int64_t *numbers = eti__arena_alloc(archive->arena, tuple->n_items, sizeof *numbers);
    if (!numbers)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < tuple->n_items; i++) {
        if (tuple->items[i]->kind != ETI_SAVED_INT)
            return fail_tensor("a size or stride is not an integer", err);
        numbers[i] = tuple->items[i]->as_int;
    }
    *out = numbers;
    return ETI_OK;
}

static eti_status find_elements(eti_tensor_values *tensor, eti_text bytes, int64_t offset,
                                eti_error *err) {
    uint64_t n, width = eti__element_type(tensor->scalar_type)->width;
    const char *wrong = eti__tensor_values_count(tensor);
    if (wrong)
        return fail_tensor(wrong, err);
    if (!eti__tensor_values_extent(tensor, &n))
        return fail_tensor("a stride is negative or too large for any memory", err);
    if (n == 0)
        return ETI_OK;
    uint64_t there = bytes.size / width;
    if (offset < 0 || (uint64_t)offset > there || n > there - (uint64_t)offset)
        return eti_fail(
            err, ETI_ERROR_MALFORMED,
            "a tensor of %llu elements at offset %lld exceeds its storage of %llu elements",
            (unsigned long long)n, (long long)offset, (unsigned long long)there);
    tensor->data = (const uint8_t *)bytes.data + (uint64_t)offset * width;
    return ETI_OK;
}

/* Checks all arguments except for the numbers. `n` arguments come before the metadata, which may be omitted. */
static const char *check_arguments(const eti_saved_value *arguments, uint32_t n) {
    const eti_saved_value *const *items = arguments->items;
    if (arguments->n_items != n && arguments->n_items != n + 1)
        return "it has too many or too few arguments";
    if (items[0]->kind != ETI_SAVED_STORAGE)
        return "its storage is missing";
    if (items[1]->kind != ETI_SAVED_INT)
        return "its offset is not an integer";
    if (items[2]->kind != ETI_SAVED_TUPLE || items[3]->kind != ETI_SAVED_TUPLE ||
        items[2]->n_items != items[3]->n_items)
        return "its sizes and strides are not two tuples of one length";
    if (items[2]->n_items > ETI_TENSOR_MOST_DIMS)
        return "it has more than 64 dimensions";
    if (n == 7 && items[6]->kind != ETI_SAVED_DTYPE)
        return "its dtype is missing";
    if (arguments->n_items == n + 1 && items[n]->kind != ETI_SAVED_NONE &&
        (items[n]->kind != ETI_SAVED_DICT || items[n]->n_items > 0))
        return "it is conjugated, negated or has other metadata; save its clone()";
    return NULL;
}

static eti_status rebuild_tensor(torch_archive *archive, eti_saved_value *out,
                                 const eti_saved_value *arguments, bool has_dtype, eti_error *err) {
    const char *wrong = check_arguments(arguments, has_dtype ? 7 : 6);
    if (wrong)
        return fail_tensor(wrong, err);
    const eti_saved_value *const *items = arguments->items;
    eti_tensor_values *tensor = eti__arena_alloc_zero(archive->arena, 1, sizeof *tensor);
    if (!tensor)
        return eti_fail_memory(err);
    tensor->scalar_type = items[0]->storage->scalar_type;
    if (has_dtype)
        tensor->scalar_type = (int8_t)items[6]->as_int;
    tensor->n_dims = items[2]->n_items;
    ETI_TRY(copy_numbers(archive, &tensor->sizes, items[2], err));
    ETI_TRY(copy_numbers(archive, &tensor->strides, items[3], err));
    ETI_TRY(find_elements(tensor, items[0]->storage->bytes, items[1]->as_int, err));
    *out = (eti_saved_value){.kind = ETI_SAVED_TENSOR, .tensor = tensor};
    return ETI_OK;
}

static bool is_function(const eti_saved_value *value, int64_t number) {
    return value->kind == ETI_SAVED_FUNCTION && value->as_int == number;
}

/* Makes a tensor with attributes, which are ignored. */
static eti_status rebuild_from_type(torch_archive *archive, eti_saved_value *out,
                                    const eti_saved_value *arguments, eti_error *err) {
    const eti_saved_value **items = arguments->items;
    bool is_valid = arguments->n_items == 4 && is_function(items[1], TENSOR_CLASS) &&
                    items[2]->kind == ETI_SAVED_TUPLE;
    bool is_v3 = is_valid && is_function(items[0], REBUILD_TENSOR_V3);
    if (!is_valid || !(is_v3 || is_function(items[0], REBUILD_TENSOR_V2)))
        return fail_tensor("a tensor with attributes is not built as torch builds it", err);
    return rebuild_tensor(archive, out, items[2], is_v3, err);
}

static eti_status call(void *context, eti_saved_value *out, const eti_saved_value *function,
                       const eti_saved_value *arguments, eti_error *err) {
    switch (function->as_int) {
    case MAKE_DICT:
        if (arguments->n_items > 0)
            return eti_fail(err, ETI_ERROR_MALFORMED, "an OrderedDict is built from arguments");
        *out = (eti_saved_value){.kind = ETI_SAVED_DICT, .has_attributes = true};
        return ETI_OK;
    case REBUILD_TENSOR_V2:
        return rebuild_tensor(context, out, arguments, false, err);
    case REBUILD_TENSOR_V3:
        return rebuild_tensor(context, out, arguments, true, err);
    case REBUILD_PARAMETER:
        if (arguments->n_items != 3 || arguments->items[0]->kind != ETI_SAVED_TENSOR)
            return fail_tensor("a parameter is not built from a tensor", err);
        *out = *arguments->items[0];
        return ETI_OK;
    case REBUILD_FROM_TYPE:
        return rebuild_from_type(context, out, arguments, err);
    default:
        return eti_fail(err, ETI_ERROR_MALFORMED, "a class is called");
    }
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* Lists the members; of equal names, the last counts, as in Python. */
static eti_status list_members(torch_archive *archive, eti_error *err) {
    static const char pickle[] = "/data.pkl";
    size_t n = archive->zip.n_members;
    archive->zip_indexes = eti__arena_alloc(archive->arena, n, sizeof *archive->zip_indexes);
    archive->loaded = eti__arena_alloc_zero(archive->arena, n, sizeof *archive->loaded);
    if (!archive->zip_indexes || !archive->loaded)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_text name = archive->zip.members[i].name;
        uint32_t number;
        if (!eti__text_table_add(&archive->names, name, NULL, &number))
            return eti_fail_memory(err);
        archive->zip_indexes[number] = i;
        size_t size = sizeof pickle - 1;
        if (!archive->folder.data && name.size >= size &&
            memcmp(name.data + name.size - size, pickle, size) == 0)
            archive->folder = (eti_text){name.data, name.size - size + 1};
    }
    return ETI_OK;
}

static eti_status read_archive(torch_archive *archive, const eti_saved_value **out,
                               eti_error *err) {
    eti_text order, pickle;
    ETI_TRY(list_members(archive, err));
    if (!archive->folder.data)
        return eti_fail(
            err, ETI_ERROR_MALFORMED,
            "expected a member data.pkl in a folder, found a ZIP not written by torch.save");
    ETI_TRY(load_member(archive, eti__text_of("byteorder"), &order, err));
    if (order.data && !eti__text_is(order, "little"))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "member byteorder: expected little, found %.*s: save it on a "
                        "little-endian machine",
                        ETI_TEXT_ARGS(order));
    ETI_TRY(load_member(archive, eti__text_of("data.pkl"), &pickle, err));
    uint64_t most = MOST_SHARED_BYTES + 4 * (uint64_t)archive->file->size;
    const eti_pickle_rules rules = {.find_global = find_global,
                                    .load = load,
                                    .call = call,
                                    .context = archive,
                                    .most_tensor_bytes = most};
    return fail_member(eti__unpickle(out, archive->arena, pickle, &rules, err),
                       eti__text_of("data.pkl"), err);
}

static eti_status fail_kind(const struct eti_file *file, eti_error *err) {
    if (file->size > 0 && file->data[0] == 0x80)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected a ZIP written by torch.save, found a plain pickle, as "
                        "written by torch.save before version 1.6 and held by ETRecords until "
                        "March 2026: generate it again with a newer version",
                        file->name);
    return eti_fail(
        err, ETI_ERROR_MALFORMED,
        "%s: expected a ZIP written by torch.save, found other bytes, or a truncated file",
        file->name);
}

eti_status eti__torch_save_read(const eti_saved_value **out, eti_arena *arena,
                                const struct eti_file *file, eti_error *err) {
    torch_archive archive = {.file = file, .arena = arena};
    *out = NULL;
    if (!eti__zip_has_end(file))
        return fail_kind(file, err);
    ETI_TRY(eti__zip_open_large(&archive.zip, arena, file, ETI_ZIP_TENSORS, err));
    eti_status status = read_archive(&archive, out, err);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s", file->name);
    eti__text_table_free(&archive.names);
    return status;
}

/* ==== torch tensors =========================================================================== */

/* Names repeat keys of the archive, which may be as long as the archive. */
#define MOST_NAME_BYTES ((uint64_t)64 << 20)

/* Source of the name of a tensor. */
typedef enum name_origin { NAME_OF_STRING, NAME_OF_NUMBER, NAME_OF_ITEM } name_origin;

typedef struct tensor_list {
    const char *file_name;
    eti_arena *arena;
    eti_tensor_values *tensors; /* allocated by malloc() */
    size_t n, capacity;
    uint8_t *origins; /* of type name_origin, one per tensor; allocated by malloc() */
    size_t origins_capacity;
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

static eti_status fail_name(const tensor_list *list, eti_text name, name_origin first,
                            name_origin second) {
    static const char *const origins[] = {
        [NAME_OF_STRING] = "a string",
        [NAME_OF_NUMBER] = "an int",
        [NAME_OF_ITEM] = "an item of a list",
    };
    return eti_fail(list->err, ETI_ERROR_MALFORMED,
                    "%s: two tensors are called %.*s, by %s and by %s: rename one of the keys",
                    list->file_name, ETI_TEXT_ARGS(name), origins[first], origins[second]);
}

static eti_status add_tensor(tensor_list *list, eti_text name, name_origin origin,
                             const eti_saved_value *value) {
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
        !ETI_GROW(list->tensors, list->capacity, list->n + 1) ||
        !ETI_GROW(list->origins, list->origins_capacity, list->n + 1))
        return eti_fail_memory(list->err);
    if (number < list->n)
        return fail_name(list, name, list->origins[number], origin);
    values.name = list->names.texts[number];
    list->origins[list->n] = (uint8_t)origin;
    list->tensors[list->n++] = values;
    return ETI_OK;
}

/* Adds a named value: a tensor, or each item of a list. */
static eti_status add_named(tensor_list *list, eti_text name, name_origin origin,
                            const eti_saved_value *value) {
    eti_buffer full = {0};
    eti_status status = ETI_OK;
    if (!is_list(value))
        return add_tensor(list, name, origin, value);
    for (uint32_t i = 0; i < value->n_items && status == ETI_OK; i++) {
        full.size = 0;
        eti__buffer_add_text(&full, name);
        eti__buffer_printf(&full, "#%" PRIu32, i);
        status = full.failed
                     ? eti_fail_memory(list->err)
                     : add_tensor(list, eti__buffer_text(&full), NAME_OF_ITEM, value->items[i]);
    }
    eti__buffer_free(&full);
    return status;
}

static eti_status add_numbered(tensor_list *list, int64_t number, const eti_saved_value *value) {
    char name[32];
    (void)snprintf(name, sizeof name, "%" PRId64, number);
    return add_named(list, eti__text_of(name), NAME_OF_NUMBER, value);
}

static eti_status add_all(tensor_list *list, const eti_saved_value *value) {
    if (is_list(value)) {
        for (uint32_t i = 0; i < value->n_items; i++)
            ETI_TRY(add_numbered(list, i, value->items[i]));
        return ETI_OK;
    }
    if (value->kind != ETI_SAVED_DICT)
        return add_tensor(list, eti__text_of(""), NAME_OF_STRING, value);
    for (uint32_t i = 0; i + 1 < value->n_items; i += 2) {
        const eti_saved_value *key = value->items[i];
        if (key->kind == ETI_SAVED_INT)
            ETI_TRY(add_numbered(list, key->as_int, value->items[i + 1]));
        else if (key->kind == ETI_SAVED_TEXT)
            ETI_TRY(add_named(list, eti__saved_text(key), NAME_OF_STRING, value->items[i + 1]));
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
    free(list.origins);
    return status;
}
