#include "places/node_choices.h"

#include <stdlib.h>

static bool has_own_handle(const eti_xnnpack_node *node) {
    return node->has_handle && !node->is_inserted;
}

bool eti__node_choices_count(eti_handle_nodes *nodes, const eti_lowered_module *module,
                             const eti_xnnpack *payload, size_t block) {
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!has_own_handle(node))
            continue;
        eti_node_class *of = eti__handle_nodes_find(nodes, module, node);
        if (!of)
            return false;
        if (of->block != block) {
            of->block = block;
            of->n_run = of->n_passed = 0;
        }
        of->n_run++;
    }
    return true;
}

static bool choose(eti_node_choice *out, eti_handle_nodes *nodes, const eti_lowered_module *module,
                   const eti_xnnpack_node *node, bool is_in_order) {
    eti_node_class *of = eti__handle_nodes_find(nodes, module, node);
    bool failed = false;
    if (!of)
        return false;
    size_t place = is_in_order ? of->n_passed++ : SIZE_MAX;
    *out = (eti_node_choice){of, eti__handle_nodes_at(nodes, of, place, &failed)};
    return !failed;
}

bool eti__node_choices_make(eti_node_choices *choices, eti_handle_nodes *nodes,
                            const eti_lowered_module *module, const eti_xnnpack *payload,
                            bool is_in_order) {
    bool done = ETI_GROW(choices->items, choices->capacity, (size_t)payload->n_nodes + 1);
    for (uint32_t i = 0; i < payload->n_nodes && done; i++) {
        choices->items[i] = (eti_node_choice){NULL, NULL};
        if (has_own_handle(&payload->nodes[i]))
            done = choose(&choices->items[i], nodes, module, &payload->nodes[i], is_in_order);
    }
    return done;
}

void eti__node_choices_free(eti_node_choices *choices) {
    free(choices->items);
    *choices = (eti_node_choices){0};
}
