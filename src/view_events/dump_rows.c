#include "view_events/view_events.h"

#include "view_events/events.h"

#include <stdlib.h>
#include <string.h>

/* ==== dump rows =============================================================================== */

/* ---- columns --------------------------------------------------------------------------------- */

/* The table of one ETDump. */
typedef struct dump_rows {
    const eti_rows_form *form;
    eti_kept owner;     /* of the form */
    eti_kept inspector; /* empty: the ETDump cannot be read */
    bool has_places;    /* whether operators, modules, lines and backends are known */
    eti_event_extras *extras;
    eti_arena arena; /* of the name */
    eti_dump_name name;
    eti_text error;
    const eti_event **events; /* that have rows */
    size_t *first;            /* row of each event */
    size_t n_events;
    eti_op_lists op_lists;
} dump_rows;

typedef struct dump_row {
    eti_event_row event; /* for the set functions of events */
    const dump_rows *dump;
    size_t run;
} dump_row;

struct eti_rows_column {
    bool (*set)(dump_row *row, size_t label, eti_cell *cell);
    size_t label;
};

/* Defines a set function whose cells are `value`, an expression of `row`, in rows of events if `condition` holds. */
#define EVENT_CELL_IF(name, condition, value)                                                      \
    static bool set_##name(dump_row *row, size_t label, eti_cell *cell) {                          \
        (void)label;                                                                               \
        if (row->event.event && (condition))                                                       \
            eti__cell_put(cell, value);                                                            \
        return true;                                                                               \
    }
#define EVENT_CELL(name, value) EVENT_CELL_IF(name, true, value)

static bool set_path(dump_row *row, size_t label, eti_cell *cell) {
    (void)label;
    eti__cell_put(cell, eti__text_or_none(row->dump->name.path));
    return true;
}

static bool set_label(dump_row *row, size_t label, eti_cell *cell) {
    eti__cell_put(cell, eti__text_or_none(row->dump->name.labels[label]));
    return true;
}

static bool set_error(dump_row *row, size_t label, eti_cell *cell) {
    (void)label;
    eti__cell_put(cell, eti__text_or_none(row->dump->error));
    return true;
}

EVENT_CELL(block, eti__text_or_none(row->event.event->block->label))
EVENT_CELL(index, eti__count_cell((size_t)(row->event.event - row->event.event->block->events)))
EVENT_CELL(name, eti__text_or_none(eti__event_label(row->event.event)))
EVENT_CELL(is_delegated, eti__bool_cell(row->event.event->is_delegated_op))
EVENT_CELL_IF(instruction, eti__event_names_instruction(row->event.event),
              eti__int_cell(row->event.event->instruction_id))
EVENT_CELL(run, eti__count_cell(row->run))
EVENT_CELL_IF(start, eti_event_start_time(row->event.event)[row->run] <= INT64_MAX,
              eti__count_cell(eti_event_start_time(row->event.event)[row->run]))
/* Events may share metadata: longer texts are left out. */
enum { MOST_COUNTERS_TEXT = 512 };

/* Sets the counters of a run as libetcapture writes them: "cycles=12; energy [uJ]=3". */
static bool set_counters(dump_row *row, size_t label, eti_cell *cell) {
    eti_counted counted;
    (void)label;
    if (row->event.event &&
        eti__counted_begin(&counted,
                           eti_event_delegate_debug_metadata(row->event.event, row->run)) &&
        counted.left.size > 0 && counted.left.size <= MOST_COUNTERS_TEXT)
        eti__cell_put(cell, eti__text_cell(counted.left));
    return true;
}
EVENT_CELL(unit, eti__text_or_none(eti__event_unit(&row->event.extras->inspector->options,
                                                   row->event.event)))
EVENT_CELL(value, eti__double_cell((double)eti__event_value(row->event.event, row->run)))

/* Returns the number by which samples of an event must be multiplied: they take every number for ticks of one clock. 0: its
 * numbers are no time, or of a clock with an unknown rate. */
static double find_ratio(const eti_event *event, const eti_options *options) {
    uint8_t unit = event->logged ? event->logged->unit : ETI_UNIT_TICKS;
    bool has_frequency = unit == ETI_UNIT_CYCLES && eti__event_hz(event, options) > 0;
    if (unit == ETI_UNIT_TICKS || has_frequency)
        return 1;
    if ((unit != ETI_UNIT_NS && unit != ETI_UNIT_US) ||
        options->target_time_scale == ETI_SCALE_CYCLES)
        return 0;
    eti_time_scale scale = unit == ETI_UNIT_NS ? ETI_SCALE_NS : ETI_SCALE_US;
    return eti__event_factor(event, options) /
           eti__time_scale_factor(scale, options->target_time_scale, 0);
}

