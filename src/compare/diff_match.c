/*
 * diff_match.c - finds out which block and which event of one profile is which of the other.
 */
#include "account/grouping.h"
#include "base/array.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/text_table.h"
#include "compare/diff_parts.h"

#include <stdlib.h>

/* Equal numbers of equal things. */
#define N_KEY_PARTS 7
#define NO_TEXT UINT32_MAX

typedef struct key {
    uint32_t parts[N_KEY_PARTS];
} key;

/* Starts as all zeros. */
typedef struct numbering {
    eti_text_table texts;
    ETI_INTERN_OF(key) keys;
} numbering;

static void free_numbering(numbering *n) {
    eti__text_table_free(&n->texts);
    eti__intern_free(&n->keys.table);
}

static bool number_key(numbering *n, key wanted, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(key), .key_size = sizeof(key)};
    return eti__intern_add(&n->keys.table, &kind, &wanted, out);
}

/* ---- events ---------------------------------------------------------------------------------- */

enum { STRONG, STRONG_WITHOUT_PLACE, WEAK, WORK };

/* The numbers of an entry's texts. */
typedef struct entry_texts {
    uint32_t name, folded, op, module, code, handles, id;
} entry_texts;

/* Most events lack most texts. */
static bool number_text(numbering *n, eti_text text, uint32_t *out) {
    *out = NO_TEXT;
    return text.size == 0 || eti__text_table_add(&n->texts, text, NULL, out);
}

static bool number_texts(numbering *n, const eti_entry *entry, entry_texts *out) {
    eti_text folded = eti__fold_op_name(entry->name);
    bool done = number_text(n, entry->name, &out->name) && number_text(n, entry->op, &out->op) &&
                number_text(n, entry->module, &out->module) &&
                number_text(n, entry->code, &out->code) &&
                number_text(n, entry->handles, &out->handles) &&
                number_text(n, entry->delegate_id, &out->id);
    out->folded = out->name;
    return done && (folded.size == entry->name.size || number_text(n, folded, &out->folded));
}

/* Without `knows_ops` a side has no ETRecord, and operators of the other side are ignored. */
static bool number_entry(numbering *n, const eti_entry *known, bool knows_ops,
                         eti_match_item *out) {
    const eti_entry bare = {
        .role = known->role, .name = known->name, .delegate_id = known->delegate_id};
    const eti_entry *entry = knows_ops ? known : &bare;
    entry_texts of;
    if (!number_texts(n, entry, &of))
        return false;
    key strong = {{STRONG, entry->role, of.name, of.op, of.module, of.code, 0}};
    if (!entry->module.data && !entry->code.data)
        strong = (key){{STRONG_WITHOUT_PLACE, entry->role, of.name, of.op, of.handles, of.id, 0}};
    key weak = {{WEAK, entry->role, of.folded, of.op, 0, 0, 0}};
    key work = {{WORK, of.op, of.module, 0, 0, 0, 0}};
    *out = (eti_match_item){.work = ETI_NO_WORK};
    out->is_delegated = eti__role_is_delegate((eti_role)entry->role);
    return number_key(n, strong, &out->strong) && number_key(n, weak, &out->weak) &&
           (!entry->op.data || number_key(n, work, &out->work));
}

/* NULL: out of memory. */
static eti_match_item *number_events(numbering *n, const eti_profile_block *block, bool knows_ops,
                                     eti_match_side *side) {
    size_t n_events = block->n_entries - block->n_totals;
    eti_match_item *items = malloc((n_events + 1) * sizeof *items);
    for (size_t i = 0; items && i < n_events; i++) {
        if (!number_entry(n, &block->entries[block->n_totals + i], knows_ops, &items[i])) {
            free(items);
            return NULL;
        }
    }
    *side = (eti_match_side){items, (uint32_t)n_events};
    return items;
}

static bool knows_ops(const eti_profile_block *block) {
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        if (block->entries[i].op.data)
            return true;
    }
    return false;
}

