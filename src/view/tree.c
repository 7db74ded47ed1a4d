#include "view/tree.h"

#include "account/grouping.h"
#include "account/places.h"
#include "account/rollup.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/text.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/group_row.h"
#include "view/notes.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* Groups of the rollup: these, then the modules by the numbers of their nodes, from 1 on. */
enum { GROUP_FRAMEWORK, GROUP_UNKNOWN, FIRST_MODULE };

/* Number of levels for which lines are drawn; deeper levels are not indented further. */
#define DRAWN_LEVELS 32

typedef struct module_time {
    eti_ticks self;
    eti_group all; /* with the modules inside; without runs */
} module_time;

typedef enum row_kind { ROW_MODULE, ROW_FOLDED, ROW_FRAMEWORK, ROW_UNKNOWN } row_kind;

typedef struct tree_row {
    row_kind kind;
    uint32_t node; /* ROW_MODULE; ROW_FOLDED: the one that they are in */
    uint32_t n_folded;
    uint32_t level;               /* 0: the model */
    uint32_t lines;               /* bit per level: a sister of the module there follows below */
    size_t first_group, n_groups; /* in tree->groups: of the modules that the row stands for */
    module_time time;
} tree_row;

typedef struct tree {
    const eti_inspector *inspector;
    const eti_view_options *options; /* while the tree grows */
    bool is_drawn;
    eti_places places;
    eti_rollup rollup;
    module_time *times;  /* per node */
    uint32_t *sorted;    /* modules, those of one parent together, the most expensive first */
    size_t *first_child; /* per node, in `sorted`; one more at the end */
    uint32_t *
        groups; /* of the rollup: each module's followed by those of the modules inside it, then the others */
    size_t *place;    /* per node, in `groups` */
    size_t *n_inside; /* per node: modules inside it, and itself */
    tree_row *rows;
    size_t n_rows, row_capacity;
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

static module_time time_of_group(const tree *t, size_t number) {
    if (number >= t->rollup.n_groups)
        return (module_time){0};
    const eti_group *group = &t->rollup.groups[number];
    return (module_time){
        group->total,
        {.total = group->total, .n_events = group->n_events, .n_calls = group->n_calls}};
}

static void add_time(eti_group *sum, const eti_group *time) {
    eti__wide_add(&sum->total, time->total);
    sum->n_events += time->n_events;
    sum->n_calls += time->n_calls;
}

/* Children have higher numbers than their parents. */
static void add_up(tree *t) {
    const eti_prefix_tree *modules = &t->places.modules;
    for (size_t i = 1; i < modules->n_nodes; i++)
        t->times[i] = time_of_group(t, FIRST_MODULE + i - 1);
    for (size_t i = modules->n_nodes; i-- > 1;)
        add_time(&t->times[modules->nodes[i].parent].all, &t->times[i].all);
}

static int compare_modules(const void *a, const void *b, void *context) {
    const tree *t = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t above_x = t->places.modules.nodes[x].parent,
             above_y = t->places.modules.nodes[y].parent;
    if (above_x != above_y)
        return above_x < above_y ? -1 : 1;
    int order = eti__wide_compare(t->times[y].all.total, t->times[x].all.total);
    if (order)
        return order;
    bool has_x = t->times[x].all.n_events > 0, has_y = t->times[y].all.n_events > 0;
    if (has_x != has_y)
        return has_x ? -1 : 1;
    return (x > y) - (x < y);
}

/* Puts the groups of a module and of those inside it next to each other. Children have higher numbers than parents. */
static bool list_groups(tree *t) {
    const eti_prefix_tree *modules = &t->places.modules;
    size_t n = modules->n_nodes;
    t->groups = malloc((n + FIRST_MODULE) * sizeof *t->groups);
    t->place = calloc(n, sizeof *t->place);
    t->n_inside = malloc(n * sizeof *t->n_inside);
    if (!t->groups || !t->place || !t->n_inside)
        return false;
    for (size_t i = 0; i < n; i++)
        t->n_inside[i] = 1;
    for (size_t i = n; i-- > 1;)
        t->n_inside[modules->nodes[i].parent] += t->n_inside[i];
    for (size_t i = 0; i < n; i++) {
        size_t next = t->place[i] + 1;
        for (size_t at = t->first_child[i]; at < t->first_child[i + 1]; at++) {
            t->place[t->sorted[at]] = next;
            next += t->n_inside[t->sorted[at]];
        }
        t->groups[t->place[i]] = i > 0 ? FIRST_MODULE + (uint32_t)i - 1 : ETI_NO_GROUP;
    }
    for (uint32_t group = 0; group < FIRST_MODULE; group++)
        t->groups[n + group] = group;
    return true;
}

static bool sort_modules(tree *t) {
    const eti_prefix_tree *modules = &t->places.modules;
    size_t n = modules->n_nodes;
    t->times = calloc(n, sizeof *t->times);
    t->sorted = malloc(n * sizeof *t->sorted);
    t->first_child = calloc(n + 1, sizeof *t->first_child);
    if (!t->times || !t->sorted || !t->first_child)
        return false;
    add_up(t);
    for (size_t i = 1; i < n; i++) {
        t->sorted[i - 1] = (uint32_t)i;
        t->first_child[modules->nodes[i].parent + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        t->first_child[i + 1] += t->first_child[i];
    if (n > 1)
        eti__sort(t->sorted, n - 1, sizeof *t->sorted, compare_modules, t);
    return list_groups(t);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool add_row(tree *t, tree_row row) {
    if (!ETI_GROW(t->rows, t->row_capacity, t->n_rows + 1))
        return false;
    t->rows[t->n_rows++] = row;
    return true;
}

/* How many of the modules from `first` on are shown one by one: a single small one takes no more room than the
 * row in which it would be folded. */
static size_t count_shown(const tree *t, size_t first, size_t end) {
    size_t n = 0;
    while (first + n < end &&
           eti__rollup_share(&t->rollup, t->times[t->sorted[first + n]].all.total) >=
               t->options->fold)
        n++;
    return end - first - n < 2 ? end - first : n;
}

/* A level whose modules are being shown. */
typedef struct open_level {
    size_t next, shown_end, end; /* in tree->sorted */
    uint32_t lines;              /* of the rows above */
} open_level;

static open_level enter(const tree *t, uint32_t node, uint32_t lines) {
    size_t first = t->first_child[node], end = t->first_child[node + 1];
    while (end > first && t->times[t->sorted[end - 1]].all.n_events == 0)
        end--;
    return (open_level){first, first + count_shown(t, first, end), end, lines};
}

static bool add_folded(tree *t, const open_level *level, uint32_t depth) {
    uint32_t first = t->sorted[level->shown_end];
    tree_row row = {.kind = ROW_FOLDED,
                    .node = t->places.modules.nodes[first].parent,
                    .n_folded = (uint32_t)(level->end - level->shown_end),
                    .level = depth,
                    .lines = level->lines,
                    .first_group = t->place[first]};
    uint32_t last = t->sorted[level->end - 1];
    row.n_groups = t->place[last] + t->n_inside[last] - row.first_group;
    for (size_t i = level->shown_end; i < level->end; i++)
        add_time(&row.time.all, &t->times[t->sorted[i]].all);
    row.time.self = row.time.all.total; /* so that own times of rows add up */
    return add_row(t, row);
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
        uint32_t node = t->sorted[level->next++];
        uint32_t lines = level->lines | (level->next < level->end ? line_bit(depth) : 0);
        done = add_row(t, (tree_row){.kind = ROW_MODULE,
                                     .node = node,
                                     .level = (uint32_t)depth,
                                     .lines = lines,
                                     .first_group = t->place[node],
                                     .n_groups = t->n_inside[node],
                                     .time = t->times[node]});
        if (depth < deepest && done && (done = ETI_GROW(levels, capacity, depth + 2)))
            levels[++depth] = enter(t, node, lines);
    }
    free(levels);
    return done;
}

static bool add_rest(tree *t, row_kind kind, size_t group) {
    tree_row row = {.kind = kind,
                    .first_group = t->places.modules.n_nodes + group,
                    .n_groups = 1,
                    .time = time_of_group(t, group)};
    return row.time.all.n_events == 0 || add_row(t, row);
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

/* "qkv", where the module around it is "attention" and its path "attention.qkv". */
static eti_text short_name(const tree *t, uint32_t node) {
    uint32_t above = t->places.modules.nodes[node].parent;
    eti_text name = eti__places_module_name(&t->places, node);
    if (above == ETI_PREFIX_ROOT)
        return name;
    eti_text path = eti__places_module(&t->places, above)->path;
    if (path.size == 0 || name.size <= path.size + 1 || name.data[path.size] != '.' ||
        memcmp(name.data, path.data, path.size) != 0)
        return name;
    return (eti_text){name.data + path.size + 1, name.size - path.size - 1};
}

/* "Linear" of "torch.nn.modules.linear.Linear" */
static eti_text short_type(eti_text type) {
    size_t start = type.size;
    while (start > 0 && type.data[start - 1] != '.')
        start--;
    return (eti_text){type.data + start, type.size - start};
}

static void add_name(const tree *t, const tree_row *row, eti_buffer *out) {
    if (t->is_drawn)
        add_lines(row, out);
    switch (row->kind) {
    case ROW_MODULE:
        eti__buffer_add_text(out, t->is_drawn ? short_name(t, row->node)
                                              : eti__places_module_name(&t->places, row->node));
        break;
    case ROW_FOLDED:
        if (!t->is_drawn && row->node != ETI_PREFIX_ROOT) {
            eti__buffer_add_text(out, eti__places_module_name(&t->places, row->node));
            eti__buffer_add_char(out, ' ');
        }
        eti__buffer_printf(out, "(%u more)", (unsigned)row->n_folded);
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
    eti_row *out;
} shown_row;

static bool set_module(void *context, eti_cell *cell) {
    const shown_row *row = context;
    add_name(row->t, row->of, &row->out->scratch);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

ETI_CELL_SETTER_IF(
    shown_row, type, row->of->kind == ROW_MODULE,
    eti__text_cell(short_type(eti__places_module(&row->t->places, row->of->node)->type)))
ETI_CELL_SETTER(shown_row, self,
                eti__double_cell(eti__rollup_time(&row->t->rollup, row->of->time.self)))

/* Of the sums per run of the module and those inside. */
static bool set_p50(void *context, eti_cell *cell) {
    const shown_row *row = context;
    const eti_rollup *rollup = &row->t->rollup;
    eti_arena *arena = &row->out->texts;
    eti_group_sum *sums = eti__arena_alloc(arena, rollup->runs.n, sizeof *sums);
    double *scratch = eti__arena_alloc(arena, 2 * rollup->runs.n, sizeof *scratch);
    eti_summary times;
    if (!sums || !scratch)
        return false;
    if (eti__rollup_summarize_groups(rollup, &row->t->groups[row->of->first_group],
                                     row->of->n_groups, sums, scratch, &times))
        *cell = eti__double_cell(times.p50);
    return true;
}

ETI_CELL_SETTER(shown_row, level, eti__count_cell(row->of->level))
ETI_CELL_SETTER(shown_row, self_share,
                eti__double_cell(eti__rollup_share(&row->t->rollup, row->of->time.self)))

static const eti_column_spec columns[] = {
    {"module", ETI_TEXTS, false, "the module, with those inside below it", set_module},
    {"p50", ETI_TIMES, false, "median of the sums per run, with the modules inside", set_p50},
    {"share", ETI_SHARES, false, "of the whole, with the modules inside", eti__set_group_share},
    {"self_share", ETI_SHARES, false, "of the whole, without them", set_self_share},
    {"type", ETI_TEXTS, false, "its class", set_type},
    {"events", ETI_COUNTS, false, "of it and the modules inside", eti__set_group_events},
    {"total", ETI_TIMES, false, "time of it and the modules inside, in all runs",
     eti__set_group_total},
    {"self", ETI_TIMES, false, "time that belongs to no module inside, in all runs", set_self},
    {"level", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "below the model", set_level},
    {"calls", ETI_COUNTS, true, "of events, after the warm-up", eti__set_group_calls},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const tree *t = context;
    const tree_row *of = &t->rows[number];
    shown_row row = {
        .times = eti__group_row_of(&t->rollup, &of->time.all, NULL), .t = t, .of = of, .out = out};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_tree(void *context) {
    tree *t = context;
    eti__places_free(&t->places);
    eti__rollup_free(&t->rollup);
    free(t->times);
    free(t->sorted);
    free(t->first_child);
    free(t->groups);
    free(t->place);
    free(t->n_inside);
    free(t->rows);
    free(t);
}

static eti_status check_text(const tree *t, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].kind == ROW_MODULE)
            n_bytes += eti__places_module_name(&t->places, t->rows[i].node).size +
                       eti__places_module(&t->places, t->rows[i].node)->type.size;
    }
    return eti__view_check_text(t->inspector, n_bytes, err);
}

static eti_status grow_tree(tree *t, eti_error *err) {
    if (!eti__places_init(&t->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&t->rollup, t->inspector, t->options, NULL, group_events, t, err));
    if (!sort_modules(t) || !add_modules(t) || !add_rest(t, ROW_FRAMEWORK, GROUP_FRAMEWORK) ||
        !add_rest(t, ROW_UNKNOWN, GROUP_UNKNOWN))
        return eti_fail_memory(err);
    return check_text(t, err);
}

eti_status eti__view_tree(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    tree *t = calloc(1, sizeof *t);
    if (!t)
        return eti_fail_memory(err);
    t->inspector = inspector;
    t->options = options;
    t->is_drawn = options->lines;
    eti_status status = grow_tree(t, err);
    if (status != ETI_OK) {
        free_tree(t);
        return status;
    }
    eti_table *table;
    eti_row_source source = {make_row, free_tree, t};
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), t->n_rows, source,
                                   eti__view_unit(inspector, options), err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "modules", NULL, table, err));
    ETI_TRY(eti__view_note_warm_up(report, inspector, &t->rollup.runs, err));
    ETI_TRY(eti__view_note_record(report, inspector, "modules", err));
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    return eti__view_note_uncounted(report, t->rollup.n_uncounted, err);
}