static double ratio_of(const dump_row *row) {
    return find_ratio(row->event.event, &row->event.extras->inspector->options);
}

EVENT_CELL_IF(elapsed, ratio_of(row) > 0,
              eti__double_cell(eti_event_raw(row->event.event)[row->run] * ratio_of(row)))

static bool set_mean_value(dump_row *row, size_t label, eti_cell *cell) {
    const eti_event *event = row->event.event;
    double sum = 0;
    (void)label;
    for (size_t i = 0; event && i < event->block->n_runs; i++)
        sum += (double)eti__event_value(event, i);
    if (event)
        *cell = eti__double_cell(sum / (double)event->block->n_runs);
    return true;
}
EVENT_CELL(count, eti__count_cell(row->event.event->block->n_runs))

static bool set_op_types(dump_row *row, size_t label, eti_cell *cell) {
    static const eti_text none[1];
    size_t n;
    (void)label;
    if (!row->event.event || !row->dump->has_places)
        return true;
    const eti_text *op_types = eti__op_lists_of(&row->dump->op_lists, row->event.event->known, &n);
    eti__cell_put(cell, eti__list_cell(ETI_CELL_TEXTS, n > 0 ? op_types : none, n));
    return true;
}

static bool set_backend(dump_row *row, size_t label, eti_cell *cell) {
    eti_text backend;
    (void)label;
    if (!row->event.event || !row->dump->has_places)
        return true;
    bool found = eti__event_extras_backend(row->event.extras, row->event.event, &backend);
    if (found && backend.size > 0)
        eti__cell_put(cell, eti__text_cell(backend));
    return found;
}

/* Sets cells by a set function of events. */
#define EVENT_COLUMN(name, condition)                                                              \
    static bool set_##name(dump_row *row, size_t label, eti_cell *cell) {                          \
        (void)label;                                                                               \
        return !row->event.event || !(condition) || eti__set_event_##name(&row->event, cell);      \
    }
EVENT_COLUMN(module, row->dump->has_places)
EVENT_COLUMN(source, row->dump->has_places)

/* Sets cells of times by a set function of events. */
#define TIME_COLUMN(name)                                                                          \
    static bool set_##name(dump_row *row, size_t label, eti_cell *cell) {                          \
        (void)label;                                                                               \
        if (!row->event.event || !(ratio_of(row) > 0))                                             \
            return true;                                                                           \
        bool done = eti__set_event_##name(&row->event, cell);                                      \
        cell->as_double *= ratio_of(row);                                                          \
        return done;                                                                               \
    }
TIME_COLUMN(p10)
TIME_COLUMN(p50)
TIME_COLUMN(p90)
TIME_COLUMN(avg)
TIME_COLUMN(min)
TIME_COLUMN(max)

/* A column that all forms with this granularity have. */
typedef struct column_of_rows {
    const char *name;
    eti_column_type type;
    eti_column_kind kind;
    bool varies; /* see eti_column */
    const char *help;
    bool (*set)(dump_row *row, size_t label, eti_cell *cell);
} column_of_rows;

static const column_of_rows path_column = {"path", ETI_TEXTS, false, "path of the ETDump",
                                           set_path};

static const column_of_rows event_columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock of the event", set_block},
    {"event_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false, "number of the event in its block",
     set_index},
    {"event_name", ETI_TEXTS, false, "name of the event, as given by the runtime or the delegate",
     set_name},
    {"op_types", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "operators of the event; known only with the ETRecord or the program", set_op_types},
    {"module", ETI_TEXTS, false, "innermost module common to all its operators", set_module},
    {"source", ETI_TEXTS, false, "file:line of the model common to all its operators", set_source},
    {"backend", ETI_TEXTS, false, "backend that ran it", set_backend},
    {"is_delegated", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if a delegate logged the event",
     set_is_delegated},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false,
     "instruction in the chain of the program", set_instruction},
};

static const column_of_rows sample_columns[] = {
    {"run", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "number of the run in its block", set_run},
    {"start", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "start time, as recorded", set_start},
    {"elapsed", ETI_TIMES, true,
     "time of the event; if the run calls it several times, of the last", set_elapsed},
    {"unit", ETI_TEXTS, false, "unit of `value`", set_unit},
    {"value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "number that was recorded, end - start",
     set_value},
    {"counters", ETI_TEXTS, true, "counters of the event, such as cycles=1200; energy [uJ]=3",
     set_counters},
};

