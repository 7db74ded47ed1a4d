#include "view/groups.h"

#include "account/places.h"
#include "account/rollup.h"
#include "base/array.h"
#include "base/text.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/notes.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a group is called by. The first are one group each. */
typedef enum key_kind {
    KEY_FRAMEWORK,
    KEY_NOT_LOGGED,
    KEY_NOT_DELEGATED,
    KEY_SEVERAL,
    KEY_UNKNOWN,
    KEY_TEXT,   /* number of a text */
    KEY_OPS,    /* path of places->ops */
    KEY_MODULE, /* number of places->module_names */
    KEY_LINE,   /* number of places->frame_of */
} key_kind;

static const char *const fixed_names[] = {
    [KEY_FRAMEWORK] = "(framework)",
    [KEY_NOT_LOGGED] = "(delegate, not logged)",
    [KEY_NOT_DELEGATED] = "(not delegated)",
    [KEY_SEVERAL] = "(several lines)",
    [KEY_UNKNOWN] = "(unknown)",
};

typedef struct group_key {
    uint32_t kind; /* a key_kind */
    uint32_t number;
} group_key;

typedef struct grouper grouper;

/* A grouping: how an event finds its key. False: out of memory. */
typedef struct grouping {
    const char *name;      /* as --group takes it, and the column */
    const char *of_record; /* what is known only with the ETRecord; NULL: nothing is said */
    bool needs_places;
    bool (*find_key)(grouper *g, const eti_account *account, size_t event, const eti_place *place,
                     group_key *out);
} grouping;

/* What groups are made with, and then what their rows are made of. */
struct grouper {
    const eti_inspector *inspector;
    const grouping *grouping;
    uint32_t depth; /* of modules */
    eti_places places;
    eti_text_table texts;
    eti_pointer_table by_name; /* of events: texts */
    group_key *keys;           /* per group */
    size_t n_keys, key_capacity;
    eti_index key_index;
    eti_rollup rollup;
    uint32_t *order; /* of rows: groups */
    size_t n_rows;
    double *cumulative; /* per row */
    double *scratch;    /* for statistics */
};

/* ---- keys ------------------------------------------------------------------------------------ */

static bool text_key(grouper *g, eti_text text, group_key *out) {
    out->kind = KEY_TEXT;
    return eti_text_table_add(&g->texts, text, NULL, &out->number);
}

eti_text eti_fold_op_name(eti_text name) {
    size_t size = name.size;
    while (size > 0 && name.data[size - 1] >= '0' && name.data[size - 1] <= '9')
        size--;
    if (size == name.size || size < 2 || (name.data[size - 1] != '#' && name.data[size - 1] != '_'))
        return name;
    for (size--; size > 1 && name.data[size - 1] == ' ';)
        size--;
    return (eti_text){name.data, size};
}

/* Events share their names, which may be long. */
static bool name_key(grouper *g, const eti_event *event, group_key *out) {
    out->kind = KEY_TEXT;
    if (event->name.size == 0)
        return text_key(g, eti_text_of("(no name)"), out);
    if (eti_pointer_table_find(&g->by_name, event->name.data, &out->number))
        return true;
    return text_key(g, eti_fold_op_name(event->name), out) &&
           eti_pointer_table_add(&g->by_name, event->name.data, out->number);
}

static bool find_op(grouper *g, const eti_account *account, size_t event, const eti_place *place,
                    group_key *out) {
    if (eti_part_of_event(account, event) == ETI_PART_NOT_LOGGED) {
        *out = (group_key){KEY_NOT_LOGGED, 0};
        return true;
    }
    if (place->ops == ETI_PREFIX_ROOT)
        return name_key(g, &account->block->events[event], out);
    *out = (group_key){KEY_OPS, place->ops};
    return true;
}

/* What the record knows about an event; events that a delegate logged may be known by their call alone. */
static const eti_event_record *record_of(const eti_account *account, size_t event) {
    const eti_event_account *e = &account->events[event];
    const eti_event_record *own = account->block->events[event].record;
    if (e->role != ETI_ROLE_DELEGATED || e->parent == ETI_NO_EVENT ||
        own->handles.kind != ETI_HANDLES_NONE)
        return own;
    return account->block->events[e->parent].record;
}

