#include "tensors/npz.h"

#include "base/intern.h"
#include "base/status.h"

#include <string.h>

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
    return eti__npy_read_header(&array->header, values, arena, (eti_text){beginning, n},
                                member->size, err);
}

static eti_status read_headers(eti_npz *npz, eti_text_table *names, eti_arena *arena,
                               eti_error *err) {
    for (size_t i = 0; i < npz->zip.n_members; i++) {
        const eti_zip_member *member = &npz->zip.members[i];
        eti_text name = array_name(member->name);
        uint32_t number;
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
    return eti__npy_set_data(out, arena, &array->header, data, err);
}