static const column_of_rows statistic_columns[] = {
    {"count", ETI_COUNTS, false, "number of runs with a time", set_count},
    {"p10", ETI_TIMES, false, "10th percentile over all runs", set_p10},
    {"p50", ETI_TIMES, false, "median over all runs", set_p50},
    {"p90", ETI_TIMES, false, "90th percentile over all runs", set_p90},
    {"avg", ETI_TIMES, false, "mean of all runs", set_avg},
    {"min", ETI_TIMES, false, "fastest run", set_min},
    {"max", ETI_TIMES, false, "slowest run", set_max},
    {"unit", ETI_TEXTS, false, "unit of `value`", set_unit},
    {"value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "mean of the numbers that were recorded, end - start", set_mean_value},
};

static const column_of_rows error_column = {"error", ETI_TEXTS, false,
                                            "reason why the ETDump could not be read", set_error};

/* ---- the form -------------------------------------------------------------------------------- */

static void add_columns(eti_rows_form *form, const column_of_rows *columns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        form->columns[form->n_columns] = (eti_column){
            .name = eti__text_of(columns[i].name),
            .type = columns[i].type,
            .kind = columns[i].kind,
            .varies = columns[i].varies,
            .help = columns[i].help,
        };
        form->cells[form->n_columns++] = (eti_rows_column){columns[i].set, 0};
    }
}

static void add_label(eti_rows_form *form, eti_text name, size_t number) {
    form->columns[form->n_columns] = (eti_column){.name = name,
                                                  .type = ETI_TYPE_UTF8,
                                                  .kind = ETI_COLUMN_TEXT,
                                                  .help = "label of the ETDump"};
    form->cells[form->n_columns++] = (eti_rows_column){set_label, number};
}

/* Returns whether each JSON object has this key in addition to the columns. */
static bool is_key_of_json(eti_text name) {
    return eti__text_is(name, "table") || eti__text_is(name, "provenance");
}

/* Checks the names of labels, whose columns follow the path. */
static eti_status check_labels(const eti_rows_form *form, eti_error *err) {
    for (size_t i = 0; i < form->n_columns; i++) {
        for (size_t k = 1; k <= form->n_labels; k++) {
            bool is_label = i > 0 && i <= form->n_labels;
            bool is_taken = is_label
                                ? is_key_of_json(form->columns[k].name)
                                : eti__text_equal(form->columns[i].name, form->columns[k].name);
            if (is_taken)
                return eti_fail(err, ETI_ERROR_USAGE,
                                "the label %.*s has the name of a column: rename it, or the folder "
                                "that it comes from",
                                ETI_TEXT_ARGS(form->columns[k].name));
        }
    }
    return ETI_OK;
}

eti_status eti__rows_form_make(eti_rows_form *out, eti_arena *arena, eti_granularity granularity,
                               const eti_text *labels, size_t n_labels, eti_error *err) {
    size_t n = 2 + n_labels + ETI_N_COLUMNS(event_columns) + ETI_N_COLUMNS(statistic_columns);
    *out = (eti_rows_form){.granularity = granularity, .n_labels = n_labels};
    out->columns = eti__arena_alloc_zero(arena, n, sizeof *out->columns);
    out->cells = eti__arena_alloc_zero(arena, n, sizeof *out->cells);
    if (!out->columns || !out->cells)
        return eti_fail_memory(err);
    add_columns(out, &path_column, 1);
    for (size_t i = 0; i < n_labels; i++)
        add_label(out, labels[i], i);
    add_columns(out, event_columns, ETI_N_COLUMNS(event_columns));
    if (granularity == ETI_PER_SAMPLE)
        add_columns(out, sample_columns, ETI_N_COLUMNS(sample_columns));
    else
        add_columns(out, statistic_columns, ETI_N_COLUMNS(statistic_columns));
    add_columns(out, &error_column, 1);
    return check_labels(out, err);
}

bool eti__rows_form_choose(eti_rows_form *form, eti_arena *arena, const size_t *columns, size_t n) {
    eti_column *chosen = eti__arena_alloc(arena, n, sizeof *chosen);
    eti_rows_column *cells = eti__arena_alloc(arena, n, sizeof *cells);
    if (!chosen || !cells)
        return false;
    for (size_t i = 0; i < n; i++) {
        chosen[i] = form->columns[columns[i]];
        cells[i] = form->cells[columns[i]];
    }
    form->columns = chosen;
    form->cells = cells;
    form->n_columns = n;
    return true;
}