static bool find_backend(grouper *g, const eti_account *account, size_t event,
                         const eti_place *place, group_key *out) {
    (void)place;
    const eti_event_account *events = account->events;
    eti_text backend = record_of(account, event)->backend_name;
    bool is_delegated =
        events[event].role == ETI_ROLE_DELEGATED || events[event].role == ETI_ROLE_DELEGATE_CALL;
    *out = (group_key){is_delegated ? KEY_UNKNOWN : KEY_NOT_DELEGATED, 0};
    return !is_delegated || backend.size == 0 || text_key(g, backend, out);
}

static bool find_module(grouper *g, const eti_account *account, size_t event,
                        const eti_place *place, group_key *out) {
    (void)account;
    (void)event;
    const eti_prefix_tree *modules = &g->places.modules;
    uint32_t module = eti_places_cut_module(&g->places, place->module, g->depth);
    *out = (group_key){KEY_UNKNOWN, 0};
    if (module != ETI_PREFIX_ROOT)
        *out = (group_key){KEY_MODULE, modules->nodes[module].item};
    return true;
}

static bool find_source(grouper *g, const eti_account *account, size_t event,
                        const eti_place *place, group_key *out) {
    (void)account;
    (void)event;
    *out = (group_key){place->has_frames ? KEY_SEVERAL : KEY_UNKNOWN, 0};
    if (place->frame != ETI_PREFIX_ROOT)
        *out = (group_key){KEY_LINE, g->places.frames.nodes[place->frame].item};
    return true;
}

static bool find_block(grouper *g, const eti_account *account, size_t event, const eti_place *place,
                       group_key *out) {
    (void)event;
    (void)place;
    return text_key(g, account->block->name, out);
}

/* A dump does not say which method ran: it is the one whose record knows the event. */
static bool find_method(grouper *g, const eti_account *account, size_t event,
                        const eti_place *place, group_key *out) {
    (void)place;
    *out = (group_key){KEY_UNKNOWN, 0};
    if (record_of(account, event)->handles.kind == ETI_HANDLES_NONE ||
        g->inspector->method == ETI_NO_METHOD)
        return true;
    return text_key(g, eti_etrecord_method_name(g->inspector->record, g->inspector->method), out);
}

static const grouping groupings[] = {
    {"op", NULL, true, find_op},
    {"backend", NULL, false, find_backend},
    {"module", "modules", true, find_module},
    {"source", "source lines", true, find_source},
    {"block", NULL, false, find_block},
    {"method", NULL, false, find_method},
};

/* ---- groups ---------------------------------------------------------------------------------- */

/* The group with the key, which is made when it is new. */
static bool number_group(grouper *g, group_key key, uint32_t *out) {
    uint64_t hash = eti_hash_mix(eti_hash_mix(0, key.kind), key.number);
    eti_index_cursor cursor = eti_index_start(&g->key_index, hash);
    while ((*out = eti_index_next(&g->key_index, &cursor)) != ETI_INDEX_END) {
        if (g->keys[*out].kind == key.kind && g->keys[*out].number == key.number)
            return true;
    }
    size_t n = g->n_keys;
    if (n >= ETI_NO_GROUP || !ETI_GROW(g->keys, g->key_capacity, n + 1) ||
        !eti_index_add(&g->key_index, hash, (uint32_t)n))
        return false;
    g->keys[n] = key;
    *out = (uint32_t)n;
    g->n_keys++;
    return true;
}