eti_status eti__match_events(eti_match **out, size_t *n, const eti_profile_block *base,
                             const eti_profile_block *new_side, eti_error *err) {
    bool both_know = knows_ops(base) && knows_ops(new_side);
    numbering numbers = {0};
    eti_match_side of_base, of_new = {NULL, 0};
    eti_match_item *base_items = number_events(&numbers, base, both_know, &of_base);
    eti_match_item *new_items =
        base_items ? number_events(&numbers, new_side, both_know, &of_new) : NULL;
    eti_status status =
        new_items ? eti__match_sides(out, n, of_base, of_new, err) : eti_fail_memory(err);
    free_numbering(&numbers);
    free(base_items);
    free(new_items);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Two blocks with the same name ran different Events, which distinguish them if possible. */
static bool number_block(numbering *n, const eti_profile_block *block, eti_match_item *out) {
    uint32_t name;
    if (!eti__text_table_add(&n->texts, block->name, NULL, &name))
        return false;
    uint64_t hash = eti__hash_seed();
    for (size_t i = block->n_totals; i < block->n_entries; i++)
        hash = eti__text_hash(eti__fold_op_name(block->entries[i].name), hash);
    uint32_t input = (uint32_t)block->bundled_input_index;
    key strong = {{STRONG, name, input, (uint32_t)hash, (uint32_t)(hash >> 32), 0, 0}};
    key weak = {{WEAK, name, input, 0, 0, 0, 0}};
    *out = (eti_match_item){.work = ETI_NO_WORK};
    return number_key(n, strong, &out->strong) && number_key(n, weak, &out->weak);
}

static eti_match_item *number_blocks(numbering *n, const eti_profile *profile,
                                     eti_match_side *side) {
    eti_match_item *items = malloc((profile->n_blocks + 1) * sizeof *items);
    for (size_t i = 0; items && i < profile->n_blocks; i++) {
        if (!number_block(n, &profile->blocks[i], &items[i])) {
            free(items);
            return NULL;
        }
    }
    *side = (eti_match_side){items, (uint32_t)profile->n_blocks};
    return items;
}

static const eti_entry *find_total(const eti_profile_block *block) {
    bool has = block && block->n_totals > 0 && block->entries[0].kind == ETI_ENTRY_EXECUTE;
    return has ? &block->entries[0] : NULL;
}

static eti_status add_pairs(eti_diff *diff, const eti_match *matches, size_t n, eti_error *err) {
    diff->pairs = eti__arena_alloc_zero(&diff->arena, n + 1, sizeof *diff->pairs);
    if (!diff->pairs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_diff_pair *pair = &diff->pairs[diff->n_pairs++];
        if (matches[i].base != ETI_NO_ENTRY)
            pair->base = &diff->base->blocks[matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            pair->new_side = &diff->new_side->blocks[matches[i].new_side];
        pair->total_base = find_total(pair->base);
        pair->total_new = find_total(pair->new_side);
    }
    return ETI_OK;
}

eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) {
    numbering numbers = {0};
    eti_match_side of_base, of_new = {NULL, 0};
    eti_match *matches = NULL;
    size_t n = 0;
    eti_match_item *base_items = number_blocks(&numbers, diff->base, &of_base);
    eti_match_item *new_items =
        base_items ? number_blocks(&numbers, diff->new_side, &of_new) : NULL;
    eti_status status =
        new_items ? eti__match_sides(&matches, &n, of_base, of_new, err) : eti_fail_memory(err);
    if (status == ETI_OK)
        status = add_pairs(diff, matches, n, err);
    free(matches);
    free(base_items);
    free(new_items);
    free_numbering(&numbers);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void add_row(eti_diff *diff, eti_diff_rows *rows, uint32_t pair, const eti_entry *base,
                    const eti_entry *new_side, eti_match_kind kind) {
    eti_diff_row *row = &rows->rows[rows->n++];
    *row = eti__diff_row_of(diff, pair, base, new_side);
    row->match = (uint8_t)kind;
}

static eti_match_kind kind_of(const eti_entry *base, const eti_entry *new_side) {
    if (!base)
        return ETI_MATCH_ADDED;
    return new_side ? ETI_MATCH_SAME : ETI_MATCH_REMOVED;
}

static void add_totals(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    for (int kind = 0; kind < ETI_N_TOTALS; kind++) {
        const eti_entry *base = NULL, *new_side = NULL;
        for (size_t i = 0; pair->base && i < pair->base->n_totals; i++)
            base = pair->base->entries[i].kind == kind ? &pair->base->entries[i] : base;
        for (size_t i = 0; pair->new_side && i < pair->new_side->n_totals; i++)
            new_side =
                pair->new_side->entries[i].kind == kind ? &pair->new_side->entries[i] : new_side;
        if (base || new_side)
            add_row(diff, &diff->totals, number, base, new_side, kind_of(base, new_side));
    }
}

static void add_allocated(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_entry *base = pair->base ? pair->base->allocated : NULL;
    const eti_entry *new_side = pair->new_side ? pair->new_side->allocated : NULL;
    if (base || new_side)
        add_row(diff, &diff->allocated, number, base, new_side, kind_of(base, new_side));
}

/* Of a block that the other side lacks. */
static void add_lonely(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_profile_block *block = pair->base ? pair->base : pair->new_side;
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        const eti_entry *entry = &block->entries[i];
        add_row(diff, &diff->events, number, pair->base ? entry : NULL, pair->base ? NULL : entry,
                pair->base ? ETI_MATCH_REMOVED : ETI_MATCH_ADDED);
    }
}

static eti_status add_events(eti_diff *diff, uint32_t number, eti_error *err) {
    const eti_diff_pair *pair = &diff->pairs[number];
    eti_match *matches;
    size_t n;
    ETI_TRY(eti__match_events(&matches, &n, pair->base, pair->new_side, err));
    for (size_t i = 0; i < n; i++) {
        const eti_entry *base = NULL, *new_side = NULL;
        if (matches[i].base != ETI_NO_ENTRY)
            base = &pair->base->entries[pair->base->n_totals + matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            new_side = &pair->new_side->entries[pair->new_side->n_totals + matches[i].new_side];
        add_row(diff, &diff->events, number, base, new_side, matches[i].kind);
    }
    free(matches);
    return ETI_OK;
}

static bool has_total(const eti_diff_pair *pair) {
    return pair->total_base || pair->total_new;
}

static size_t count_events(const eti_profile_block *block) {
    return block ? block->n_entries - block->n_totals : 0;
}

eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) {
    size_t most = 1;
    for (size_t i = 0; i < diff->n_pairs; i++)
        most += count_events(diff->pairs[i].base) + count_events(diff->pairs[i].new_side);
    diff->totals.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs * ETI_N_TOTALS + 1, sizeof *diff->totals.rows);
    diff->events.rows = eti__arena_alloc(&diff->arena, most, sizeof *diff->events.rows);
    diff->allocated.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs + 1, sizeof *diff->allocated.rows);
    if (!diff->totals.rows || !diff->events.rows || !diff->allocated.rows)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < diff->n_pairs; i++)
        add_allocated(diff, i);
    /* Blocks that do nothing but load come last. */
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (has_total(&diff->pairs[i]))
            add_totals(diff, i);
    }
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (!has_total(&diff->pairs[i]))
            add_totals(diff, i);
    }
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].base && diff->pairs[i].new_side)
            ETI_TRY(add_events(diff, i, err));
        else
            add_lonely(diff, i);
    }
    return ETI_OK;
}
