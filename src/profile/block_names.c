#include "profile/block_names.h"

#include <stdlib.h>

static uint64_t hash_list(const void *key, uint64_t seed) {
    const eti_block_list_key *list = key;
    uint64_t hash = eti__hash_mix(seed, (uint32_t)list->bundled_input_index);
    hash = eti__text_hash(list->name, eti__hash_mix(hash, list->is_any));
    return eti__text_hash(list->method, hash);
}

static bool is_equal_list(const void *key, const void *other) {
    const eti_block_list_key *a = key, *b = other;
    return a->bundled_input_index == b->bundled_input_index && a->is_any == b->is_any &&
           !a->method.data == !b->method.data && eti__text_equal(a->name, b->name) &&
           eti__text_equal(a->method, b->method);
}

static bool number_list(eti_block_names *names, const eti_block_list_key *key, uint32_t *out) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(eti_block_list_key), .hash = hash_list, .is_equal = is_equal_list};
    return eti__intern_add(&names->table, &kind, key, out);
}

bool eti__block_names_add(eti_block_names *names, const eti_profile_block *block,
                          eti_block_lists *out) {
    eti_block_list_key own = {.name = block->name,
                              .method = block->method,
                              .bundled_input_index = block->bundled_input_index};
    eti_block_list_key unknown = own, any = own;
    uint32_t of_unknown;
    unknown.method = any.method = (eti_text){NULL, 0};
    any.is_any = true;
    if (!number_list(names, &own, &out->own) || !number_list(names, &any, &out->any) ||
        !number_list(names, &unknown, &of_unknown))
        return false;
    out->n_with_name = block->method.data ? 2 : 1;
    out->with_name[0] = block->method.data ? out->own : out->any;
    out->with_name[1] = of_unknown;
    return true;
}

void eti__block_names_free(eti_block_names *names) {
    eti__intern_free(&names->table);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file of a list. */
typedef struct listed_file {
    uint32_t list, file;
} listed_file;

typedef struct counter {
    eti_block_names names;
    eti_block_lists *lists; /* per block */
    ETI_INTERN_OF(listed_file) files;
    size_t *n_files;  /* per list */
    size_t *n_common; /* per list of a method: number of files that the list of no method has too */
} counter;

static const eti_intern_kind by_file = {.item_size = sizeof(listed_file),
                                        .key_size = sizeof(listed_file)};

static bool add_file(counter *c, uint32_t list, uint32_t file) {
    size_t n_known = c->files.count;
    uint32_t number;
    if (!eti__intern_add(&c->files.table, &by_file, &(listed_file){list, file}, &number))
        return false;
    c->n_files[list] += number == n_known;
    return true;
}

static bool list_files(counter *c, const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = 0; k < block->n_files; k++) {
            if (!add_file(c, c->lists[i].own, block->files[k].file) ||
                !add_file(c, c->lists[i].any, block->files[k].file))
                return false;
        }
    }
    return true;
}

/* Counts the files that two lists have in common, once per list of a method. */
static bool count_common(counter *c, size_t n_blocks) {
    uint32_t *no_method = malloc((c->names.count + 1) * sizeof *no_method), number;
    if (!no_method)
        return false;
    for (size_t i = 0; i < c->names.count; i++)
        no_method[i] = ETI_INDEX_END;
    for (size_t i = 0; i < n_blocks; i++) {
        if (c->lists[i].n_with_name == 2)
            no_method[c->lists[i].own] = c->lists[i].with_name[1];
    }
    for (size_t i = 0; i < c->files.count; i++) {
        listed_file item = c->files.items[i];
        uint32_t list = item.list;
        item.list = no_method[list];
        if (item.list != ETI_INDEX_END)
            c->n_common[list] += eti__intern_find(&c->files.table, &by_file, &item, &number);
    }
    free(no_method);
    return true;
}

static bool count_files(counter *c, const eti_profile *profile, size_t *out) {
    c->lists = malloc((profile->n_blocks + 1) * sizeof *c->lists);
    for (size_t i = 0; c->lists && i < profile->n_blocks; i++) {
        if (!eti__block_names_add(&c->names, &profile->blocks[i], &c->lists[i]))
            return false;
    }
    c->n_files = calloc(c->names.count + 1, sizeof *c->n_files);
    c->n_common = calloc(c->names.count + 1, sizeof *c->n_common);
    if (!c->lists || !c->n_files || !c->n_common || !list_files(c, profile) ||
        !count_common(c, profile->n_blocks))
        return false;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_block_lists *of = &c->lists[i];
        out[i] = 0;
        for (size_t k = 0; k < of->n_with_name; k++)
            out[i] += c->n_files[of->with_name[k]];
        out[i] -= c->n_common[of->own];
    }
    return true;
}

bool eti__block_names_count_files(const eti_profile *profile, size_t *out) {
    counter c = {.lists = NULL};
    bool done = count_files(&c, profile, out);
    eti__block_names_free(&c.names);
    eti__intern_free(&c.files.table);
    free(c.lists);
    free(c.n_files);
    free(c.n_common);
    return done;
}
