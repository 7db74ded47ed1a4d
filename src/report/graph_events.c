#include "report/graph_events.h"

#include <stdlib.h>

static void add_event(eti_json_writer *json, const eti_lowered_graph *lowered, const uint32_t *rows,
                      const eti_event *event) {
    eti_event_nodes nodes = eti__event_nodes(event);
    const eti_graph_node *node = eti__event_nodes_single(&nodes);
    uint32_t number = node ? eti__lowered_graph_number(lowered, &node->node) : ETI_NO_NODE;
    if (number == ETI_NO_NODE || rows[number] == ETI_NO_NODE)
        eti__json_add_null(json);
    else
        eti__json_add_u64(json, rows[number]);
}

static void add_block(eti_json_writer *json, const eti_lowered_graph *lowered, const uint32_t *rows,
                      const eti_event_block *block) {
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, "block", block->label);
    eti__json_add_key(json, "nodes");
    eti__json_open_compact_array(json);
    for (size_t i = 0; i < block->n_events; i++)
        add_event(json, lowered, rows, &block->events[i]);
    eti__json_close_level(json);
    eti__json_close_level(json);
}

/* Returns the numbers of the rows of a graph's nodes; the caller frees them. NULL: out of memory. */
static uint32_t *list_rows(const eti_timed_graph *graph) {
    size_t n = graph->lowered->graph.n_nodes;
    uint32_t *rows = malloc((n + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < n; i++)
        rows[i] = ETI_NO_NODE;
    for (size_t i = 0; rows && i < graph->n_nodes; i++) {
        if (graph->nodes[i].lowered != ETI_NO_NODE)
            rows[graph->nodes[i].lowered] = (uint32_t)i;
    }
    return rows;
}

eti_status eti__graph_events_add(eti_json_writer *json, const eti_timed_graph *graph,
                                 const eti_inspector *inspector, eti_error *err) {
    if (!graph->has_times || !graph->lowered)
        return ETI_OK;
    uint32_t *rows = list_rows(graph);
    if (!rows)
        return eti_fail_memory(err);
    eti__json_open_array(json);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        add_block(json, graph->lowered, rows, &inspector->blocks.blocks[i]);
    eti__json_close_level(json);
    free(rows);
    return json->out->failed ? eti_fail_memory(err) : ETI_OK;
}