eti_status eti__rows_form_table(eti_table **out, const eti_rows_form *form, eti_error *err) {
    return eti__table_new(out, form->columns, form->n_columns, err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool set_cells(const dump_rows *dump, dump_row *row, eti_row *out) {
    const eti_rows_form *form = dump->form;
    for (size_t i = 0; i < out->n_wanted && i < form->n_columns; i++) {
        if ((!out->wanted || out->wanted[i]) &&
            !form->cells[i].set(row, form->cells[i].label, &out->cells[i]))
            return false;
    }
    return true;
}

static size_t event_of(const dump_rows *dump, size_t number) {
    return dump->form->granularity == ETI_PER_DUMP
               ? number
               : eti__last_not_above(dump->first, dump->n_events, number);
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const dump_rows *dump = context;
    size_t at = event_of(dump, number);
    dump_row row = {
        .event = {.event = dump->events[at], .extras = dump->extras, .row = out},
        .dump = dump,
        .run = number - dump->first[at],
    };
    return set_cells(dump, &row, out);
}

/* Returns the number of remaining rows of the same event, which are alike. */
static size_t count_alike(const void *context, size_t number) {
    const dump_rows *dump = context;
    size_t at = event_of(dump, number);
    return dump->first[at] + dump->events[at]->block->n_runs - number;
}

/* Reads numbers of runs, start times or elapsed times. */
static bool read_alike(const void *context, size_t column, size_t row, size_t n, void *out) {
    const dump_rows *dump = context;
    size_t at = event_of(dump, row), run = row - dump->first[at];
    bool (*set)(dump_row *, size_t, eti_cell *) = dump->form->cells[column].set;
    if (set == set_value || set == set_counters)
        return false;
    if (set == set_elapsed) {
        if (find_ratio(dump->events[at], &dump->extras->inspector->options) != 1)
            return false;
        memcpy(out, eti_event_raw(dump->events[at]) + run, n * sizeof(double));
        return true;
    }
    if (set == set_run) {
        int32_t *runs = out;
        for (size_t i = 0; i < n; i++)
            runs[i] = (int32_t)(run + i);
        return run + n <= INT32_MAX;
    }
    const uint64_t *starts = eti_event_start_time(dump->events[at]) + run;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= starts[i];
    memcpy(out, starts, n * sizeof *starts);
    return set == set_start && all <= INT64_MAX;
}

static bool make_failed_row(const void *context, size_t number, eti_row *out) {
    const dump_rows *dump = context;
    dump_row row = {.dump = dump};
    (void)number;
    return set_cells(dump, &row, out);
}

static void free_rows(void *context) {
    dump_rows *dump = context;
    eti__event_extras_free(dump->extras);
    eti__kept_drop(&dump->inspector);
    free((void *)dump->events);
    free(dump->first);
    eti__op_lists_free(&dump->op_lists);
    eti__arena_free(&dump->arena);
    eti_kept owner = dump->owner;
    free(dump);
    eti__kept_drop(&owner);
}

static bool copy_name(dump_rows *dump, const eti_dump_name *name) {
    size_t n = dump->form->n_labels;
    eti_text *labels = eti__arena_alloc(&dump->arena, n + 1, sizeof *labels);
    dump->name.labels = labels;
    if (!labels || !eti__arena_own_text(&dump->arena, name->path, &dump->name.path))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!eti__arena_own_text(&dump->arena, name->labels[i], &labels[i]))
            return false;
    }
    return true;
}

/* Returns rows of no event; takes over `owner`. NULL: out of memory. */
static dump_rows *new_rows(const eti_rows_form *form, const eti_dump_name *name, eti_kept owner) {
    dump_rows *dump = calloc(1, sizeof *dump);
    if (!dump) {
        eti__kept_drop(&owner);
        return NULL;
    }
    dump->form = form;
    dump->owner = owner;
    if (copy_name(dump, name))
        return dump;
    free_rows(dump);
    return NULL;
}

/* ---- an ETDump ------------------------------------------------------------------------------- */

/* The columns with names from the inputs that are written. */
typedef struct shown_names {
    bool block, name, backend, op_types;
} shown_names;

