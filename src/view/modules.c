#include "view/modules.h"

#include "base/text.h"

#include <stdio.h>

static bool is_in_module(const eti_event *event, eti_text name) {
    for (size_t i = 0; i < event->n_op_nodes; i++) {
        const eti_op_node *node = event->op_nodes[i];
        for (size_t m = 0; m < node->n_modules; m++) {
            if (eti_text_contains(node->modules[m].key, name))
                return true;
        }
    }
    return false;
}

double eti_inspector_find_total_for_module(const eti_inspector *inspector, const char *name) {
    double total = 0.0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            const eti_event *event = &block->events[i];
            if (event->n_samples > 0 && !eti_text_is(event->name, "OPERATOR_CALL") &&
                is_in_module(event, eti_text_of(name)))
                total += event->summary.avg;
        }
    }
    return total;
}

bool eti_inspector_has_module(const eti_inspector *inspector, const char *name) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (is_in_module(&block->events[i], eti_text_of(name)))
                return true;
        }
    }
    return false;
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
    const eti_text columns[] = {eti_text_of("module"), eti_text_of(total)};
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
