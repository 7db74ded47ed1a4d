#include "base/names.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "write/readable.h"
#include "write/write.h"
#include "write/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/*
 * digraph "forward" {
 *   node [...];
 *   "x" [label="x\n[2, 3]" tooltip="x\n(input)\n..."];
 *   subgraph "cluster_1" {
 *     label="first"; tooltip="first";
 *     "aten_add_tensor" [label="aten_add_tensor\n[2, 3]\n8.87 µs, 12.5 %" tooltip="..." fillcolor="0.08 0.125 1.0"];
 *   }
 *   "x" -> "aten_add_tensor";
 * }
 *
 * The colour shows the share of the time; with a reference, the loss of a node (the column snr_drop), which is also in its
 * label.
 *
 * Modules are clusters, and so are calls of delegates whose nodes are known. A label is short; the
 * tooltip has all details.
 */

#define MOST_NESTED 32    /* levels of clusters; deeper ones are drawn in the last */
#define LABEL_WIDTH 32    /* columns of a name */
#define MOST_AT_ONCE 4096 /* bytes that are kept before they are written */
#define LARGE                                                                                      \
    500 /* nodes, from which on Graphviz is asked for a faster drawing, in seconds instead of minutes */

#define NONE UINT32_MAX

/* A module, while it is drawn. Lists of modules and of nodes are chains of numbers that end with NONE. */
typedef struct cluster {
    uint32_t drawn_as; /* itself, or an ancestor that stands for it */
    uint32_t depth;
    bool is_needed; /* it or a cluster inside holds a node */
    uint32_t first_node, first_child, next;
} cluster;

typedef struct drawing {
    const eti_report *report;
    const eti_timed_graph *graph;
    eti_output *output;
    bool has_utf8;
    eti_buffer text;     /* text that is not written yet */
    eti_buffer scratch;  /* for a line of source */
    size_t n_clusters;   /* at least 1: cluster 0 is no module */
    cluster *clusters;   /* per module */
    uint32_t *next_node; /* per node, in the list of its cluster */
    uint32_t *last_user; /* per node: the last node that an edge from it was drawn to */
    bool *is_drawn;      /* per node */
    size_t n_drawn;
} drawing;

/* ---- text ------------------------------------------------------------------------------------ */

/* Adds a text between quotes, in which a backslash begins an escape. Characters that act on a
 * terminal, and bytes that are not UTF-8, become '?'. */
static void add_escaped(eti_buffer *out, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        bool is_valid = eti__text_valid_utf8((eti_text){text.data + at, size}) == size;
        if (character == '"' || character == '\\')
            eti__buffer_add_char(out, '\\');
        if (is_valid && !eti__is_control(character))
            eti__buffer_add(out, text.data + at, size);
        else
            eti__buffer_add_char(out, '?');
        at += size;
    }
}

static void add_quoted(eti_buffer *out, eti_text text) {
    eti__buffer_add_char(out, '"');
    add_escaped(out, text);
    eti__buffer_add_char(out, '"');
}

/* Adds a further line of a label or a tooltip; an absent one is left out. */
static void add_line(eti_buffer *out, eti_text text) {
    if (text.size == 0)
        return;
    eti__buffer_add_string(out, "\\n");
    add_escaped(out, text);
}

