#include "model/names.h"

#include "base/array.h"
#include "base/index.h"
#include "base/text.h"

#include <stdlib.h>

typedef struct eti_repaired_name {
    eti_text found; /* in the file */
    eti_text repaired;
} eti_repaired_name;

/* Events share names in the file, and then share the repaired one. */
typedef struct eti_repairs {
    eti_arena *arena;
    eti_repaired_name *names;
    size_t n_names, capacity;
    eti_index index; /* by where in memory the name was found */
    uint64_t left;   /* bytes that may still be stored */
    eti_error *err;
} eti_repairs;

static eti_status store(eti_repairs *repairs, eti_text found, const eti_buffer *repaired,
                        uint64_t hash) {
    if (repaired->failed || !ETI_GROW(repairs->names, repairs->capacity, repairs->n_names + 1) ||
        !eti_index_add(&repairs->index, hash, (uint32_t)repairs->n_names))
        return eti_fail_memory(repairs->err);
    if (repaired->size > repairs->left)
        return eti_fail(repairs->err, ETI_ERROR_LIMIT,
                        "the names that are not UTF-8 overlap in the ETDump, and are larger than "
                        "the file together");
    repairs->left -= repaired->size;
    eti_repaired_name *name = &repairs->names[repairs->n_names++];
    name->found = found;
    if (!eti_arena_copy_text(repairs->arena, eti_buffer_text(repaired), &name->repaired))
        return eti_fail_memory(repairs->err);
    return ETI_OK;
}

static eti_status repair(eti_repairs *repairs, eti_text *name) {
    if (eti_text_valid_utf8(*name) == name->size)
        return ETI_OK;
    uint64_t hash = eti_hash_mix((uintptr_t)name->data, name->size);
    eti_index_cursor cursor = eti_index_start(&repairs->index, hash);
    for (uint32_t i; (i = eti_index_next(&repairs->index, &cursor)) != ETI_INDEX_END;) {
        const eti_repaired_name *known = &repairs->names[i];
        if (known->found.data == name->data && known->found.size == name->size) {
            *name = known->repaired;
            return ETI_OK;
        }
    }
    eti_buffer repaired = {0};
    eti_buffer_add_utf8(&repaired, *name);
    eti_status status = store(repairs, *name, &repaired, hash);
    eti_buffer_free(&repaired);
    if (status == ETI_OK)
        *name = repairs->names[repairs->n_names - 1].repaired;
    return status;
}

static eti_status repair_block(eti_repairs *repairs, eti_event_block *block) {
    ETI_TRY(repair(repairs, &block->name));
    for (size_t i = 0; i < block->n_events; i++) {
        ETI_TRY(repair(repairs, &block->events[i].name));
    }
    return ETI_OK;
}

eti_status eti_names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                            size_t *n_repaired, eti_error *err) {
    *n_repaired = 0;
    if (!blocks->has_broken_names)
        return ETI_OK;
    eti_repairs repairs = {.arena = arena, .left = allowed, .err = err};
    eti_status status = ETI_OK;
    if (!eti_index_reset(&repairs.index, 0))
        status = eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks && status == ETI_OK; i++)
        status = repair_block(&repairs, &blocks->blocks[i]);
    *n_repaired = repairs.n_names;
    free(repairs.names);
    eti_index_free(&repairs.index);
    return status;
}