static bool shows(const eti_rows_form *shown,
                  bool (*set)(dump_row *row, size_t label, eti_cell *cell)) {
    for (size_t i = 0; i < shown->n_columns; i++) {
        if (shown->cells[i].set == set)
            return true;
    }
    return false;
}

/* Returns the approximate number of bytes of the names in a row; stops counting at `most`. */
static uint64_t row_text(const dump_rows *dump, const shown_names *shown, const eti_event *event,
                         uint64_t most) {
    uint64_t size = shown->block ? event->block->label.size : 0;
    size_t n = 0;
    size += shown->name ? eti__event_label(event).size : 0;
    size += shown->backend ? event->known->backend_name.size : 0;
    const eti_text *op_types =
        shown->op_types ? eti__op_lists_of(&dump->op_lists, event->known, &n) : NULL;
    return size + eti__op_list_size(op_types, n, most);
}

static size_t rows_of(const dump_rows *dump, const eti_event *event) {
    return dump->form->granularity == ETI_PER_DUMP ? 1 : event->block->n_runs;
}

/* Returns the size of the text in all rows; stops counting at `most`. */
static uint64_t count_text(const dump_rows *dump, const shown_names *shown, uint64_t most) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < dump->n_events && n_bytes <= most; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): list_events() set them */
        const eti_event *event = dump->events[i];
        n_bytes += rows_of(dump, event) * row_text(dump, shown, event, most);
    }
    return n_bytes;
}

/* Lists the timed events of the chosen blocks. False: out of memory. */
static bool list_events(dump_rows *dump, const eti_blocks *blocks, const eti_view_options *options,
                        size_t *n_rows) {
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    dump->events = malloc((n + 1) * sizeof *dump->events);
    dump->first = calloc(n + 1, sizeof *dump->first);
    *n_rows = 0;
    for (size_t b = 0; dump->events && dump->first && b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        size_t n_listed = eti__block_is_chosen(options, block) ? block->n_events : 0;
        for (size_t i = 0; i < n_listed; i++) {
            const eti_event *event = &block->events[i];
            if (!event->is_timed)
                continue;
            dump->events[dump->n_events] = event;
            dump->first[dump->n_events++] = *n_rows;
            *n_rows += rows_of(dump, event);
        }
    }
    return dump->events && dump->first;
}

/* Makes the lists of operators, which events share. False: out of memory. */
static bool make_op_lists(dump_rows *dump) {
    bool done = true;
    for (size_t i = 0; i < dump->n_events && done; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): list_events() has set it */
        done = eti__op_lists_add(&dump->op_lists, dump->events[i]->known);
    return done;
}

static eti_status fill_rows(dump_rows *dump, const eti_inspector *inspector,
                            const eti_rows_form *shown, const eti_view_options *options,
                            size_t *n_rows, eti_error *err) {
    dump->inspector = eti__inspector_keep(inspector);
    dump->has_places = eti__uses_record(inspector) || eti__uses_program(inspector);
    dump->extras = eti__event_extras_new(inspector);
    if (!dump->extras || !list_events(dump, &inspector->blocks, options, n_rows))
        return eti_fail_memory(err);
    const shown_names names = {shows(shown, set_block), shows(shown, set_name),
                               shows(shown, set_backend),
                               dump->has_places && shows(shown, set_op_types)};
    uint64_t most = eti__view_most_streamed_text(inspector);
    if (names.op_types && !make_op_lists(dump))
        return eti_fail_memory(err);
    return eti__view_check_streamed_text(inspector, count_text(dump, &names, most), err);
}

eti_status eti__view_dump_rows(eti_table **out, const eti_inspector *inspector,
                               const eti_rows_form *form, const eti_rows_form *shown,
                               const eti_dump_name *name, const eti_view_options *options,
                               eti_kept owner, eti_error *err) {
    size_t n_rows;
    *out = NULL;
    dump_rows *dump = new_rows(form, name, owner);
    if (!dump)
        return eti_fail_memory(err);
    eti_status status = fill_rows(dump, inspector, shown, options, &n_rows, err);
    if (status != ETI_OK) {
        free_rows(dump);
        return status;
    }
    const eti_row_source source = {make_row, free_rows, dump};
    ETI_TRY(eti__table_new_made(out, form->columns, form->n_columns, n_rows, source, err));
    if (form->granularity == ETI_PER_SAMPLE) {
        (*out)->count_alike = count_alike;
        (*out)->read_alike = read_alike;
    }
    return ETI_OK;
}

