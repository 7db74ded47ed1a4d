#include "view/ops.h"

#include "base/sort.h"
#include "view/attributed.h"
#include "view/method_rows.h"
#include "view/op_kernels.h"
#include "view/program_ops.h"
#include "view_events/view_events.h"

#include <stdlib.h>
#include <string.h>

/* Groups of the rollup are numbers of operators, see rollup/rollup.h. */
#define FIRST_OP ETI_OP_TYPE_NAMED

/* Nodes of an operator. */
typedef enum fact_kind {
    FACT_DTYPE,
    FACT_SHAPE,
    FACT_BACKEND,
    FACT_MODULE, /* of nodes that are not delegated */
    FACT_LINE,
    N_FACTS,
} fact_kind;

/* A text of any node of the operator; each text is stored once, in graph order. */
typedef struct fact {
    uint32_t op;
    uint32_t kind;
    eti_text text;
} fact;

typedef struct op_count {
    uint64_t n_nodes, n_delegated, n_kernels, n_executed;
    size_t first_fact, end_fact; /* in inventory->facts, once they are sorted */
} op_count;

typedef struct inventory {
    eti_method_part part; /* first: see method_rows.h */
    const eti_inspector *inspector;
    eti_lowered_graph graph;
    eti_places places;
    eti_shared_texts names;      /* of operators, of events and of nodes */
    op_count *ops;               /* per name */
    ETI_INTERN_OF(fact) facts;   /* sorted when complete, and then found by their ops */
    eti_text_table shared_texts; /* "file.py:12", "XnnpackBackend" */
    eti_arena arena;
    uint32_t *order; /* of rows: groups */
} inventory;

/* ---- events ---------------------------------------------------------------------------------- */

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    inventory *in = context;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (!account->events[i].is_counted)
            continue;
        eti_op_type op = eti__op_type_of(account, i);
        if (!eti__op_type_number(&in->names, &op, &groups[i]))
            return false;
    }
    return eti__lowered_graph_mark(&in->graph, account->block);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Adds a fact. Texts are distinguished by their address, because the graph has each text once. */
static bool add_fact(inventory *in, uint32_t op, fact_kind kind, eti_text text) {
    if (text.size == 0)
        return true;
    static const eti_intern_kind interned = {.item_size = sizeof(fact),
                                             .key_size = offsetof(fact, text.size)};
    uint32_t number;
    return eti__intern_add(&in->facts.table, &interned, &(fact){op, kind, text}, &number);
}

/* Returns one text for all equal texts. */
static bool share_text(inventory *in, eti_text text, eti_text *out) {
    uint32_t number;
    if (!eti__text_table_add(&in->shared_texts, text, &in->arena, &number))
        return false;
    *out = in->shared_texts.texts[number];
    return true;
}

static bool add_values(inventory *in, uint32_t op, size_t number) {
    const eti_graph_values *values = &in->graph.values;
    const eti_graph_ports *ports = &values->ports[number];
    for (uint32_t i = 0; i < ports->n_outputs; i++) {
        const eti_graph_value *value = &values->values[ports->outputs[i]];
        eti_text shape = value->shape; /* each lowered module has texts of its own */
        if (!add_fact(in, op, FACT_DTYPE, eti__text_of(value->dtype)) ||
            !share_text(in, shape, &shape) || !add_fact(in, op, FACT_SHAPE, shape))
            return false;
    }
    return true;
}

static bool add_backend(inventory *in, uint32_t op, eti_text backend) {
    return !backend.data ||
           (share_text(in, backend, &backend) && add_fact(in, op, FACT_BACKEND, backend));
}

static bool line_text(inventory *in, uint32_t frame, eti_text *out) {
    eti_buffer text = {0};
    const eti_stack_frame *line = &eti__places_frame(&in->places, frame)->frame;
    eti__add_source_line(&text, line->file, line->line);
    bool done = !text.failed && share_text(in, eti__buffer_text(&text), out);
    eti__buffer_free(&text);
    return done;
}

