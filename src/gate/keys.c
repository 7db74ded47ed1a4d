/*
 * keys.c - gives each checked item a unique name that is the same in every run.
 */
#include "gate/parts.h"

#include <stdlib.h>

/* Numbers equal names, starting at 1. */
static bool number_names(const eti_text *names, size_t n, eti_arena *arena, uint32_t **out) {
    *out = eti__arena_alloc(arena, n + 1, sizeof **out);
    return *out && eti__number_equal_texts(names, n, *out, NULL);
}

static bool number_entries(const eti_profile_block *block, eti_arena *arena, uint32_t **out) {
    eti_text *names = malloc((block->n_entries + 1) * sizeof *names);
    for (size_t i = 0; names && i < block->n_entries; i++)
        names[i] = block->entries[i].name;
    bool done = names && number_names(names, block->n_entries, arena, out);
    free(names);
    return done;
}

/* Returns the label of a block, which names its method, if there are several blocks; or else its name. */
static eti_text name_of(const eti_gate *gate, const eti_profile_block *block) {
    return gate->names_blocks ? block->label : block->name;
}

static bool number_blocks(const eti_gate *gate, eti_arena *arena, uint32_t **out) {
    const eti_profile *profile = gate->new_side;
    eti_text *names = malloc((profile->n_blocks + 1) * sizeof *names);
    for (size_t i = 0; names && i < profile->n_blocks; i++)
        names[i] = name_of(gate, &profile->blocks[i]);
    bool done = names && number_names(names, profile->n_blocks, arena, out);
    free(names);
    return done;
}

bool eti__gate_keys_make(eti_gate_keys *out, const eti_gate *gate, eti_arena *arena) {
    const eti_profile *profile = gate->new_side;
    *out = (eti_gate_keys){.gate = gate, .pairs = gate->diffs[0]->pairs};
    out->of_entries = eti__arena_alloc(arena, profile->n_blocks + 1, sizeof *out->of_entries);
    bool done = out->of_entries && number_blocks(gate, arena, &out->of_blocks);
    for (size_t i = 0; i < profile->n_blocks && done; i++)
        done = number_entries(&profile->blocks[i], arena, &out->of_entries[i]);
    return done;
}

static void add_numbered(eti_buffer *out, eti_text name, uint32_t number) {
    eti__buffer_add_text(out, name);
    if (number > 1)
        eti__buffer_printf(out, " #%u", number);
}

void eti__gate_add_key(eti_buffer *out, const eti_gate_keys *keys, const eti_check *check) {
    const eti_gate_rule *rule = &keys->gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    if (row->pair == ETI_NO_PAIR) {
        eti__buffer_printf(out, "program/%s", eti__gate_measure_name(rule));
        return;
    }
    const eti_profile_block *block = keys->pairs[row->pair].new_side;
    size_t number = (size_t)(block - keys->gate->new_side->blocks);
    uint32_t of_entry = 1;
    if (rule->scope == ETI_GATE_OP)
        of_entry = keys->of_entries[number][row->new_side.entry - block->entries];
    add_numbered(out, name_of(keys->gate, block), keys->of_blocks[number]);
    eti__buffer_add_char(out, '/');
    add_numbered(out, row->name, of_entry);
    eti__buffer_printf(out, " %s", eti__gate_metric_name(rule->metric));
}
