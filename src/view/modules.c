#include "view/modules.h"

#include "base/array.h"
#include "base/index.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* What was found out about a list of nodes, which the events of an instruction share, or about a stack of
 * modules, which nodes share: either may be long, and shared by very many. */
typedef struct eti_verdict {
    const void *about;
    bool is_in;
} eti_verdict;

/* A search for one module. Starts with `name` and zeros. */
typedef struct eti_module_search {
    eti_text name;
    eti_verdict *verdicts;
    size_t n_verdicts, capacity;
    eti_index index;
} eti_module_search;

static uint64_t hash_about(const void *about) {
    return eti_hash_mix(0, (uintptr_t)about);
}

/* NULL: none yet. */
static const eti_verdict *find_verdict(const eti_module_search *search, const void *about) {
    if (!search->verdicts)
        return NULL;
    eti_index_cursor cursor = eti_index_start(&search->index, hash_about(about));
    for (uint32_t i; (i = eti_index_next(&search->index, &cursor)) != ETI_INDEX_END;) {
        if (search->verdicts[i].about == about)
            return &search->verdicts[i];
    }
    return NULL;
}

/* Without memory to remember a verdict it is found out again. */
static bool remember(eti_module_search *search, const void *about, bool is_in) {
    if (ETI_GROW(search->verdicts, search->capacity, search->n_verdicts + 1) &&
        eti_index_add(&search->index, hash_about(about), (uint32_t)search->n_verdicts))
        search->verdicts[search->n_verdicts++] = (eti_verdict){about, is_in};
    return is_in;
}

static bool is_node_in_module(eti_module_search *search, const eti_op_node *node) {
    if (node->n_modules == 0)
        return false;
    const eti_verdict *known = find_verdict(search, node->modules);
    if (known)
        return known->is_in;
    bool is_in = false;
    for (size_t i = 0; i < node->n_modules && !is_in; i++)
        is_in = eti_text_contains(node->modules[i].key, search->name);
    return remember(search, node->modules, is_in);
}

static bool is_in_module(eti_module_search *search, const eti_event *event) {
    if (event->record->n_op_nodes == 0)
        return false;
    const eti_verdict *known = find_verdict(search, event->record->op_nodes);
    if (known)
        return known->is_in;
    bool is_in = false;
    for (size_t i = 0; i < event->record->n_op_nodes && !is_in; i++)
        is_in = is_node_in_module(search, event->record->op_nodes[i]);
    return remember(search, event->record->op_nodes, is_in);
}

/* The sum of averages; `n_found` counts the events of the module, timed or not. */
static double search_module(const eti_inspector *inspector, const char *name, size_t *n_found) {
    eti_module_search search = {.name = eti_text_of(name)};
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
            if (!eti_text_is(event->name, "OPERATOR_CALL") && eti_event_summary(event, &summary))
                total += summary.avg;
        }
    }
    free(search.verdicts);
    eti_index_free(&search.index);
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

static bool add_row(eti_table *table, const eti_inspector *inspector, const char *name) {
    eti_cell *cells = eti_table_add_row(table);
    if (!cells)
        return false;
    cells[0].kind = ETI_CELL_TEXT;
    cells[1] = (eti_cell){.kind = ETI_CELL_DOUBLE,
                          .as_double = eti_inspector_find_total_for_module(inspector, name)};
    return eti_table_own_text(table, eti_text_of(name), &cells[0].as_text);
}

eti_status eti_view_modules(eti_table **out, const eti_inspector *inspector,
                            const char *const *names, size_t n_names,
                            const eti_table_options *options, eti_error *err) {
    *out = NULL;
    char total[32] = "total";
    if (options->include_units)
        snprintf(total, sizeof total, "total (%s)",
                 eti_time_scale_name(inspector->options.target_time_scale));
    const eti_column columns[] = {
        {.name = eti_text_of("module"),
         .type = ETI_TYPE_UTF8,
         .kind = ETI_COLUMN_TEXT,
         .help = "the name that was asked for"},
        {.name = eti_text_of(total),
         .type = ETI_TYPE_FLOAT64,
         .kind = ETI_COLUMN_TIME,
         .help = "sum of the means of all events in modules whose name contains it"},
    };
    eti_table *table;
    ETI_TRY(eti_table_new(&table, columns, 2, err));
    for (size_t i = 0; i < n_names; i++) {
        if (!add_row(table, inspector, names[i])) {
            eti_table_free(table);
            return eti_fail_memory(err);
        }
    }
    *out = table;
    return ETI_OK;
}

eti_status eti_view_named_modules(eti_report *report, const eti_inspector *inspector,
                                  const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti_view_modules(&table, inspector, options->modules, options->n_modules,
                             &options->table, err));
    return eti_report_add(report, "modules", NULL, table, err);
}