static bool add_place(inventory *in, uint32_t op, const eti_op_node *node) {
    eti_place place;
    eti_text line = {NULL, 0};
    if (!eti__places_of_node(&in->places, node, &place))
        return false;
    if (place.module != ETI_PREFIX_ROOT &&
        !add_fact(in, op, FACT_MODULE, eti__places_module_name(&in->places, place.module)))
        return false;
    if (place.frame == ETI_PREFIX_ROOT)
        return true;
    return line_text(in, place.frame, &line) && add_fact(in, op, FACT_LINE, line);
}

static bool add_node(inventory *in, size_t number, uint32_t op) {
    const eti_graph_node *node = &in->graph.graph.nodes[number];
    const eti_lowered_node *lowered = &in->graph.nodes[number];
    op_count *count = &in->ops[op];
    count->n_nodes++;
    count->n_delegated += lowered->is_delegated;
    count->n_kernels += lowered->is_kernel && !lowered->is_delegated;
    count->n_executed += lowered->is_executed;
    if (!add_values(in, op, number) || !add_backend(in, op, lowered->backend))
        return false;
    return lowered->is_delegated || add_place(in, op, &node->node);
}

static int compare_facts(const void *a, const void *b) {
    const fact *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Compares facts, and equal ones by their places in the order of the graph: qsort() need not be stable. */
static int compare_numbered(const void *a, const void *b, void *context) {
    const fact *facts = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_facts(&facts[x], &facts[y]);
    return order ? order : (x > y) - (x < y);
}

static bool sort_facts(inventory *in) {
    uint32_t *numbers = malloc((in->facts.count + 1) * sizeof *numbers);
    fact *sorted = malloc((in->facts.count + 1) * sizeof *sorted);
    bool done = numbers && sorted;
    for (size_t i = 0; done && i < in->facts.count; i++)
        numbers[i] = (uint32_t)i;
    if (done && in->facts.count > 0) {
        eti__sort(numbers, in->facts.count, sizeof *numbers, compare_numbered, in->facts.items);
        for (size_t i = 0; i < in->facts.count; i++)
            sorted[i] = in->facts.items[numbers[i]];
        memcpy(in->facts.items, sorted, in->facts.count * sizeof *sorted);
    }
    free(numbers);
    free(sorted);
    for (size_t i = 0; done && i < in->facts.count; i++) {
        op_count *op = &in->ops[in->facts.items[i].op];
        if (op->end_fact == 0)
            op->first_fact = i;
        op->end_fact = i + 1;
    }
    return done;
}

/* Counts the nodes of each operator. All names must be numbered before data are stored by number. */
static bool count_nodes(inventory *in) {
    const eti_graph *graph = &in->graph.graph;
    uint32_t *ops = calloc(graph->n_nodes + 1, sizeof *ops);
    bool done = ops != NULL;
    for (size_t i = 0; i < graph->n_nodes && done; i++)
        done = in->graph.nodes[i].is_call ||
               eti__shared_texts_add(&in->names, graph->nodes[i].op_type, &ops[i]);
    in->ops = calloc(in->names.texts.count + 1, sizeof *in->ops);
    for (size_t i = 0; i < graph->n_nodes && done; i++)
        done = in->ops && (in->graph.nodes[i].is_call || add_node(in, i, ops[i]));
    free(ops);
    return done && in->ops && sort_facts(in);
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct op_row {
    eti_group_row times;
    eti_text name;
    const inventory *in;
    const op_count *count; /* NULL: its nodes are not known */
    eti_row *out;
} op_row;

static bool set_facts(const op_row *row, fact_kind kind, eti_cell *cell) {
    const fact *facts = row->in->facts.items;
    if (!row->count)
        return true;
    size_t first = row->count->first_fact, end = row->count->end_fact, n = 0;
    while (first < end && facts[first].kind < kind)
        first++;
    while (first + n < end && facts[first + n].kind == kind)
        n++;
    eti_text *texts = eti__arena_alloc(&row->out->texts, n, sizeof *texts);
    for (size_t i = 0; texts && i < n; i++)
        texts[i] = facts[first + i].text;
    *cell = eti__list_cell(ETI_CELL_TEXTS, texts, n);
    return texts != NULL;
}

#define DEFINE_FACTS(name, kind)                                                                   \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        return set_facts(context, kind, cell);                                                     \
    }
DEFINE_FACTS(dtypes, FACT_DTYPE)
DEFINE_FACTS(shapes, FACT_SHAPE)
DEFINE_FACTS(backends, FACT_BACKEND)
DEFINE_FACTS(modules, FACT_MODULE)
DEFINE_FACTS(lines, FACT_LINE)
#undef DEFINE_FACTS

ETI_CELL_SETTER(op_row, op, eti__text_cell(row->name))
/* Defines set functions of times, which are unknown for an operator without events. */
#define DEFINE_TIME(name)                                                                          \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const op_row *row = context;                                                               \
        return row->times.group->n_events == 0 || eti__set_group_##name(context, cell);            \
    }
