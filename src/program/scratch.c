#include "program/program.h"

#include "backends/backends.h"
#include "base/intern.h"
#include "base/status.h"

/* The scratch memory that a payload asks for. */
typedef struct payload_scratch {
    const char *payload; /* the key */
    eti_vela sizes;
} payload_scratch;

typedef ETI_INTERN_OF(payload_scratch) payload_table;

/* Finds the sizes of a payload, which delegates may share. Returns false if memory runs out. */
static bool find_sizes(payload_table *payloads, eti_text payload, eti_scratches *out,
                       eti_vela *sizes) {
    static const eti_intern_kind kind = {.item_size = sizeof(payload_scratch),
                                         .key_size = sizeof(char *)};
    size_t n_known = payloads->count;
    uint32_t number;
    if (!eti__intern_add(&payloads->table, &kind, &(payload_scratch){.payload = payload.data},
                         &number))
        return false;
    payload_scratch *found = &payloads->items[number];
    if (number == n_known) {
        eti_error why = ETI_ERROR_INIT;
        if (eti__vela_read(&found->sizes, payload, &why) != ETI_OK) {
            found->sizes = (eti_vela){0};
            if (out->n_damaged++ == 0)
                out->damage = why;
        }
    }
    *sizes = found->sizes;
    return true;
}

static bool list_scratches(eti_scratches *out, eti_scratch *items, const eti_calls *calls,
                           payload_table *payloads) {
    for (uint32_t i = 0; i < calls->n; i++) {
        const eti_pte_instruction *call = calls->items[i];
        if (call->kind != ETI_PTE_DELEGATE_CALL)
            continue;
        const eti_pte_delegate *delegate = &calls->plan->delegates[call->index];
        eti_vela sizes;
        if (eti__backend_of_id(delegate->id) != ETI_BACKEND_ETHOSU)
            continue;
        if (!find_sizes(payloads, delegate->payload, out, &sizes))
            return false;
        if (!sizes.has_scratch)
            continue;
        items[out->n++] = (eti_scratch){i, (uint32_t)call->index, sizes.scratch_bytes};
        if (sizes.scratch_bytes > out->most)
            out->most = sizes.scratch_bytes;
    }
    return true;
}

eti_status eti__scratches_list(eti_scratches *out, eti_arena *arena, const eti_calls *calls,
                               eti_error *err) {
    payload_table payloads = {.count = 0};
    uint32_t n = 0;
    *out = (eti_scratches){.damage = ETI_ERROR_INIT};
    for (uint32_t i = 0; i < calls->n; i++)
        n += calls->items[i]->kind == ETI_PTE_DELEGATE_CALL;
    eti_scratch *items = eti__arena_alloc(arena, n, sizeof *items);
    out->items = items;
    bool done = items && list_scratches(out, items, calls, &payloads);
    eti__intern_free(&payloads.table);
    return done ? ETI_OK : eti_fail_memory(err);
}
