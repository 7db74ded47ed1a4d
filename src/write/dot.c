/*
 * digraph "graph" {
 *   "aten_add_tensor" [label="aten.add.Tensor\n...\n12.5 %" fillcolor="0.08 0.125 1.000"];
 *   "x" -> "aten_add_tensor";
 * }
 *
 * Of what is known of a node its label has what is short.
 */
#include "account/graph.h"
#include "base/stack_frame.h"
#include "base/text.h"
#include "write/writer.h"

#include <stdio.h>

/* What stands between quotes: a backslash begins an escape. What acts on a terminal, or is not UTF-8, becomes
 * '?'. */
static void add_escaped(eti_output *output, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        bool is_valid = eti__text_valid_utf8((eti_text){text.data + at, size}) == size;
        if (character == '"' || character == '\\')
            eti__output_add_string(output, "\\");
        if (is_valid && !eti__is_control(character))
            eti__output_add(output, text.data + at, size);
        else
            eti__output_add_string(output, "?");
        at += size;
    }
}

static void add_quoted(eti_output *output, eti_text text) {
    eti__output_add_string(output, "\"");
    add_escaped(output, text);
    eti__output_add_string(output, "\"");
}

static void add_label(eti_output *output, eti_text text) {
    if (text.size == 0)
        return;
    eti__output_add_string(output, "\\n");
    add_escaped(output, text);
}

/* `scratch` is for the line of source. */
static void add_node(eti_output *output, const eti_timed_node *node, eti_buffer *scratch) {
    scratch->size = 0;
    if (node->file.data)
        eti__add_source_line(scratch, node->file, node->line);
    eti__output_add_string(output, "  ");
    add_quoted(output, node->name);
    eti__output_add_string(output, " [label=\"");
    add_escaped(output, node->name);
    add_label(output, node->op);
    add_label(output, node->module);
    add_label(output, eti__buffer_text(scratch));
    add_label(output, eti__text_of(node->dtype));
    add_label(output, node->shape);
    add_label(output, node->backend);
    if (node->share > 0) {
        char text[80];
        snprintf(text, sizeof text, "\\n%d.%d %%\" fillcolor=\"0.08 0.%03d 1.0",
                 (int)(node->share * 100), (int)(node->share * 1000) % 10,
                 node->share < 1 ? (int)(node->share * 1000) : 999);
        eti__output_add_string(output, text);
    }
    eti__output_add_string(output, "\"];\n");
}

static void add_edges(eti_output *output, const eti_timed_node *node) {
    for (size_t i = 0; i < node->n_inputs; i++) {
        eti__output_add_string(output, "  ");
        add_quoted(output, node->inputs[i]);
        eti__output_add_string(output, " -> ");
        add_quoted(output, node->name);
        eti__output_add_string(output, ";\n");
    }
}

static eti_status write_dot(const eti_report *report, const eti_write_options *options,
                            eti_output *output, eti_error *err) {
    const eti_section *section = &report->sections[report->selected];
    eti_buffer scratch = {0};
    (void)options;
    eti__output_add_string(output, "digraph \"graph\" {\n"
                                   "  node [shape=box style=filled fillcolor=white];\n");
    if (section->table->n_rows == 0 && section->n_notes > 0) { /* why there is nothing to see */
        eti__output_add_string(output, "  label=");
        add_quoted(output, section->notes[0]);
        eti__output_add_string(output, ";\n");
    }
    for (size_t i = 0; i < eti__report_chosen_count(report) && !eti__output_failed(output); i++) {
        const eti_timed_node *node = &report->graph->nodes[eti__report_chosen(report, i)];
        if (node->is_rest)
            continue;
        add_node(output, node, &scratch);
        add_edges(output, node);
    }
    eti__output_add_string(output, "}\n");
    bool failed = scratch.failed;
    eti__buffer_free(&scratch);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

const eti_writer eti__writer_dot = {
    .name = "dot",
    .summary = "the graph for Graphviz",
    .suffixes = "dot,gv",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_dot,
};
