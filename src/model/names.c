#include "model/names.h"

typedef struct eti_repaired_name {
    eti_text found; /* as in the file */
    eti_text repaired;
} eti_repaired_name;

/* Events share names in the file, and therefore share the repaired ones. */
typedef struct eti_repairs {
    eti_arena *arena;
    ETI_INTERN_OF(eti_repaired_name) names; /* by the address of the original */
    uint64_t left;                          /* number of bytes that may still be stored */
    eti_error *err;
} eti_repairs;

static eti_status store(eti_repairs *repairs, const eti_buffer *repaired, eti_text *out) {
    if (repaired->failed)
        return eti_fail_memory(repairs->err);
    if (repaired->size > repairs->left)
        return eti_fail(
            repairs->err, ETI_ERROR_LIMIT,
            "names that are not UTF-8 overlap in the ETDump and are together larger than the file");
    repairs->left -= repaired->size;
    return eti__arena_copy_text(repairs->arena, eti__buffer_text(repaired), out)
               ? ETI_OK
               : eti_fail_memory(repairs->err);
}

static eti_status repair(eti_repairs *repairs, eti_text *name) {
    static const eti_intern_kind name_kind = {.item_size = sizeof(eti_repaired_name),
                                              .key_size = sizeof(eti_text)};
    if (eti__text_valid_utf8(*name) == name->size)
        return ETI_OK;
    uint32_t number;
    size_t n_known = repairs->names.count;
    if (!eti__intern_add(&repairs->names.table, &name_kind, &(eti_repaired_name){.found = *name},
                         &number))
        return eti_fail_memory(repairs->err);
    eti_text *known = &repairs->names.items[number].repaired;
    if (number == n_known) {
        eti_buffer repaired = {0};
        eti__buffer_add_utf8(&repaired, *name);
        eti_status status = store(repairs, &repaired, known);
        eti__buffer_free(&repaired);
        ETI_TRY(status);
    }
    *name = *known;
    return ETI_OK;
}

static eti_status repair_block(eti_repairs *repairs, eti_event_block *block) {
    ETI_TRY(repair(repairs, &block->name));
    for (size_t i = 0; i < block->n_events; i++) {
        ETI_TRY(repair(repairs, &block->events[i].name));
    }
    return ETI_OK;
}

eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) {
    *n_repaired = 0;
    if (!blocks->has_broken_names)
        return ETI_OK;
    eti_repairs repairs = {.arena = arena, .left = allowed, .err = err};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < blocks->n_blocks && status == ETI_OK; i++)
        status = repair_block(&repairs, &blocks->blocks[i]);
    *n_repaired = repairs.names.count;
    eti__intern_free(&repairs.names.table);
    return status;
}
