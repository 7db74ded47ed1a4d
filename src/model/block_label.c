#include "model/block_label.h"

#include <stdlib.h>

/* Longer names are not repeated in labels. */
#define LONGEST_NAME 256

/* The blocks with the same name. */
typedef struct same_name {
    size_t n, n_labelled;
    bool has_inputs; /* each block has another input index */
} same_name;

typedef struct labelling {
    eti_text_table names, inputs;
    uint32_t *name_of; /* per block: index into `names` */
    same_name *same;   /* per name */
    eti_buffer text;
} labelling;

static eti_text name_of(const eti_named_block *block) {
    return block->method.size > 0 ? block->method : block->name;
}

static void spell_input(eti_buffer *out, const eti_named_block *block) {
    out->size = 0;
    eti__buffer_add_text(out, name_of(block));
    eti__buffer_printf(out, " [input %d]", (int)block->bundled_input_index);
}

static bool count_block(labelling *l, const eti_named_block *block, size_t number,
                        eti_arena *arena) {
    uint32_t input = 0;
    if (!eti__text_table_add(&l->names, name_of(block), NULL, &l->name_of[number]))
        return false;
    same_name *same = &l->same[l->name_of[number]];
    if (same->n++ == 0)
        same->has_inputs = true;
    if (name_of(block).size > LONGEST_NAME)
        return true;
    size_t n_inputs = l->inputs.count;
    spell_input(&l->text, block);
    bool done = !l->text.failed &&
                eti__text_table_add(&l->inputs, eti__buffer_text(&l->text), arena, &input);
    if (input < n_inputs || block->bundled_input_index == -1)
        same->has_inputs = false;
    return done;
}

static bool label_block(labelling *l, eti_named_block *block, size_t number, eti_arena *arena) {
    same_name *same = &l->same[l->name_of[number]];
    size_t place = same->n_labelled++;
    block->label = name_of(block);
    if (same->n < 2 || name_of(block).size > LONGEST_NAME)
        return true;
    spell_input(&l->text, block);
    if (!same->has_inputs) {
        l->text.size = 0;
        eti__buffer_add_text(&l->text, name_of(block));
        eti__buffer_printf(&l->text, " [%zu]", place);
    }
    return !l->text.failed &&
           eti__arena_copy_text(arena, eti__buffer_text(&l->text), &block->label);
}

bool eti__named_blocks_label(eti_named_block *blocks, size_t n, eti_arena *arena) {
    labelling l = {.name_of = calloc(n + 1, sizeof *l.name_of),
                   .same = calloc(n + 1, sizeof *l.same)};
    bool done = l.name_of && l.same;
    for (size_t i = 0; i < n && done; i++)
        done = count_block(&l, &blocks[i], i, arena);
    for (size_t i = 0; i < n && done; i++)
        done = label_block(&l, &blocks[i], i, arena);
    eti__text_table_free(&l.names);
    eti__text_table_free(&l.inputs);
    eti__buffer_free(&l.text);
    free(l.name_of);
    free(l.same);
    return done;
}

bool eti__blocks_label(eti_blocks *blocks, bool by_method, eti_arena *arena) {
    size_t n = blocks->n_blocks;
    eti_named_block *named = calloc(n + 1, sizeof *named);
    for (size_t i = 0; named && i < n; i++)
        named[i] = (eti_named_block){.name = blocks->blocks[i].name,
                                     .method = by_method ? blocks->blocks[i].method_name
                                                         : (eti_text){NULL, 0},
                                     .bundled_input_index = blocks->blocks[i].bundled_input_index};
    bool done = named && eti__named_blocks_label(named, n, arena);
    for (size_t i = 0; i < n && done; i++)
        blocks->blocks[i].label = named[i].label;
    free(named);
    return done;
}
