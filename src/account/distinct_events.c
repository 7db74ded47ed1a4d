#include "account/distinct_events.h"

#include "account/blocks.h"

typedef struct seen_event {
    eti_text method;
    size_t
        block; /* the only block that has the event, because its method is unknown; otherwise 0 */
    eti_text name;
    int32_t instruction_id, delegate_id_int;
    uint8_t delegate_id_kind;
} seen_event;

static uint64_t hash_event(const void *key, uint64_t seed) {
    const seen_event *event = key;
    uint64_t ids =
        (uint64_t)(uint32_t)event->instruction_id << 32 | (uint32_t)event->delegate_id_int;
    uint64_t hash = eti__hash_mix(eti__hash_mix(seed, ids), event->block);
    return eti__text_hash(event->name, hash);
}

static bool events_equal(const void *key, const void *other) {
    const seen_event *a = key, *b = other;
    return a->instruction_id == b->instruction_id && a->delegate_id_int == b->delegate_id_int &&
           a->delegate_id_kind == b->delegate_id_kind && a->block == b->block &&
           eti__text_equal(a->name, b->name) && eti__text_equal(a->method, b->method);
}

bool eti__distinct_events_add(eti_distinct_events *distinct, const eti_event *event, bool *is_new) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(seen_event), .hash = hash_event, .is_equal = events_equal};
    const eti_text method = eti__block_method(distinct->inspector, event->block);
    const seen_event seen = {.method = method,
                             .block = method.size > 0 ? 0 : 1 + event->block->number,
                             .name = event->name,
                             .instruction_id = event->instruction_id,
                             .delegate_id_int = event->delegate_id_int,
                             .delegate_id_kind = event->delegate_id_kind};
    size_t n = distinct->seen.count;
    uint32_t number;
    *is_new = true; /* a single block has no event twice */
    if (distinct->inspector->blocks.n_blocks > 1) {
        if (!eti__intern_add(&distinct->seen, &kind, &seen, &number))
            return false;
        *is_new = distinct->seen.count > n;
    }
    return true;
}

void eti__distinct_events_free(eti_distinct_events *distinct) {
    eti__intern_free(&distinct->seen);
}