eti_status eti__view_failed_dump(eti_table **out, const eti_rows_form *form,
                                 const eti_dump_name *name, const char *message, eti_kept owner,
                                 eti_error *err) {
    *out = NULL;
    dump_rows *dump = new_rows(form, name, owner);
    if (!dump)
        return eti_fail_memory(err);
    if (!eti__arena_own_text(&dump->arena, eti__text_of(message), &dump->error)) {
        free_rows(dump);
        return eti_fail_memory(err);
    }
    const eti_row_source source = {make_failed_row, free_rows, dump};
    return eti__table_new_made(out, form->columns, form->n_columns, 1, source, err);
}

/* ==== samples ================================================================================= */

/* Positions of the samples of each timed event among all samples. */
typedef struct sample_list {
    const eti_event **events;
    size_t *first;
    size_t n_events;
} sample_list;

typedef struct sample_row {
    const eti_event *event;
    size_t run;
} sample_row;

ETI_CELL_SETTER(sample_row, sample_block, eti__text_or_none(row->event->block->label))
ETI_CELL_SETTER(sample_row, input, eti__int_cell(row->event->block->bundled_input_index))
ETI_CELL_SETTER(sample_row, sample_run, eti__count_cell(row->run))
ETI_CELL_SETTER(sample_row, number,
                eti__count_cell((size_t)(row->event - row->event->block->events)))
ETI_CELL_SETTER(sample_row, event, eti__text_or_none(eti__event_label(row->event)))
ETI_CELL_SETTER(sample_row, sample_instruction,
                eti__int_cell(eti__event_names_instruction(row->event) ? row->event->instruction_id
                                                                       : -1))
ETI_CELL_SETTER(sample_row, sample_is_delegated, eti__bool_cell(row->event->is_delegated_op))
ETI_CELL_SETTER(sample_row, sample_backend, eti__text_or_none(row->event->known->backend_name))
ETI_CELL_SETTER(sample_row, sample_start,
                eti__count_cell(eti_event_start_time(row->event)[row->run]))
ETI_CELL_SETTER(sample_row, sample_elapsed, eti__double_cell(eti_event_raw(row->event)[row->run]))

static const eti_column_spec event_sample_columns[] = {
    {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "EventBlock", set_sample_block},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "bundled input; -1: none",
     set_input},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the run in its block",
     set_sample_run},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the event in its block",
     set_number},
    {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of the event", set_event},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "instruction; -1: none",
     set_sample_instruction},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "true if logged by a delegate",
     set_sample_is_delegated},
    {"delegate_backend_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "backend of the delegate",
     set_sample_backend},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, false, "time stamp, as recorded",
     set_sample_start},
    {"elapsed", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "time in the target time scale",
     set_sample_elapsed},
};

static bool make_sample_row(const void *context, size_t number, eti_row *out) {
    const sample_list *list = context;
    size_t at = eti__last_not_above(list->first, list->n_events, number);
    sample_row row = {list->events[at], number - list->first[at]};
    return eti__columns_set(event_sample_columns, ETI_N_COLUMNS(event_sample_columns), &row, out);
}

static void free_list(void *context) {
    sample_list *list = context;
    free((void *)list->events);
    free(list->first);
    free(list);
}

/* Lists the events that have samples, and sets `n_rows` to the number of samples. NULL: out of memory. */
static sample_list *list_samples(const eti_blocks *blocks, size_t *n_rows) {
    sample_list *list = calloc(1, sizeof *list);
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    if (!list)
        return NULL;
    list->events = calloc(n + 1, sizeof *list->events);
    list->first = calloc(n + 1, sizeof *list->first);
    if (!list->events || !list->first) {
        free_list(list);
        return NULL;
    }
    *n_rows = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (!block->events[i].is_timed)
                continue;
            list->events[list->n_events] = &block->events[i];
            list->first[list->n_events++] = *n_rows;
            *n_rows += block->n_runs;
        }
    }
    return list;
}

eti_status eti__view_samples(eti_table **out, const eti_inspector *inspector, eti_error *err) {
    size_t n_rows;
    sample_list *list = list_samples(&inspector->blocks, &n_rows);
    *out = NULL;
    if (!list)
        return eti_fail_memory(err);
    const eti_row_source source = {make_sample_row, free_list, list};
    ETI_TRY(eti__columns_make_rows(out, event_sample_columns, ETI_N_COLUMNS(event_sample_columns),
                                   n_rows, source, NULL, err));
    (*out)->kept = eti__inspector_keep(inspector);
    return ETI_OK;
}
