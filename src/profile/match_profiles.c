#include "profile/match_profiles.h"

#include "account/account.h"
#include "rollup/rollup.h"

#include <stdlib.h>
#include <string.h>

/* A key: equal things have equal numbers as parts. */
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

enum { STRONG, STRONG_WITHOUT_PLACE, WEAK, WORK, ORIGIN, KERNEL, OPERATOR, NODE };

/* Numbers of an entry's texts. */
typedef struct entry_texts {
    uint32_t name, folded, op, module, code, handles, id, origin, kernel, op_type;
} entry_texts;

/* Numbers a text; NO_TEXT if it is empty, as most texts of most events are. */
static bool number_text(numbering *n, eti_text text, uint32_t *out) {
    *out = NO_TEXT;
    return text.size == 0 || eti__text_table_add(&n->texts, text, NULL, out);
}

/* Returns the kind of kernel that a delegate logged: "Convolution" of "Convolution (NHWC, F32) IGEMM #1". The kind of
 * other kernels is their operator. */
static eti_text kernel_of(const eti_entry *entry) {
    const char *end = entry->name.size > 0 ? memchr(entry->name.data, '(', entry->name.size) : NULL;
    if (entry->role != ETI_ROLE_DELEGATED || !end)
        return entry->op_type;
    return (eti_text){entry->name.data, (size_t)(end - entry->name.data)};
}

/* Returns whether an operator changes only the layout or the type. */
static bool moves_data(eti_text op) {
    return eti__text_contains(op, eti__text_of("_copy")) ||
           eti__text_contains(op, eti__text_of("clone")) ||
           eti__text_contains(op, eti__text_of("quantize_per_"));
}

/* Returns whether a delegate changes layout or type for a node, in addition to the node's own work. */
static bool is_copy(const eti_entry *entry) {
    return entry->role == ETI_ROLE_DELEGATED && !moves_data(entry->op_type) &&
           (eti__text_begins_with(entry->name, "Convert (") ||
            eti__text_begins_with(entry->name, "Transpose ("));
}

static bool number_known(numbering *n, bool is_known, key wanted, uint32_t *out) {
    if (!is_known)
        return true;
    bool done = number_key(n, wanted, out);
    *out += done;
    return done;
}

static bool number_node(numbering *n, const eti_entry *entry, const entry_texts *of,
                        eti_match_item *out) {
    const uint32_t origin = of->origin, module = of->module;
    bool is_known = entry->origin.data != NULL, is_work = is_known && !is_copy(entry);
    return number_known(n, is_known, (key){{ORIGIN, origin}}, &out->origin) &&
           number_known(n, is_known, (key){{KERNEL, origin, module, of->kernel}}, &out->kernel) &&
           number_known(n, is_work, (key){{OPERATOR, origin, module, of->op_type}}, &out->op) &&
           number_known(n, is_work && !moves_data(entry->op_type), (key){{NODE, origin, module}},
                        &out->node);
}

static bool number_texts(numbering *n, const eti_entry *entry, entry_texts *out) {
    eti_text folded = eti__fold_op_name(entry->name);
    bool done = number_text(n, entry->name, &out->name) && number_text(n, entry->op, &out->op) &&
                number_text(n, entry->module, &out->module) &&
                number_text(n, entry->code, &out->code) &&
                number_text(n, entry->handles, &out->handles) &&
                number_text(n, entry->delegate_id, &out->id) &&
                number_text(n, entry->origin, &out->origin) &&
                number_text(n, kernel_of(entry), &out->kernel) &&
                number_text(n, entry->op_type, &out->op_type);
    out->folded = out->name;
    return done && (folded.size == entry->name.size || number_text(n, folded, &out->folded));
}

/* Numbers the keys of an entry. Without `knows_ops`, one side has no ETRecord, and operators of the other side are
 * ignored. */
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
           (!entry->op.data || number_key(n, work, &out->work)) && number_node(n, entry, &of, out);
}

/* Numbers the keys of all events. NULL: out of memory. */
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

static bool knows_methods(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        if (profile->blocks[i].method.data)
            return true;
    }
    return false;
}

/* Numbers the keys of a block. Blocks with the same name ran different methods or different Events, which distinguish
 * them if possible. */
static bool number_block(numbering *n, const eti_profile_block *block, bool by_method,
                         eti_match_item *out) {
    uint32_t name, method = 0;
    if (!eti__text_table_add(&n->texts, block->name, NULL, &name) ||
        (by_method && !eti__text_table_add(&n->texts, block->method, NULL, &method)))
        return false;
    uint64_t hash = eti__hash_seed();
    for (size_t i = block->n_totals; i < block->n_entries; i++)
        hash = eti__text_hash(eti__fold_op_name(block->entries[i].name), hash);
    uint32_t input = (uint32_t)block->bundled_input_index;
    key strong = {{STRONG, name, input, (uint32_t)hash, (uint32_t)(hash >> 32), method, 0}};
    key weak = {{WEAK, name, input, method, 0, 0, 0}};
    *out = (eti_match_item){.work = ETI_NO_WORK};
    return number_key(n, strong, &out->strong) && number_key(n, weak, &out->weak);
}

static eti_match_item *number_blocks(numbering *n, const eti_profile *profile, bool by_method,
                                     eti_match_side *side) {
    eti_match_item *items = malloc((profile->n_blocks + 1) * sizeof *items);
    for (size_t i = 0; items && i < profile->n_blocks; i++) {
        if (!number_block(n, &profile->blocks[i], by_method, &items[i])) {
            free(items);
            return NULL;
        }
    }
    *side = (eti_match_side){items, (uint32_t)profile->n_blocks};
    return items;
}

eti_status eti__match_blocks(eti_match **out, size_t *n, const eti_profile *base,
                             const eti_profile *new_side, eti_error *err) {
    numbering numbers = {0};
    eti_match_side of_base, of_new = {NULL, 0};
    bool by_method = knows_methods(base) && knows_methods(new_side);
    eti_match_item *base_items = number_blocks(&numbers, base, by_method, &of_base);
    eti_match_item *new_items =
        base_items ? number_blocks(&numbers, new_side, by_method, &of_new) : NULL;
    eti_status status =
        new_items ? eti__match_sides(out, n, of_base, of_new, err) : eti_fail_memory(err);
    free(base_items);
    free(new_items);
    free_numbering(&numbers);
    return status;
}
