/*
 * module_total.c - adds up the averages of the events that belong to a module whose key contains a
 * name, as the Inspector does.
 */
#include "base/intern.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "model/model.h"

/* A search for one module. The events of an instruction share a list of nodes, and nodes share a stack of modules;
 * both may be long, so each is searched once. Initialize with `name` and zeros. */
typedef struct module_search {
    eti_text name;
    eti_pointer_table known; /* lists and stacks: 1 if in the module, otherwise 0 */
} module_search;

/* Remembers an answer. If memory runs out, the answer is not kept and is computed again. */
static bool remember(module_search *search, const void *about, bool is_in) {
    (void)eti__pointer_table_add(&search->known, about, is_in);
    return is_in;
}

static bool is_node_in_module(module_search *search, const eti_op_node *node) {
    uint32_t known;
    if (node->n_modules == 0)
        return false;
    if (eti__pointer_table_find(&search->known, node->modules, &known))
        return known;
    bool is_in = false;
    for (size_t i = 0; i < node->n_modules && !is_in; i++)
        is_in = eti__text_contains(node->modules[i].key, search->name);
    return remember(search, node->modules, is_in);
}

static bool is_in_module(module_search *search, const eti_event *event) {
    const eti_event_record *record = event->record;
    uint32_t known;
    if (record->n_op_nodes == 0)
        return false;
    if (eti__pointer_table_find(&search->known, record->op_nodes, &known))
        return known;
    bool is_in = false;
    for (size_t i = 0; i < record->n_op_nodes && !is_in; i++)
        is_in = is_node_in_module(search, record->op_nodes[i]);
    return remember(search, record->op_nodes, is_in);
}

/* Returns the sum of averages. `n_found` counts the events of the module, whether timed or not. */
static double search_module(const eti_inspector *inspector, const char *name, size_t *n_found) {
    module_search search = {.name = eti__text_of(name)};
    double total = 0.0;
    *n_found = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event *event = &block->events[i];
            if (!is_in_module(&search, event))
                continue;
            ++*n_found;
            eti_summary summary;
            if (!eti__text_is(event->name, "OPERATOR_CALL") && eti_event_summary(event, &summary))
                total += summary.avg;
        }
    }
    eti__pointer_table_free(&search.known);
    return total;
}

double eti_inspector_find_total_for_module(const eti_inspector *inspector, const char *name) {
    size_t n_found;
    return search_module(inspector, name, &n_found);
}

bool eti_inspector_has_module(const eti_inspector *inspector, const char *name) {
    size_t n_found;
    (void)search_module(inspector, name, &n_found);
    return n_found > 0;
}
