#include "view/tree.h"

#include "table/table.h"
#include "view/groups.h"
#include "view/view.h"
#include "view_events/view_events.h"
#include "view_numerics/view_numerics.h"

#include <stdlib.h>

/* ==== tree ==================================================================================== */

/* Groups of the rollup: these first, then the modules by the numbers of their nodes, from 1. */
enum { GROUP_FRAMEWORK, GROUP_UNKNOWN, FIRST_MODULE };

/* Number of levels for which lines are drawn; deeper levels are not indented further. */
#define DRAWN_LEVELS 32

typedef enum row_kind { ROW_MODULE, ROW_FOLDED, ROW_FRAMEWORK, ROW_UNKNOWN } row_kind;

typedef struct tree_row {
    row_kind kind;
    uint32_t
        node; /* ROW_MODULE: the module; ROW_FOLDED: the module that contains the folded ones */
    uint32_t above;         /* ROW_MODULE: the module of its parent row; ETI_PREFIX_ROOT: none */
    uint32_t n_modules;     /* that the row stands for */
    uint32_t level;         /* 0: the model */
    uint32_t lines;         /* bit per level: a sibling of the module at this level follows below */
    const uint32_t *groups; /* of the modules that the row stands for */
    size_t n_groups;
    eti_time_sum self;
    eti_group all; /* including the modules inside; without runs */
} tree_row;

typedef struct tree {
    eti_method_part part; /* first: see groups.h */
    const eti_inspector *inspector;
    const eti_view_options *options; /* while the tree grows */
    bool is_drawn;
    eti_places places;
    eti_module_tree modules;
    eti_gap *gaps;  /* per group of the rollup; NULL: there is no reference */
    tree_row *rows; /* part.n_rows */
    size_t row_capacity;
} tree;

/* ---- times ----------------------------------------------------------------------------------- */

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    tree *t = context;
    size_t n = account->block->n_events;
    eti_place *places = eti__places_of_block(&t->places, account);
    for (size_t i = 0; places && i < n; i++) {
        uint32_t module = places[i].module;
        if (eti__role_is_framework(eti__account_role(account, i)))
            groups[i] = GROUP_FRAMEWORK;
        else
            groups[i] = module == ETI_PREFIX_ROOT ? GROUP_UNKNOWN : FIRST_MODULE + module - 1;
    }
    bool done = places != NULL;
    free(places);
    return done;
}

/* ---- gaps ------------------------------------------------------------------------------------ */

static uint32_t group_of_place(const void *context, const eti_place *place) {
    (void)context;
    return place->module == ETI_PREFIX_ROOT ? GROUP_UNKNOWN : FIRST_MODULE + place->module - 1;
}

static size_t count_groups(const void *context) {
    const tree *t = context;
    return FIRST_MODULE + t->places.modules.n_nodes;
}

/* Finds the gap of each module itself, which is the worst of its operators. The tree of modules is made later, from all
 * places. */
static bool find_gaps(tree *t, const eti_gaps *gaps) {
    const eti_gap_grouping grouping = {group_of_place, count_groups, t};
    t->gaps = eti__gaps_of_groups(gaps, &t->places, t->options, &grouping);
    return t->gaps != NULL;
}

