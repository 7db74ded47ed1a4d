/*
 * digraph "graph" {
 *   "aten_add_tensor" [label="aten.add.Tensor\n...\n12.5 %" fillcolor="0.08 0.125 1.000"];
 *   "x" -> "aten_add_tensor";
 * }
 *
 * One node per row of a table that has the columns "node" and "inputs", a list of nodes. Of other columns those
 * with a name below make the label, where there is something in them.
 */
#include "base/text.h"
#include "table/cell_text.h"
#include "write/writer.h"

#include <stdio.h>
#include <string.h>

#define NO_COLUMN SIZE_MAX

static const char *const label_columns[] = {"op", "module", "source", "dtype", "shape", "backend"};

#define N_LABELS (sizeof label_columns / sizeof *label_columns)

typedef struct dot_columns {
    size_t node, inputs, share;
    size_t labels[N_LABELS];
} dot_columns;

static size_t find_column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti_text_is(table->columns[i].name, name))
            return i;
    }
    return NO_COLUMN;
}

static dot_columns find_columns(const eti_table *table) {
    dot_columns columns = {
        .node = find_column(table, "node"),
        .inputs = find_column(table, "inputs"),
        .share = find_column(table, "share"),
    };
    for (size_t i = 0; i < N_LABELS; i++)
        columns.labels[i] = find_column(table, label_columns[i]);
    return columns;
}

/* What stands between quotes: a backslash begins an escape. What acts on a terminal, or is not UTF-8, becomes
 * '?'. */
static void add_escaped(eti_output *output, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti_text_decode(text, at, &character);
        bool is_valid = eti_text_valid_utf8((eti_text){text.data + at, size}) == size;
        if (character == '"' || character == '\\')
            eti_output_add_string(output, "\\");
        if (is_valid && !eti_is_control(character))
            eti_output_add(output, text.data + at, size);
        else
            eti_output_add_string(output, "?");
        at += size;
    }
}

static void add_quoted(eti_output *output, eti_text text) {
    eti_output_add_string(output, "\"");
    add_escaped(output, text);
    eti_output_add_string(output, "\"");
}

static void add_node(eti_output *output, const dot_columns *columns, const eti_cell *cells) {
    eti_output_add_string(output, "  ");
    add_quoted(output, cells[columns->node].as_text);
    eti_output_add_string(output, " [label=\"");
    add_escaped(output, cells[columns->node].as_text);
    for (size_t i = 0; i < N_LABELS; i++) {
        if (columns->labels[i] == NO_COLUMN)
            continue;
        const eti_cell *cell = &cells[columns->labels[i]];
        if (cell->kind != ETI_CELL_TEXT || cell->as_text.size == 0)
            continue;
        eti_output_add_string(output, "\\n");
        add_escaped(output, cell->as_text);
    }
    if (columns->share != NO_COLUMN && cells[columns->share].kind == ETI_CELL_DOUBLE &&
        cells[columns->share].as_double > 0) {
        char text[80];
        double share = cells[columns->share].as_double;
        snprintf(text, sizeof text, "\\n%d.%d %%\" fillcolor=\"0.08 0.%03d 1.0", (int)(share * 100),
                 (int)(share * 1000) % 10, share < 1 ? (int)(share * 1000) : 999);
        eti_output_add_string(output, text);
    }
    eti_output_add_string(output, "\"];\n");
}

static void add_edges(eti_output *output, const dot_columns *columns, const eti_cell *cells) {
    const eti_cell *inputs = &cells[columns->inputs];
    const eti_text *names = inputs->items;
    for (size_t i = 0; inputs->kind == ETI_CELL_TEXTS && i < inputs->n_items; i++) {
        eti_output_add_string(output, "  ");
        add_quoted(output, names[i]);
        eti_output_add_string(output, " -> ");
        add_quoted(output, cells[columns->node].as_text);
        eti_output_add_string(output, ";\n");
    }
}

static eti_status write_dot(const eti_report *report, const eti_write_options *options,
                            eti_output *output, eti_error *err) {
    const eti_table *table = report->sections[0].table;
    const dot_columns columns = find_columns(table);
    eti_row_reader reader;
    (void)options;
    if (columns.node == NO_COLUMN || columns.inputs == NO_COLUMN)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the format dot draws a table with the columns node and inputs: that of "
                        "etinspect graph");
    if (!eti_row_reader_open(&reader, table))
        return eti_fail_memory(err);
    eti_output_add_string(output, "digraph \"graph\" {\n"
                                  "  node [shape=box style=filled fillcolor=white];\n");
    if (table->n_rows == 0 && report->sections[0].n_notes > 0) { /* why there is nothing to see */
        eti_output_add_string(output, "  label=");
        add_quoted(output, report->sections[0].notes[0]);
        eti_output_add_string(output, ";\n");
    }
    for (size_t row = 0; row < table->n_rows && !eti_output_failed(output); row++) {
        const eti_cell *cells = eti_row_reader_read(&reader, row);
        if (reader.failed)
            break;
        add_node(output, &columns, cells);
        add_edges(output, &columns, cells);
    }
    eti_output_add_string(output, "}\n");
    bool failed = reader.failed;
    eti_row_reader_close(&reader);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

const eti_writer eti_writer_dot = {
    .name = "dot",
    .summary = "the graph for Graphviz",
    .write_report = write_dot,
    .is_for_programs = true,
};