static bool group_event(grouper *g, const eti_account *account, size_t event,
                        const eti_place *place, uint32_t *out) {
    group_key key = {KEY_FRAMEWORK, 0};
    bool is_about_blocks = g->grouping->find_key == find_block;
    if ((is_about_blocks || eti_part_of_event(account, event) != ETI_PART_FRAMEWORK) &&
        !g->grouping->find_key(g, account, event, place, &key))
        return false;
    return number_group(g, key, out);
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    grouper *g = context;
    const eti_place nowhere = {0};
    size_t n = account->block->n_events;
    eti_place *places = NULL;
    if (g->grouping->needs_places) {
        places = malloc((n + 1) * sizeof *places);
        if (!places || !eti_places_of_block(&g->places, account, places)) {
            free(places);
            return false;
        }
    }
    bool done = true;
    for (size_t i = 0; i < n && done; i++) {
        if (account->events[i].is_counted)
            done = group_event(g, account, i, places ? &places[i] : &nowhere, &groups[i]);
    }
    free(places);
    return done;
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum {
    COLUMN_KEY,
    COLUMN_EVENTS,
    COLUMN_CALLS,
    COLUMN_TOTAL,
    COLUMN_SHARE,
    COLUMN_P50,
    COLUMN_CUMULATIVE,
    COLUMN_AVG,
    COLUMN_MIN,
    COLUMN_MAX,
    N_COLUMNS,
};

static void add_key(const grouper *g, group_key key, eti_buffer *out) {
    const eti_places *places = &g->places;
    switch ((key_kind)key.kind) {
    case KEY_FRAMEWORK:
    case KEY_NOT_LOGGED:
    case KEY_NOT_DELEGATED:
    case KEY_SEVERAL:
    case KEY_UNKNOWN:
        eti_buffer_add_string(out, fixed_names[key.kind]);
        break;
    case KEY_TEXT:
        eti_buffer_add_text(out, g->texts.texts[key.number]);
        break;
    case KEY_OPS:
        eti_places_add_ops(places, key.number, out);
        break;
    case KEY_MODULE:
        eti_buffer_add_text(out, places->module_names.texts[key.number]);
        break;
    case KEY_LINE: {
        const eti_stack_frame *frame = &places->frame_of[key.number].frame;
        eti_add_source_line(out, frame->file, frame->line);
        break;
    }
    }
}

static uint64_t key_size(const grouper *g, group_key key) {
    switch ((key_kind)key.kind) {
    case KEY_TEXT:
        return g->texts.texts[key.number].size;
    case KEY_OPS:
        return eti_places_ops_size(&g->places, key.number);
    case KEY_MODULE:
        return g->places.module_names.texts[key.number].size;
    case KEY_LINE:
        return g->places.frame_of[key.number].frame.file.size;
    default:
        return 0;
    }
}

static bool make_row(const void *context, size_t number, eti_row *row) {
    const grouper *g = context;
    uint32_t i = g->order[number];
    const eti_group *group = &g->rollup.groups[i];
    eti_cell *cells = row->cells;
    eti_summary s;
    add_key(g, g->keys[i], &row->scratch);
    cells[COLUMN_KEY].kind = ETI_CELL_TEXT;
    if (!eti_row_take_text(row, &cells[COLUMN_KEY].as_text))
        return false;
    cells[COLUMN_EVENTS] = eti_count_cell(group->n_events);
    cells[COLUMN_CALLS] = eti_count_cell(group->n_calls);
    cells[COLUMN_TOTAL] = eti_double_cell(eti_rollup_time(&g->rollup, group->total));
    cells[COLUMN_SHARE] = eti_double_cell(eti_rollup_share(&g->rollup, group->total));
    cells[COLUMN_CUMULATIVE] = eti_double_cell(g->cumulative[number]);
    if (!eti_rollup_summarize(&g->rollup, i, g->scratch, &s))
        return true;
    cells[COLUMN_P50] = eti_double_cell(s.p50);
    cells[COLUMN_AVG] = eti_double_cell(s.avg);
    cells[COLUMN_MIN] = eti_double_cell(s.min);
    cells[COLUMN_MAX] = eti_double_cell(s.max);
    return true;
}

static void free_grouper(void *context) {
    grouper *g = context;
    eti_places_free(&g->places);
    eti_text_table_free(&g->texts);
    eti_pointer_table_free(&g->by_name);
    free(g->keys);
    eti_index_free(&g->key_index);
    eti_rollup_free(&g->rollup);
    free(g->order);
    free(g->cumulative);
    free(g->scratch);
    free(g);
}

/* The rows in their order, and what they add up to so far. */
static eti_status sort_rows(grouper *g, eti_error *err) {
    const eti_rollup *rollup = &g->rollup;
    eti_ticks sum = 0;
    uint64_t n_bytes = 0;
    g->order = malloc((rollup->n_groups + 1) * sizeof *g->order);
    g->cumulative = malloc((rollup->n_groups + 1) * sizeof *g->cumulative);
    g->scratch = malloc((2 * rollup->most_runs + 1) * sizeof *g->scratch);
    if (!g->order || !g->cumulative || !g->scratch)
        return eti_fail_memory(err);
    g->n_rows = eti_rollup_sort(rollup, g->order);
    for (size_t i = 0; i < g->n_rows; i++) {
        sum += rollup->groups[g->order[i]].total;
        g->cumulative[i] = eti_rollup_share(rollup, sum);
        n_bytes += key_size(g, g->keys[g->order[i]]);
    }
    return eti_view_check_text(g->inspector, n_bytes, err);
}

/* ---- the view -------------------------------------------------------------------------------- */

/* "module:2"; everything else has no number. */
static bool parse_group(const char *text, const grouping **out, uint32_t *depth) {
    size_t size = strcspn(text, ":");
    *depth = UINT32_MAX;
    for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++) {
        const char *name = groupings[i].name;
        if (strlen(name) != size || memcmp(name, text, size) != 0)
            continue;
        *out = &groupings[i];
        if (text[size] == '\0')
            return true;
        char *end;
        errno = 0;
        unsigned long number = strtoul(text + size + 1, &end, 10);
        *depth = (uint32_t)number;
        return strcmp(name, "module") == 0 && text[size + 1] >= '1' && text[size + 1] <= '9' &&
               *end == '\0' && errno == 0 && number < UINT32_MAX;
    }
    return false;
}