/* Returns the worst gap of the modules that the row stands for. */
static eti_gap gap_of(const tree *t, const tree_row *row) {
    eti_gap gap = {0};
    for (size_t i = 0; t->gaps && i < row->n_groups; i++)
        eti__gap_join(&gap, &t->gaps[row->groups[i]]);
    return gap;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool add_row(tree *t, tree_row row) {
    if (!ETI_GROW(t->rows, t->row_capacity, t->part.n_rows + 1))
        return false;
    t->rows[t->part.n_rows++] = row;
    return true;
}

static const eti_tree_module *child_at(const tree *t, size_t at) {
    return &t->modules.modules[t->modules.children[at]];
}

/* Returns the number of modules, starting at `first`, that are shown individually. A single small module is not folded,
 * because that would save no row. */
static size_t count_shown(const tree *t, size_t first, size_t end) {
    size_t n = 0;
    while (first + n < end &&
           eti__rollup_share(&t->part.rollup, &child_at(t, first + n)->all.time) >=
               t->options->fold)
        n++;
    return end - first - n < 2 ? end - first : n;
}

/* A level whose modules are being shown. */
typedef struct open_level {
    uint32_t node;               /* module that contains them */
    size_t next, shown_end, end; /* in the tree's children */
    uint32_t lines;              /* lines of the rows above */
} open_level;

static open_level enter(const tree *t, uint32_t node, uint32_t lines) {
    const eti_tree_module *module = &t->modules.modules[node];
    size_t first = module->first_child, end = first + module->n_children;
    return (open_level){node, first, first + count_shown(t, first, end), end, lines};
}

/* Returns the innermost of a chain of modules, each of which contains only one module and no event outside it. The model is
 * not part of a chain. */
static uint32_t end_of_chain(const tree *t, uint32_t node) {
    const eti_tree_module *modules = t->modules.modules;
    while (t->options->fold > 0 && modules[node].parent != ETI_PREFIX_ROOT &&
           modules[node].n_children == 1) {
        uint32_t inside = t->modules.children[modules[node].first_child];
        if (modules[inside].all.n_events < modules[node].all.n_events)
            break;
        node = inside;
    }
    return node;
}

static bool add_folded(tree *t, const open_level *level, uint32_t depth) {
    const eti_tree_module *first = child_at(t, level->shown_end);
    tree_row row = {.kind = ROW_FOLDED,
                    .node = level->node,
                    .level = depth,
                    .lines = level->lines,
                    .groups = &t->modules.groups[first->first_group]};
    for (size_t i = level->shown_end; i < level->end; i++) {
        const eti_tree_module *module = child_at(t, i);
        eti__time_sum_add(&row.all.time, &module->all.time);
        row.all.n_events += module->all.n_events;
        row.all.n_calls += module->all.n_calls;
        row.n_groups += module->n_groups;
        row.n_modules += module->n_same;
    }
    row.self = row.all.time; /* so that self times of rows add up */
    return add_row(t, row);
}

static bool add_module(tree *t, uint32_t node, uint32_t above, uint32_t level, uint32_t lines) {
    const eti_tree_module *module = &t->modules.modules[node];
    return add_row(t, (tree_row){.kind = ROW_MODULE,
                                 .node = node,
                                 .above = above,
                                 .n_modules = module->n_same,
                                 .level = level,
                                 .lines = lines,
                                 .groups = &t->modules.groups[module->first_group],
                                 .n_groups = module->n_groups,
                                 .self = module->self,
                                 .all = module->all});
}

static uint32_t line_bit(size_t level) {
    return level < DRAWN_LEVELS ? (uint32_t)1 << level : 0;
}

static bool add_modules(tree *t) {
    open_level *levels = NULL;
    size_t capacity = 0, depth = 0; /* levels[depth] is the innermost */
    size_t deepest = t->options->depth > 0 ? t->options->depth : SIZE_MAX;
    bool done = ETI_GROW(levels, capacity, 1);
    if (done)
        levels[0] = enter(t, ETI_PREFIX_ROOT, 0);
    while (done) {
        open_level *level = &levels[depth];
        if (level->next == level->shown_end) {
            if (level->shown_end < level->end)
                done = add_folded(t, level, (uint32_t)depth);
            if (depth-- == 0)
                break;
            continue;
        }
        uint32_t node = end_of_chain(t, t->modules.children[level->next++]);
        uint32_t lines = level->lines | (level->next < level->end ? line_bit(depth) : 0);
        done = add_module(t, node, level->node, (uint32_t)depth, lines);
        if (depth < deepest && done && (done = ETI_GROW(levels, capacity, depth + 2)))
            levels[++depth] = enter(t, node, lines);
    }
    free(levels);
    return done;
}

static bool add_rest(tree *t, row_kind kind, uint32_t group) {
    static const uint32_t groups[] = {GROUP_FRAMEWORK, GROUP_UNKNOWN};
    if (group >= t->part.rollup.n_groups || t->part.rollup.groups[group].n_events == 0)
        return true;
    const eti_group *of = &t->part.rollup.groups[group];
    return add_row(
        t, (tree_row){.kind = kind,
                      .groups = &groups[group],
                      .n_groups = 1,
                      .self = of->time,
                      .all = {.time = of->time, .n_events = of->n_events, .n_calls = of->n_calls}});
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void add_lines(const tree_row *row, eti_buffer *out) {
    size_t drawn = row->level < DRAWN_LEVELS ? row->level : DRAWN_LEVELS;
    for (size_t level = 1; level < drawn; level++) {
        bool goes_on = row->lines & line_bit(level);
        eti__buffer_add_string(out, goes_on ? "│  " : "   ");
    }
    bool is_last = drawn < DRAWN_LEVELS && !(row->lines & line_bit(drawn));
    if (drawn > 0)
        eti__buffer_add_string(out, is_last ? "└─ " : "├─ ");
}

/* Returns the name below the row above: "qkv" if its module is "attention" and the path is "attention.qkv". */
static eti_text short_name(const tree *t, const tree_row *row) {
    eti_text name = t->modules.modules[row->node].name;
    return row->above == ETI_PREFIX_ROOT
               ? name
               : eti__module_name_inside(name, t->modules.modules[row->above].path);
}

/* Returns "Linear" for "torch.nn.modules.linear.Linear". */
static eti_text short_type(eti_text type) {
    size_t start = type.size;
    while (start > 0 && type.data[start - 1] != '.')
        start--;
    return eti__text_from(type, start);
}

static void add_name(const tree *t, const tree_row *row, eti_buffer *out) {
    if (t->is_drawn)
        add_lines(row, out);
    switch (row->kind) {
    case ROW_MODULE:
        eti__buffer_add_text(out,
                             t->is_drawn ? short_name(t, row) : t->modules.modules[row->node].name);
        if (t->is_drawn && t->modules.modules[row->node].is_layers)
            eti__buffer_printf(out, " (%u)", (unsigned)row->n_modules);
        break;
    case ROW_FOLDED:
        if (!t->is_drawn && row->node != ETI_PREFIX_ROOT) {
            eti__buffer_add_text(out, t->modules.modules[row->node].name);
            eti__buffer_add_char(out, ' ');
        }
        eti__buffer_printf(out, "(%u more)", (unsigned)row->n_modules);
        break;
    case ROW_FRAMEWORK:
        eti__buffer_add_string(out, ETI_GROUP_FRAMEWORK);
        break;
    case ROW_UNKNOWN:
        eti__buffer_add_string(out, ETI_GROUP_UNKNOWN);
        break;
    }
}

/* A row whose cells are being made. */
typedef struct shown_row {
    eti_group_row times;
    const tree *t;
    const tree_row *of;
    eti_gap gap;
    eti_row *out;
} shown_row;

static bool set_module(void *context, eti_cell *cell) {
    const shown_row *row = context;
    add_name(row->t, row->of, &row->out->scratch);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

ETI_CELL_SETTER_IF(shown_row, type, row->of->kind == ROW_MODULE,
                   eti__text_cell(short_type(row->t->modules.modules[row->of->node].type)))
ETI_CELL_SETTER(shown_row, self,
                eti__double_cell(eti__rollup_time(&row->t->part.rollup, row->of->self.total)))
ETI_CELL_SETTER(shown_row, self_typical,
                eti__double_cell(eti__rollup_typical(&row->t->part.rollup, &row->of->self)))

/* Sets the median of the sums per run of the module and those inside. */
static bool set_p50(void *context, eti_cell *cell) {
    const shown_row *row = context;
    const eti_rollup *rollup = &row->t->part.rollup;
    eti_arena *arena = &row->out->texts;
    eti_group_sum *sums = eti__arena_alloc(arena, rollup->runs.n, sizeof *sums);
    double *scratch = eti__arena_alloc(arena, 2 * rollup->runs.n, sizeof *scratch);
    eti_summary times;
    if (!sums || !scratch)
        return false;
    if (eti__rollup_summarize_groups(rollup, row->of->groups, row->of->n_groups, sums, scratch,
                                     &times))
        *cell = eti__double_cell(times.p50);
    return true;
}

ETI_CELL_SETTER(shown_row, level, eti__count_cell(row->of->level))
ETI_CELL_SETTER(shown_row, self_share,
                eti__double_cell(eti__rollup_share(&row->t->part.rollup, &row->of->self)))

ETI_CELL_SETTER_IF(shown_row, modules, row->of->n_modules > 0, eti__count_cell(row->of->n_modules))

ETI_GAP_SETTERS(shown_row, row->gap)

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"module", ETI_TEXTS, false, "module, with its submodules below it", set_module},
    {"typical", ETI_TIMES, false, "typical time per run, including submodules",
     eti__set_group_typical},
    {"share", ETI_SHARES, false, "share of the typical time, including submodules",
     eti__set_group_share},
    {"unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, eti__set_group_unsteady},
    {"self_share", ETI_SHARES, false, "share of the typical time, without submodules",
     set_self_share},
    ETI_GAP_COLUMNS,
    {"type", ETI_TEXTS, false, "class of the module", set_type},
    {"events", ETI_COUNTS, false, "events of the module and its submodules", eti__set_group_events},
    {"total", ETI_TIMES, false, "time of the module and its submodules, in all runs",
     eti__set_group_total},
    {"self", ETI_TIMES, false, "time that belongs to no submodule, in all runs", set_self},
    {"level", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "depth below the model", set_level},
    {"calls", ETI_COUNTS, true, "calls of events, after the warm-up", eti__set_group_calls},
    {"modules", ETI_COUNTS, true, "modules merged into the row", set_modules},
    {"self_typical", ETI_TIMES, true, "typical time per run, without submodules", set_self_typical},
    {"p50", ETI_TIMES, true, "median time of a run, including submodules", set_p50},
    ETI_GROUP_MEAN_COLUMN,
};

static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    const tree *t = (const tree *)part;
    const tree_row *of = &t->rows[number];
    shown_row row = {
        .times = eti__group_row_of(&t->part.rollup, &of->all, NULL), .t = t, .of = of, .out = out};
    row.times.method = part->method;
    row.gap = gap_of(t, of);
    return eti__columns_set(specs, n_specs, &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_tree(eti_method_part *part) {
    tree *t = (tree *)part;
    eti__places_free(&t->places);
    eti__module_tree_free(&t->modules);
    free(t->gaps);
    free(t->rows);
}

static eti_status check_text(const tree *t, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < t->part.n_rows; i++) {
        if (t->rows[i].kind == ROW_MODULE)
            n_bytes += t->modules.modules[t->rows[i].node].name.size +
                       t->modules.modules[t->rows[i].node].type.size;
    }
    return eti__view_check_text(t->inspector, n_bytes, err);
}

static eti_status grow_tree(eti_method_part *part, const eti_inspector *inspector,
                            const eti_view_options *options, void *context, eti_error *err) {
    tree *t = (tree *)part;
    const eti_gaps *gaps = context;
    t->inspector = inspector;
    t->options = options;
    t->is_drawn = options->lines;
    if (!eti__places_init(&t->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&t->part.rollup, t->inspector, t->options, group_events, t, err));
    if (gaps->is_asked && !find_gaps(t, gaps))
        return eti_fail_memory(err);
    if (!eti__module_tree_make(&t->modules, &t->places, &t->part.rollup, FIRST_MODULE,
                               t->options->folds_layers) ||
        !add_modules(t) || !add_rest(t, ROW_FRAMEWORK, GROUP_FRAMEWORK) ||
        !add_rest(t, ROW_UNKNOWN, GROUP_UNKNOWN))
        return eti_fail_memory(err);
    return check_text(t, err);
}

static eti_status add_tree(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_gaps *gaps, eti_error *err) {
    static const eti_method_view view = {sizeof(tree), grow_tree, free_tree, make_row};
    eti_column_spec chosen[ETI_N_COLUMNS(columns)];
    const eti_method_rows *rows;
    eti_table *table;
    ETI_TRY(eti__gaps_find(gaps, inspector, options, err));
    eti__gap_columns_choose(chosen, columns, ETI_N_COLUMNS(columns), set_snr, gaps->is_asked);
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, chosen, ETI_N_COLUMNS(columns), inspector,
                                  options, gaps, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    eti__table_give_heat(table, "self_share", "module");
    ETI_TRY(eti__report_add(report, "modules", NULL, table, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_unsteady(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    ETI_TRY(eti__view_note_record(report, inspector, "modules", err));
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    ETI_TRY(eti__view_note_cycles(report, &rows->counts.cycles, err));
    return eti__gaps_note(gaps, report, err);
}

eti_status eti__view_tree(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    eti_gaps gaps;
    eti_status status = add_tree(report, inspector, options, &gaps, err);
    eti__gaps_free(&gaps);
    return status;
}

/* ==== modules ================================================================================= */

/* Source of the rows. */
typedef struct module_row {
    eti_table *table;
    const eti_inspector *inspector;
    const char *name;
} module_row;

static bool set_module_name(void *context, eti_cell *cell) {
    const module_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->table, eti__text_of(row->name), &cell->as_text);
}

ETI_CELL_SETTER(module_row, total,
                eti__double_cell(eti_inspector_find_total_for_module(row->inspector, row->name)))

static const eti_column_spec module_columns[] = {
    {"module", ETI_TEXTS, false, "requested name", set_module_name},
    {"total", ETI_TIMES, false, "sum of the means of all events in modules whose name contains it",
     set_total},
};

eti_status eti__view_modules(eti_table **out, const eti_inspector *inspector,
                             const char *const *names, size_t n_names,
                             const eti_table_options *options, eti_error *err) {
    static const eti_table_options defaults = ETI_TABLE_OPTIONS_DEFAULT;
    options = options ? options : &defaults;
    const char *unit =
        eti__column_unit(inspector->options.target_time_scale, options->include_units);
    eti_table *table;
    eti_status status = ETI_OK;
    *out = NULL;
    ETI_TRY(eti__columns_make(&table, module_columns, ETI_N_COLUMNS(module_columns), unit, err));
    for (size_t i = 0; i < n_names && status == ETI_OK; i++) {
        module_row row = {table, inspector, names[i]};
        status =
            eti__columns_add_row(table, module_columns, ETI_N_COLUMNS(module_columns), &row, err);
    }
    if (status == ETI_OK)
        *out = table;
    else
        eti_table_free(table);
    return status;
}

eti_status eti__view_named_modules(eti_report *report, const eti_inspector *inspector,
                                   const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__view_modules(&table, inspector, options->modules, options->n_modules,
                              &options->table, err));
    return eti__report_add(report, "modules", NULL, table, err);
}
