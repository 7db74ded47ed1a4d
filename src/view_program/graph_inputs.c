#include "view_program/graph_inputs.h"

#define MOST_INPUTS 3 /* inputs named in the line for all of them */

/* Replaces the inputs by one line for people: "14 inputs: p_attention_norm_weight, p_attention_norm_bias ... x". */
eti_status eti__view_fold_inputs(const eti_timed_graph *graph, eti_report *report, eti_error *err) {
    eti_section *section = &report->sections[report->n_sections - 1];
    eti_buffer text = {0};
    size_t n = 0;
    while (n < graph->n_nodes && graph->nodes[n].is_input)
        n++;
    if (n < 2)
        return ETI_OK;
    eti__buffer_printf(&text, "%zu inputs: ", n);
    for (size_t i = 0; i < n; i++) {
        bool is_left_out = n > MOST_INPUTS && i + 1 >= MOST_INPUTS && i + 1 < n;
        if (is_left_out)
            continue;
        bool is_gap = n > MOST_INPUTS && i + 1 == n;
        eti__buffer_add_string(&text, i == 0 ? "" : is_gap ? " ... " : ", ");
        eti__buffer_add_text(&text, graph->nodes[i].name);
    }
    bool done = !text.failed &&
                eti__arena_own_text(&report->arena, eti__buffer_text(&text), &section->folded);
    eti__buffer_free(&text);
    section->n_folded = n;
    return done ? ETI_OK : eti_fail_memory(err);
}