static eti_status find_grouping(const eti_view_options *options, const grouping **out,
                                uint32_t *depth, eti_error *err) {
    const char *wanted = options->group ? options->group : "op";
    if (parse_group(wanted, out, depth))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "--group: expected op, backend, module, module:DEPTH, source, block or "
                    "method, found '%s'",
                    wanted);
}

static eti_status new_grouper(grouper **out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_account *accounts,
                              eti_error *err) {
    const grouping *found = NULL;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &found, &depth, err));
    grouper *g = calloc(1, sizeof *g);
    if (!g)
        return eti_fail_memory(err);
    g->inspector = inspector;
    g->grouping = found;
    g->depth = depth;
    eti_status status =
        eti_places_init(&g->places)
            ? eti_rollup_make(&g->rollup, inspector, options, accounts, group_events, g, err)
            : eti_fail_memory(err);
    if (status == ETI_OK)
        status = sort_rows(g, err);
    if (status != ETI_OK) {
        free_grouper(g);
        return status;
    }
    *out = g;
    return ETI_OK;
}

eti_status eti_view_add_groups(eti_report *report, const char *name, const eti_inspector *inspector,
                               const eti_view_options *options, eti_account *accounts,
                               eti_error *err) {
    eti_column_spec columns[N_COLUMNS] = {
        {NULL, ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "what the events have in common"},
        {"events", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "in the group"},
        {"calls", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "of events, in all runs"},
        {"total", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "own time of all runs"},
        {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false, "of the whole"},
        {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "median of the sums per run"},
        {"cumulative", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
         "share of this row and those above"},
        {"avg", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "mean of the sums per run"},
        {"min", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "the smallest sum of a run"},
        {"max", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "the largest sum of a run"},
    };
    grouper *g = NULL;
    eti_table *table;
    ETI_TRY(new_grouper(&g, inspector, options, accounts, err));
    columns[COLUMN_KEY].name = g->grouping->name;
    eti_row_source source = {make_row, free_grouper, g};
    ETI_TRY(eti_columns_make_rows(&table, columns, N_COLUMNS, g->n_rows, source,
                                  eti_view_unit(inspector, options), err));
    table->most_drawn = eti_view_most_drawn(inspector);
    ETI_TRY(eti_report_add(report, name, NULL, table, err));
    return eti_view_note_uncounted(report, g->rollup.n_uncounted, err);
}

eti_status eti_view_groups(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) {
    const grouping *wanted = NULL;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &wanted, &depth, err));
    ETI_TRY(eti_view_add_groups(report, "groups", inspector, options, NULL, err));
    return wanted->of_record ? eti_view_note_record(report, inspector, wanted->of_record, err)
                             : ETI_OK;
}