DEFINE_TIME(total)
DEFINE_TIME(share)
#undef DEFINE_TIME

ETI_CELL_SETTER_IF(op_row, nodes, row->count, eti__count_cell(row->count->n_nodes))
ETI_CELL_SETTER_IF(op_row, delegated, row->count, eti__count_cell(row->count->n_delegated))
ETI_CELL_SETTER_IF(op_row, executed, row->count, eti__count_cell(row->count->n_executed))
ETI_CELL_SETTER_IF(op_row, kernels, row->count, eti__count_cell(row->count->n_kernels))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"op", ETI_TEXTS, false, "operator, or name of the events", set_op},
    {"p50", ETI_TIMES, false, "median time per run", eti__set_group_p50},
    {"share", ETI_SHARES, false, "share of the total time", set_share},
    {"events", ETI_COUNTS, false, "events of this operator alone", eti__set_group_events},
    {"nodes", ETI_COUNTS, false, "nodes of the graph", set_nodes},
    {"delegated", ETI_COUNTS, false, "nodes covered by a delegate call", set_delegated},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "data types of the results of nodes",
     set_dtypes},
    {"shapes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "shapes of the results of nodes",
     set_shapes},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", set_total},
    {"executed", ETI_COUNTS, false, "nodes covered by an event", set_executed},
    {"kernels", ETI_COUNTS, false, "nodes covered by another instruction", set_kernels},
    {"backends", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "backends that took nodes",
     set_backends},
    {"modules", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "modules of nodes that no delegate took",
     set_modules},
    {"lines", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "source lines of nodes that no delegate took", set_lines},
    {"calls", ETI_COUNTS, true, "calls of events, after the warm-up", eti__set_group_calls},
};

/* Makes a row; without an ETRecord, nodes are not known. */
static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    static const eti_group none = {0};
    const inventory *in = (const inventory *)part;
    const eti_rollup *rollup = &in->part.rollup;
    uint32_t i = in->order[number];
    op_row row = {
        .times = eti__group_row_of(rollup, i < rollup->n_groups ? &rollup->groups[i] : &none,
                                   &out->texts),
        .name = eti__op_type_name(&in->names, i),
        .in = in,
        .count = i >= FIRST_OP && in->graph.graph.n_nodes > 0 ? &in->ops[i - FIRST_OP] : NULL,
        .out = out,
    };
    row.times.method = part->method;
    return eti__columns_set(specs, n_specs, &row, out);
}

