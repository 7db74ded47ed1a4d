#include "account/blocks.h"

#include "account/account.h"
#include "account/calls.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* ==== blocks ================================================================================== */

eti_status eti__block_fail(const eti_blocks *blocks, const char *wanted, eti_error *err) {
    char names[512] = "";
    size_t used = 0, least = ETI_TOO_FAR;
    eti_text nearest = {NULL, 0};
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        eti_text name = blocks->blocks[i].name, label = blocks->blocks[i].label;
        if (eti__text_is_nearer(name, eti__text_of(wanted), &least))
            nearest = name;
        if (eti__text_is_nearer(label, eti__text_of(wanted), &least))
            nearest = label;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", i ? ", " : "",
                                     ETI_TEXT_ARGS(label));
    }
    if (nearest.data)
        return eti_fail(err, ETI_ERROR_USAGE, "%sblock: no block is called %s: did you mean %.*s?",
                        eti__option_prefix(), wanted, ETI_TEXT_ARGS(nearest));
    return eti_fail(err, ETI_ERROR_USAGE, "%sblock: no block is called %s; there are %s",
                    eti__option_prefix(), wanted, *names ? names : "none");
}

/* Returns whether `wanted` is this number in decimal, without leading zeros. */
static bool is_number(const char *wanted, size_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", number);
    return strcmp(wanted, digits) == 0;
}

bool eti__block_is_called(const eti_event_block *block, const char *wanted) {
    return !wanted || strcmp(wanted, "all") == 0 || eti__text_is(block->name, wanted) ||
           eti__text_is(block->label, wanted) ||
           (block->method_name.size > 0 && eti__text_is(block->method_name, wanted)) ||
           is_number(wanted, block->number);
}

bool eti__blocks_are_alike(const eti_event_block *a, const eti_event_block *b) {
    return a == b || (a->method_name.size > 0 && eti__text_equal(a->method_name, b->method_name));
}

bool eti__block_is_chosen(const eti_view_options *options, const eti_event_block *block) {
    return eti__block_is_called(block, options->block) &&
           (!options->like || eti__blocks_are_alike(options->like, block));
}

bool eti__blocks_ran(const eti_inspector *inspector, const eti_view_options *options,
                     const eti_pte_plan *plan) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (block->plan == plan && eti__block_is_of_program(block) &&
            eti__block_is_chosen(options, block))
            return true;
    }
    return false;
}

eti_text eti__block_method(const eti_inspector *inspector, const eti_event_block *block) {
    if (block->method_name.size > 0)
        return block->method_name;
    if (inspector->record && eti__etrecord_method_count(inspector->record) == 1)
        return eti__etrecord_method_name(inspector->record, 0);
    if (!inspector->record && inspector->n_programs > 0 && inspector->programs[0].n_plans == 1)
        return inspector->programs[0].plans[0].name;
    return (eti_text){NULL, 0};
}

bool eti__block_runs(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__role_is_running(eti__role_by_name(&block->events[i])))
            return true;
    }
    return false;
}

bool eti__blocks_leave_out_loading(const eti_inspector *inspector,
                                   const eti_view_options *options) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti__block_is_chosen(options, block) && eti__block_runs(block))
            return true;
    }
    return false;
}

bool eti__block_is_summed(const eti_view_options *options, const eti_event_block *block,
                          bool leaves_out_loading) {
    return block->raw && eti__block_is_chosen(options, block) &&
           (!leaves_out_loading || eti__block_runs(block));
}

/* ==== distinct events ========================================================================= */

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