static void flush(drawing *d) {
    eti__output_add_text(d->output, eti__buffer_text(&d->text));
    d->text.size = 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Adds a name, cut to the width of a label: its beginning and its end. */
static void add_folded(drawing *d, eti_text text) {
    d->scratch.size = 0;
    eti__add_folded(&d->scratch, text, LABEL_WIDTH, "...");
    add_escaped(&d->text, eti__buffer_text(&d->scratch));
}

static char name_character(char c) {
    if (c == '.')
        return '_';
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Returns whether a name implies its operator: "aten_add_tensor_1" is an aten.add.Tensor. */
static bool says_operator(eti_text name, eti_text op) {
    size_t i = 0;
    while (i < op.size && i < name.size &&
           name_character(op.data[i]) == name_character(name.data[i]))
        i++;
    return i == op.size;
}

/* Adds "8.873 µs, 3.1 %". */
static void add_time(drawing *d, const eti_timed_node *node) {
    eti_time_scale scale = eti__time_scale_for(node->typical, d->report->time_scale);
    eti_readable form = {.kind = ETI_COLUMN_TEXT};
    eti_cell time =
        eti__double_cell(eti__time_convert(node->typical, d->report->time_scale, scale));
    char text[ETI_READABLE_MAX];
    eti__readable_look(&form, &time);
    eti__readable_settle(&form);
    eti__buffer_add_text(&d->text, eti__readable_text(&form, &time, text));
    eti__buffer_printf(&d->text, " %s, ", eti__time_unit(scale, d->has_utf8));
    eti__add_share(&d->text, node->share);
}

static bool has_time(const eti_timed_node *node) {
    return node->share > 0 && isfinite(node->typical);
}

/* Adds "snr 41.5 dB, drop 120 dB, 1 NaN". */
static void add_gap(drawing *d, const eti_gap *gap) {
    eti__buffer_add_string(&d->text, "\\n");
    if (isnan(gap->snr))
        eti__buffer_add_string(&d->text, "no signal");
    else
        eti__buffer_printf(&d->text, "snr %.3g dB", gap->snr);
    if (!isnan(gap->snr_drop) && gap->snr_drop != 0)
        eti__buffer_printf(&d->text, ", drop %.3g dB", gap->snr_drop);
    if (gap->nan_new > 0)
        eti__buffer_printf(&d->text, ", %" PRIu64 " NaN", gap->nan_new);
}

static void add_label(drawing *d, const eti_timed_node *node) {
    eti__buffer_add_string(&d->text, "label=\"");
    add_folded(d, node->name);
    if (node->op.size > 0 && !node->is_input && !says_operator(node->name, node->op)) {
        eti__buffer_add_string(&d->text, "\\n");
        add_folded(d, node->op);
    }
    add_line(&d->text, node->shape);
    if (has_time(node)) {
        eti__buffer_add_string(&d->text, "\\n");
        add_time(d, node);
    }
    if (node->gap.is_known)
        add_gap(d, &node->gap);
    eti__buffer_add_char(&d->text, '"');
}

static void add_tooltip(drawing *d, const eti_timed_node *node) {
    d->scratch.size = 0;
    if (node->file.data)
        eti__add_source_line(&d->scratch, node->file, node->line);
    eti__buffer_add_string(&d->text, " tooltip=\"");
    add_escaped(&d->text, node->name);
    add_line(&d->text, node->op);
    add_line(&d->text, node->module);
    add_line(&d->text, eti__buffer_text(&d->scratch));
    add_line(&d->text, eti__text_of(node->dtype));
    add_line(&d->text, node->shape);
    add_line(&d->text, node->backend);
    eti__buffer_add_char(&d->text, '"');
}

static void indent(drawing *d, uint32_t depth) {
    eti__buffer_add_repeated(&d->text, "  ", depth + 1);
}

/* Adds a colour for a share from 0 to 1. */
static void add_colour(drawing *d, const char *hue, double share) {
    if (share > 0)
        eti__buffer_printf(&d->text, " fillcolor=\"%s 0.%03d 1.0\"", hue,
                           share < 1 ? (int)(share * 1000) : 999);
}

static void add_node(drawing *d, const eti_timed_node *node, uint32_t depth) {
    indent(d, depth);
    add_quoted(&d->text, node->name);
    eti__buffer_add_string(&d->text, " [");
    add_label(d, node);
    add_tooltip(d, node);
    if (d->graph->has_gaps)
        add_colour(d, "0.0", node->gap.snr_drop / ETI_MOST_DROP); /* NaN has none */
    else
        add_colour(d, "0.08", node->share);
    eti__buffer_add_string(&d->text, "];\n");
    if (d->text.size > MOST_AT_ONCE)
        flush(d);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Adds one edge from each drawn input, even if it is used several times. */
static void add_edges(drawing *d, uint32_t number) {
    const eti_timed_node *node = &d->graph->nodes[number];
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t from = node->input_nodes[i];
        if (from == ETI_NO_NODE || !d->is_drawn[from] || d->last_user[from] == number)
            continue;
        d->last_user[from] = number;
        eti__buffer_add_string(&d->text, "  ");
        add_quoted(&d->text, d->graph->nodes[from].name);
        eti__buffer_add_string(&d->text, " -> ");
        add_quoted(&d->text, node->name);
        eti__buffer_add_string(&d->text, ";\n");
        if (d->text.size > MOST_AT_ONCE)
            flush(d);
    }
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Returns the cluster around a cluster; 0: there is none. */
static uint32_t around(const drawing *d, uint32_t number) {
    return number == 0 ? 0 : d->clusters[d->graph->modules[number].parent].drawn_as;
}

/* Numbers the clusters, parents before their children. The model itself has no cluster. */
static void number_clusters(drawing *d) {
    for (uint32_t i = 0; i < d->n_clusters; i++) {
        cluster *c = &d->clusters[i];
        const cluster *outer = &d->clusters[around(d, i)];
        bool has_own = i > 0 && d->graph->modules[i].part.size > 0 && outer->depth < MOST_NESTED;
        *c = (cluster){.drawn_as = has_own ? i : around(d, i),
                       .depth = has_own ? outer->depth + 1 : 0,
                       .first_node = NONE,
                       .first_child = NONE,
                       .next = NONE};
    }
}

/* Lists the nodes of each cluster. Builds lists from the end, so that they keep the order of the rows. */
static void list_nodes(drawing *d) {
    for (size_t i = eti__report_chosen_count(d->report); i-- > 0;) {
        size_t number = eti__report_chosen(d->report, i);
        const eti_timed_node *node = &d->graph->nodes[number];
        if (node->is_rest || node->is_call || (node->is_weight && !d->graph->shows_weights))
            continue;
        cluster *c = &d->clusters[d->clusters[node->module_number].drawn_as];
        d->is_drawn[number] = true;
        d->last_user[number] = NONE;
        d->next_node[number] = c->first_node;
        c->first_node = (uint32_t)number;
        c->is_needed = true;
        d->n_drawn++;
    }
}

static void list_clusters(drawing *d) {
    for (uint32_t i = (uint32_t)d->n_clusters; i-- > 1;) {
        cluster *c = &d->clusters[i], *outer = &d->clusters[around(d, i)];
        if (!c->is_needed)
            continue;
        outer->is_needed = true;
        c->next = outer->first_child;
        outer->first_child = i;
    }
}

static void open_cluster(drawing *d, uint32_t number) {
    const eti_timed_module *module = &d->graph->modules[number];
    indent(d, d->clusters[number].depth - 1);
    eti__buffer_printf(&d->text, "subgraph \"cluster_%u\" {\n", (unsigned)number);
    indent(d, d->clusters[number].depth);
    eti__buffer_add_string(&d->text, "label=\"");
    add_folded(d, module->part);
    eti__buffer_add_string(&d->text, "\"; tooltip=");
    add_quoted(&d->text, module->name);
    eti__buffer_add_string(&d->text, ";\n");
}

static void close_cluster(drawing *d, uint32_t number) {
    indent(d, d->clusters[number].depth - 1);
    eti__buffer_add_string(&d->text, "}\n");
}

static void add_nodes(drawing *d, uint32_t number) {
    for (uint32_t i = d->clusters[number].first_node; i != NONE; i = d->next_node[i])
        add_node(d, &d->graph->nodes[i], d->clusters[number].depth);
}

static void add_clusters(drawing *d) {
    uint32_t at = 0;
    add_nodes(d, at);
    while (d->clusters[at].first_child != NONE) {
        at = d->clusters[at].first_child;
        open_cluster(d, at);
        add_nodes(d, at);
        while (at != 0 && d->clusters[at].first_child == NONE) {
            uint32_t outer = around(d, at);
            close_cluster(d, at);
            d->clusters[outer].first_child = d->clusters[at].next;
            at = outer;
        }
    }
}

/* ---- the graph ------------------------------------------------------------------------------- */

static bool start(drawing *d) {
    size_t n = d->graph->n_nodes + d->graph->n_rest;
    d->n_clusters = d->graph->n_modules > 0 ? d->graph->n_modules : 1;
    d->clusters = calloc(d->n_clusters, sizeof *d->clusters);
    d->next_node = calloc(n + 1, sizeof *d->next_node);
    d->last_user = calloc(n + 1, sizeof *d->last_user);
    d->is_drawn = calloc(n + 1, sizeof *d->is_drawn);
    return d->clusters && d->next_node && d->last_user && d->is_drawn;
}

static void draw(drawing *d) {
    const eti_section *section = &d->report->sections[d->report->selected];
    eti_text name = d->graph->name.size > 0 ? d->graph->name : eti__text_of("graph");
    number_clusters(d);
    list_nodes(d);
    list_clusters(d);
    eti__buffer_add_string(&d->text, "digraph ");
    add_quoted(&d->text, name);
    eti__buffer_add_string(&d->text, " {\n  node [shape=box style=filled fillcolor=white];\n");
    if (d->n_drawn >= LARGE)
        eti__buffer_add_string(
            &d->text, "  nslimit=0.1; nslimit1=0.1; mclimit=0.1; searchsize=5; splines=line;\n");
    if (section->table->n_rows == 0 &&
        section->n_notes > 0) { /* the notes say why the graph is empty */
        eti__buffer_add_string(&d->text, "  label=");
        add_quoted(&d->text, section->notes[0]);
        eti__buffer_add_string(&d->text, ";\n");
    }
    add_clusters(d);
    for (size_t i = 0; i < eti__report_chosen_count(d->report); i++) {
        size_t number = eti__report_chosen(d->report, i);
        if (d->is_drawn[number] && !eti__output_failed(d->output))
            add_edges(d, (uint32_t)number);
    }
    eti__buffer_add_string(&d->text, "}\n");
    flush(d);
}

static eti_status write_dot(const eti_report *report, const eti_write_options *options,
                            eti_output *output, eti_error *err) {
    drawing d = {.report = report,
                 .graph = report->graph,
                 .output = output,
                 .has_utf8 = !(options && options->ascii)};
    bool done = start(&d);
    if (done)
        draw(&d);
    done = done && !d.text.failed && !d.scratch.failed;
    eti__buffer_free(&d.text);
    eti__buffer_free(&d.scratch);
    free(d.clusters);
    free(d.next_node);
    free(d.last_user);
    free(d.is_drawn);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_dot = {
    .name = "dot",
    .summary = "graph for Graphviz",
    .suffixes = "dot,gv",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_dot,
};