/* Sorts the rows; operators without events come last, in the order of the graph. */
static bool sort_rows(inventory *in) {
    size_t n = FIRST_OP + in->names.texts.count;
    in->order = malloc((n + in->part.rollup.n_groups) * sizeof *in->order);
    if (!in->order)
        return false;
    in->part.n_rows = eti__rollup_sort(&in->part.rollup, in->order);
    for (size_t i = FIRST_OP; i < n; i++) {
        if (i >= in->part.rollup.n_groups || in->part.rollup.groups[i].n_events == 0)
            in->order[in->part.n_rows++] = (uint32_t)i;
    }
    return true;
}

static eti_status check_text(const inventory *in, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < in->names.texts.count; i++)
        n_bytes += in->names.texts.texts[i].size;
    for (size_t i = 0; i < in->facts.count; i++)
        n_bytes += in->facts.items[i].text.size;
    return eti__view_check_text(in->inspector, n_bytes, err);
}

static void free_inventory(eti_method_part *part) {
    inventory *in = (inventory *)part;
    eti__lowered_graph_free(&in->graph);
    eti__places_free(&in->places);
    eti__shared_texts_free(&in->names);
    free(in->ops);
    eti__intern_free(&in->facts.table);
    eti__text_table_free(&in->shared_texts);
    eti__arena_free(&in->arena);
    free(in->order);
}

/* ---- the view -------------------------------------------------------------------------------- */

static eti_status take_inventory(eti_method_part *part, const eti_inspector *inspector,
                                 const eti_view_options *options, void *context, eti_error *err) {
    inventory *in = (inventory *)part;
    bool *has_nodes = context;
    in->inspector = inspector;
    if (!eti__places_init(&in->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__lowered_graph_read(&in->graph, in->inspector, options, NULL, err));
    ETI_TRY(
        eti__rollup_make(&in->part.rollup, in->inspector, options, NULL, group_events, in, err));
    if (!count_nodes(in) || !sort_rows(in))
        return eti_fail_memory(err);
    *has_nodes |= in->graph.graph.n_nodes > 0;
    return check_text(in, err);
}

static eti_status add_notes(const eti_method_rows *rows, bool has_nodes,
                            const eti_inspector *inspector, eti_report *report, eti_error *err) {
    ETI_TRY(eti__view_note_warm_up(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_slow_runs(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    if (!has_nodes)
        ETI_TRY(eti__report_note(report, err,
                                 "the operators of the model are known only with its ETRecord"));
    ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_uncounted(report, rows->counts.n_uncounted, err);
}

/* Checks the options that need a program, and the option that needs an ETDump. */
static eti_status check_options(const eti_inspector *inspector, const eti_view_options *options,
                                eti_error *err) {
    bool is_asked_of_programs = options->available || options->emits_ops;
    if (is_asked_of_programs && inspector->n_programs == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s: give the program (.pte)", eti__option_prefix(),
                        options->available ? "available" : "emit_ops");
    if (options->kernels && (is_asked_of_programs || inspector->n_dumps == 0))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%skernels: a program does not determine which kernels run: give an ETDump%s",
            eti__option_prefix(),
            is_asked_of_programs ? "; this option does not apply to programs" : "");
    return ETI_OK;
}

static eti_status add_inventory(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    static const eti_method_view view = {sizeof(inventory), take_inventory, free_inventory,
                                         make_row};
    const eti_method_rows *rows;
    eti_table *table;
    bool has_nodes = false;
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, columns, ETI_N_COLUMNS(columns), inspector,
                                  options, &has_nodes, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "ops", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    return add_notes(rows, has_nodes, inspector, report, err);
}

eti_status eti__view_ops(eti_report *report, const eti_inspector *inspector,
                         const eti_view_options *options, eti_error *err) {
    ETI_TRY(check_options(inspector, options, err));
    if (inspector->n_programs > 0 &&
        (inspector->n_dumps == 0 || options->available || options->emits_ops))
        return eti__view_program_ops(report, inspector, options, err);
    if (options->kernels)
        return eti__view_op_kernels(report, inspector, options, err);
    return add_inventory(report, inspector, options, err);
}
