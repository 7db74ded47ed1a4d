#include "view_events/view_events.h"

#include "base/sort.h"
#include "view_events/events.h"

#include <stdlib.h>

/* A timed event, or the time of all events that are not listed, so that self times add up to the whole. */
typedef struct listed_event {
    const eti_timed_block *of;
    eti_place place;
    uint32_t number;      /* of the event in its block; ETI_NO_EVENT: the rest */
    bool has_share;       /* set if the block does more than loading, or if no block does */
    const uint64_t *self; /* self time in each run, in ticks */
    eti_time_sum time;    /* sum of its self times */
} listed_event;

/* Data that only hidden columns need, found when the first row is asked for them. */
typedef struct event_details {
    eti_arguments *arguments;                /* NULL: not needed yet */
    bool has_tensors;                        /* the shapes of all rows together are short enough */
    bool has_decided_metadata, has_metadata; /* likewise, the metadata */
} event_details;

/* Counters that have columns; the others are only in the metadata. */
enum { MOST_COUNTERS = 8, MOST_LABEL = 64 };

typedef struct event_list {
    const eti_inspector *inspector;
    eti_table_options options;
    eti_peaks peaks;
    event_details *details;
    eti_event_times times;
    eti_places places;
    listed_event *events;
    size_t n_events;
    eti_arena rest; /* self times of the rest of each block */
    eti_op_lists op_lists;
    bool has_lists; /* rows may repeat lists that events share */
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
    size_t n_columns;
    eti_text counters[MOST_COUNTERS]; /* labels of counters, which end with NUL */
    size_t n_counters, n_hidden_counters;
} event_list;

/* ---- order ----------------------------------------------------------------------------------- */

static const eti_event *event_of(const listed_event *listed) {
    return &listed->of->account->block->events[listed->number];
}

/* Returns the run whose order is shown: the first that counts. */
static size_t shown_run(const eti_account *account) {
    return account->n_runs > 0 ? account->runs[0] : 0;
}

/* Returns the start by which events are ordered. A delegate may have its own clock: its events follow the call that they
 * belong to, in the order in which they were logged. */
static uint64_t start_of(const listed_event *listed) {
    const eti_account *account = listed->of->account;
    size_t call = eti__account_call_of(account, listed->number);
    return eti_event_start_time(&account->block->events[call])[shown_run(account)];
}

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* Compares events by their start; an event that lasts longer comes before those inside it. */
static int compare_events(const void *a, const void *b, void *unused) {
    const listed_event *x = a, *y = b;
    const eti_event *of_x = event_of(x), *of_y = event_of(y);
    size_t run = shown_run(x->of->account);
    (void)unused;
    int order = compare_numbers(start_of(x), start_of(y));
    if (!order)
        order = (int)of_x->is_delegated_op - (int)of_y->is_delegated_op;
    if (!order && !of_x->is_delegated_op && eti_event_raw(of_x)[run] != eti_event_raw(of_y)[run])
        order = eti_event_raw(of_x)[run] > eti_event_raw(of_y)[run] ? -1 : 1;
    return order ? order : compare_numbers(x->number, y->number);
}

/* Returns the self times of the events of a block that are not listed: the runtime's OPERATOR_CALL around each operator. Sets
 * *is_any if they took time. NULL: out of memory. */
static uint64_t *sum_rest(event_list *list, const eti_account *account, eti_time_sum *time,
                          bool *is_any) {
    const eti_event_block *block = account->block;
    uint64_t *sums = eti__arena_alloc_zero(&list->rest, block->n_runs + 1, sizeof *sums);
    *time = (eti_time_sum){.methods = 0};
    *is_any = false;
    for (size_t i = 0; sums && i < block->n_events; i++) {
        if (!block->events[i].is_operator_call || !account->events[i].is_counted)
            continue;
        const eti_time_sum own = eti__account_sum(account, i);
        eti__time_sum_add(time, &own);
        for (size_t run = 0; run < block->n_runs; run++) {
            sums[run] += eti__account_self(account, i)[run];
            *is_any |= sums[run] > 0;
        }
    }
    return sums;
}

/* Adds the rest of a block as its last row. False: out of memory. */
static bool list_rest(event_list *list, const eti_timed_block *of, bool has_share) {
    eti_time_sum time;
    bool is_any;
    const uint64_t *self = sum_rest(list, of->account, &time, &is_any);
    if (self && is_any)
        list->events[list->n_events++] =
            (listed_event){of, {0}, ETI_NO_EVENT, has_share, self, time};
    return self != NULL;
}

/* Adds the events of a block. False: out of memory. */
static bool list_block(event_list *list, const eti_timed_block *of, bool leaves_out_loading) {
    const eti_event_block *block = of->account->block;
    listed_event *first = &list->events[list->n_events];
    size_t n = 0;
    bool has_share = !leaves_out_loading || eti__block_runs(block);
    eti_place *places = eti__places_of_block(&list->places, of->account);
    for (size_t i = 0; places && i < of->n_events; i++) {
        uint32_t number = of->events[i];
        if (!block->events[number].is_operator_call)
            first[n++] = (listed_event){of,
                                        places[number],
                                        number,
                                        has_share,
                                        eti__account_self(of->account, number),
                                        eti__account_sum(of->account, number)};
    }
    free(places);
    if (!places)
        return false;
    eti__sort(first, n, sizeof *first, compare_events, NULL);
    list->n_events += n;
    return list_rest(list, of, has_share);
}

/* Returns the number of bytes of the texts of a row. */
static uint64_t count_text(const event_list *list, const listed_event *listed) {
    const eti_account *account = listed->of->account;
    uint64_t n = account->block->label.size;
    if (listed->number != ETI_NO_EVENT)
        n += event_of(listed)->name.size + eti__op_type_of(account, listed->number).name.size;
    if (listed->place.module != ETI_PREFIX_ROOT)
        n += eti__places_module_name(&list->places, listed->place.module).size;
    return n;
}

/* Returns the record of an event, whose lists its row shows; the rest has none. */
static const eti_event_record *record_of(const listed_event *listed) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): list_block() sets all rows */
    return listed->number == ETI_NO_EVENT ? &eti__no_record : event_of(listed)->known;
}

/* Decides whether all rows may have lists; if not, operators are texts, whose size is added to `*n_bytes`. False: out of
 * memory. */
static bool decide_lists(event_list *list, uint64_t most, uint64_t *n_bytes) {
    uint64_t size = 0, texts = 0;
    for (size_t i = 0; i < list->n_events && size <= most; i++) {
        const eti_event_record *record = record_of(&list->events[i]);
        size_t n;
        if (!eti__op_lists_add(&list->op_lists, record))
            return false;
        const eti_text *op_types = eti__op_lists_of(&list->op_lists, record, &n);
        size += record->handles.n * ETI_LIST_ITEM_BYTES + eti__op_list_size(op_types, n, most);
    }
    list->has_lists = size <= most;
    for (size_t i = 0; i < list->n_events && !list->has_lists; i++) {
        const eti_event_record *record = record_of(&list->events[i]);
        texts += eti__op_list_text_size(record->op_types, record->n_op_types);
    }
    *n_bytes += texts;
    return true;
}

static eti_status list_events(event_list *list, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    size_t n = 0;
    uint64_t n_bytes = 0;
    bool leaves_out_loading = eti__blocks_leave_out_loading(inspector, options);
    if (!eti__places_init(&list->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__event_times_make(&list->times, inspector, options, err));
    for (size_t i = 0; i < list->times.n_blocks; i++)
        n += list->times.blocks[i].n_events + 1;
    list->events = malloc((n + 1) * sizeof *list->events);
    if (!list->events)
        return eti_fail_memory(err);
    for (size_t i = 0; i < list->times.n_blocks; i++) {
        size_t first = list->n_events;
        if (!list_block(list, &list->times.blocks[i], leaves_out_loading))
            return eti_fail_memory(err);
        for (size_t of_block = first; of_block < list->n_events; of_block++)
            n_bytes += count_text(list, &list->events[of_block]);
    }
    if (!decide_lists(list, eti__view_most_text(inspector), &n_bytes))
        return eti_fail_memory(err);
    return eti__view_check_text(inspector, n_bytes, err);
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct event_row {
    const event_list *list;
    const listed_event *of;
    const eti_account *account;
    const eti_event *event; /* NULL: the row is the rest */
    eti_row *out;
    eti_summary times; /* of the runs that count; valid if `is_summarized` */
    bool is_summarized;
} event_row;

/* False: out of memory. */
static bool summarize(event_row *row) {
    size_t n = row->account->n_runs;
    if (row->is_summarized || n == 0 ||
        (row->event && !eti__account_has_times(row->account, row->of->number)))
        return true;
    double *times = eti__arena_alloc(&row->out->texts, 2 * n, sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t run = row->account->runs[i];
        times[i] = row->event ? eti__account_elapsed(row->account, row->of->number, run)
                              : eti__account_time(row->account, row->of->self[run]);
    }
    row->times = eti__summarize(times, n, times + n);
    row->is_summarized = true;
    return true;
}

#define DEFINE_STATISTIC(name)                                                                     \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        event_row *row = context;                                                                  \
        bool done = summarize(row);                                                                \
        if (row->is_summarized)                                                                    \
            *cell = eti__double_cell(row->times.name);                                             \
        return done;                                                                               \
    }
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(p10)
DEFINE_STATISTIC(p90)
#undef DEFINE_STATISTIC

static eti_time_sum whole_of(const event_row *row) {
    return eti__account_sum_all(row->account);
}

static bool has_share(const event_row *row) {
    bool is_counted = !row->event || row->account->events[row->of->number].is_counted;
    return row->of->has_share && is_counted && eti__wide_as_double(whole_of(row).total) > 0;
}

/* Returns the mean over the runs that count, as in the table of events. */
static double own_time(const event_row *row) {
    double total = eti__wide_as_double(row->of->time.total) / row->account->factor;
    return total / (double)row->account->n_runs;
}

static eti_text module_of(const event_row *row) {
    return eti__places_module_name(&row->list->places, row->of->place.module);
}

static bool set_source(void *context, eti_cell *cell) {
    const event_row *row = context;
    return eti__set_place_source(row->out, &row->list->places, &row->of->place, cell);
}

/* Sets all operators or, if lists are too long for the rows, the Inspector's text. */
static bool set_op_types(void *context, eti_cell *cell) {
    const event_row *row = context;
    static const eti_text none[1];
    const eti_event_record *record = record_of(row->of);
    size_t n;
    if (!row->list->has_lists) {
        eti__op_list_add_text(&row->out->scratch, record->op_types, record->n_op_types);
        return eti__row_take_cell(row->out, ETI_CELL_LIST, cell);
    }
    const eti_text *op_types = eti__op_lists_of(&row->list->op_lists, record, &n);
    eti__cell_put(cell, eti__list_cell(ETI_CELL_LIST, n > 0 ? op_types : none, n));
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(&row->out->scratch, i ? ", " : "");
        eti__buffer_add_text(&row->out->scratch, op_types[i]);
    }
    return eti__row_take_cell(row->out, ETI_CELL_LIST, cell);
}

ETI_CELL_SETTER(event_row, block, eti__text_cell(row->account->block->label))
ETI_CELL_SETTER(event_row, event,
                row->event ? eti__text_or_none(eti__event_label(row->event))
                           : eti__string_cell(ETI_GROUP_AROUND_OPERATORS))
static bool set_share(void *context, eti_cell *cell) {
    const event_row *row = context;
    const eti_time_sum whole = whole_of(row);
    if (has_share(row))
        *cell = eti__double_cell(eti__time_sum_share(&row->of->time, &whole));
    return true;
}

static bool set_share_mean(void *context, eti_cell *cell) {
    const event_row *row = context;
    const eti_time_sum whole = whole_of(row);
    if (has_share(row))
        *cell = eti__double_cell(eti__time_sum_share_mean(&row->of->time, &whole));
    return true;
}

static bool set_unsteady(void *context, eti_cell *cell) {
    const event_row *row = context;
    const eti_time_sum whole = whole_of(row);
    if (has_share(row))
        *cell = eti__bool_cell(eti__time_sum_is_unsteady(&row->of->time, &whole));
    return true;
}

/* Returns the typical self time. */
static double typical_time(const event_row *row) {
    double weight = eti__wide_as_double(row->of->time.weight) / row->account->factor;
    return weight / 2 / (double)row->account->n_runs;
}

/* Returns the mean of the numbers that the event recorded, in its own unit. */
static double mean_value(const event_row *row) {
    double sum = 0;
    for (size_t i = 0; i < row->account->n_runs; i++)
        sum += (double)eti__account_value(row->account, row->of->number, row->account->runs[i]);
    return sum / (double)row->account->n_runs;
}

ETI_CELL_SETTER_IF(event_row, typical, row->account->n_runs > 0 && has_share(row),
                   eti__double_cell(typical_time(row)))
ETI_CELL_SETTER_IF(event_row, module, row->of->place.module != ETI_PREFIX_ROOT,
                   eti__text_or_none(module_of(row)))
ETI_CELL_SETTER_IF(event_row, self, row->account->n_runs > 0, eti__double_cell(own_time(row)))
ETI_CELL_SETTER(event_row, runs, eti__count_cell(row->account->n_runs))

/* Define set functions of cells that are empty for the rest, which is not an event. */
#define EVENT_SETTER(name, value) ETI_CELL_SETTER_IF(event_row, name, row->event, value)
EVENT_SETTER(op, eti__text_or_none(eti__op_type_of(row->account, row->of->number).name))
EVENT_SETTER(backend, eti__text_or_none(eti__account_backend(row->account, row->of->number)))
EVENT_SETTER(delegated, eti__bool_cell(row->event->is_delegated_op))
EVENT_SETTER(number, eti__count_cell(row->of->number))
EVENT_SETTER(calls, eti__count_cell(row->account->events[row->of->number].n_calls))
ETI_CELL_SETTER_IF(event_row, instruction,
                   row->event != NULL && eti__event_names_instruction(row->event),
                   eti__int_cell(row->event->instruction_id))
EVENT_SETTER(attribution, eti__text_or_none(eti__attribution_name(row->event->known->attribution)))
ETI_CELL_SETTER_IF(event_row, handles,
                   row->event && row->event->known->handles.kind != ETI_HANDLES_NONE,
                   eti__list_cell(ETI_CELL_INTS, row->event->known->handles.handles,
                                  row->event->known->handles.n))
EVENT_SETTER(role,
             eti__text_or_none(eti__role_name(eti__account_role(row->account, row->of->number))))
EVENT_SETTER(logged_name, eti__text_or_none(row->event->name))
ETI_CELL_SETTER_IF(event_row, supported_units,
                   row->event && row->event->logged && row->event->logged->n_supported_units > 0,
                   eti__list_cell(ETI_CELL_TEXTS, row->event->logged->supported_units,
                                  row->event->logged->n_supported_units))
static eti_text kernel_of(const event_row *row) {
    eti_op_type op = eti__op_type_of(row->account, row->of->number);
    return eti__kernel_name(row->account, row->of->number, &op);
}
ETI_CELL_SETTER_IF(event_row, kernel, row->event &&kernel_of(row).size > 0,
                   eti__text_cell(kernel_of(row)))
EVENT_SETTER(compute_unit,
             eti__text_or_none(eti__event_compute_unit(row->account, row->of->number)))
ETI_CELL_SETTER_IF(event_row, node, row->event && row->event->logged,
                   eti__text_or_none(row->event->logged->node))
ETI_CELL_SETTER_IF(event_row, parent,
                   row->event && row->account->events[row->of->number].parent != ETI_NO_EVENT &&
                       eti__account_has_times(row->account, row->of->number),
                   eti__count_cell(row->account->events[row->of->number].parent))
ETI_CELL_SETTER_IF(event_row, unit, row->event && row->event->is_timed,
                   eti__text_or_none(eti__event_unit(row->account->options, row->event)))
ETI_CELL_SETTER_IF(event_row, value, row->event && row->event->is_timed && row->account->n_runs > 0,
                   eti__double_cell(mean_value(row)))
#undef EVENT_SETTER

/* ---- tensors --------------------------------------------------------------------------------- */

/* Returns the approximate number of bytes of the shapes and types of an event. */
static uint64_t tensors_text(const eti_event_tensors *tensors) {
    uint64_t size = 0;
    for (size_t i = 0; i < tensors->n; i++)
        size += 2 * (uint64_t)ETI_LIST_ITEM_BYTES + tensors->dtypes[i].size +
                (tensors->shapes ? tensors->shapes[i].n * (uint64_t)ETI_LIST_ITEM_BYTES : 0);
    return size;
}

/* Finds the tensors of all events, which may share long lists. False: out of memory. */
static bool find_tensors(const event_list *list) {
    event_details *details = list->details;
    uint64_t size = 0, most = eti__view_most_text(list->inspector);
    eti_event_tensors tensors;
    details->arguments = eti__arguments_new(list->inspector);
    if (!details->arguments)
        return false;
    for (size_t i = 0; i < list->n_events && size <= most; i++) {
        const listed_event *of = &list->events[i];
        if (of->number == ETI_NO_EVENT)
            continue;
        if (!eti__arguments_find(details->arguments, of->of->account, of->number, &tensors))
            return false;
        size += tensors_text(&tensors);
    }
    details->has_tensors = size <= most;
    return true;
}

/* Sets the tensors of a row, none if they are unknown or all rows would be too long. False: out of memory. */
static bool tensors_of(const event_row *row, eti_event_tensors *out) {
    const event_details *details = row->list->details;
    *out = (eti_event_tensors){.flop = ETI_UNKNOWN_WORK, .traffic = ETI_UNKNOWN_WORK};
    if (!row->event)
        return true;
    if (!details->arguments && !find_tensors(row->list))
        return false;
    return !details->has_tensors ||
           eti__arguments_find(details->arguments, row->account, row->of->number, out);
}

#define DEFINE_OF_TENSORS(name, condition, value)                                                  \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const event_row *row = context;                                                            \
        eti_event_tensors tensors;                                                                 \
        bool done = tensors_of(row, &tensors);                                                     \
        if (condition)                                                                             \
            eti__cell_put(cell, value);                                                            \
        return done;                                                                               \
    }
DEFINE_OF_TENSORS(shapes, tensors.n > 0 && tensors.shapes,
                  eti__list_cell(ETI_CELL_INT_LISTS, tensors.shapes, tensors.n))
DEFINE_OF_TENSORS(dtypes, tensors.n > 0, eti__list_cell(ETI_CELL_TEXTS, tensors.dtypes, tensors.n))

/* Returns how near the calls of an event come to the peaks. */
static eti_bound bound_of(const event_row *row, const eti_event_tensors *tensors) {
    eti_time_scale scale = row->account->options->target_time_scale;
    double n = row->event ? (double)row->account->events[row->of->number].n_calls : 0;
    double time = eti__wide_as_double(row->of->time.total) / row->account->factor;
    return eti__bound_of(
        &row->list->peaks,
        tensors->flop != ETI_UNKNOWN_WORK ? n * (double)tensors->flop : (double)NAN,
        tensors->traffic != ETI_UNKNOWN_WORK ? n * (double)tensors->traffic : (double)NAN,
        scale == ETI_SCALE_CYCLES ? (double)NAN : eti__time_convert(time, scale, ETI_SCALE_S));
}
DEFINE_OF_TENSORS(of_peak, true, eti__finite_or_none(bound_of(row, &tensors).of_peak))
DEFINE_OF_TENSORS(bound_by, isfinite(bound_of(row, &tensors).of_peak),
                  eti__string_cell(bound_of(row, &tensors).by_memory ? "memory" : "compute"))
#undef DEFINE_OF_TENSORS

/* ---- metadata -------------------------------------------------------------------------------- */

/* Decides whether all rows may have their metadata, which events may share. */
static bool shows_metadata(const event_list *list) {
    event_details *details = list->details;
    uint64_t size = 0, most = eti__view_most_text(list->inspector);
    for (size_t i = 0; i < list->n_events && !details->has_decided_metadata && size <= most; i++) {
        if (list->events[i].number != ETI_NO_EVENT)
            size += 2 * eti__event_metadata(event_of(&list->events[i])).size;
    }
    if (!details->has_decided_metadata)
        details->has_metadata = size <= most;
    details->has_decided_metadata = true;
    return details->has_metadata;
}

static bool is_plain_text(eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if ((unsigned char)text.data[i] < ' ' || text.data[i] == 0x7f)
            return false;
    }
    return eti__text_valid_utf8(text) == text.size;
}

/* Adds bytes in the form that the user chose, or else as text if they are UTF-8 without control characters, or in hexadecimal
 * digits. */
static void add_metadata(eti_buffer *out, eti_text metadata, const eti_table_options *options) {
    if (options->include_delegate_debug_data) {
        eti__metadata_add(out, metadata, options->delegate_metadata);
    } else if (is_plain_text(metadata)) {
        eti__buffer_add_text(out, metadata);
    } else {
        for (size_t i = 0; i < metadata.size; i++)
            eti__buffer_printf(out, "%02x", (unsigned char)metadata.data[i]);
    }
}

static bool set_metadata(void *context, eti_cell *cell) {
    const event_row *row = context;
    eti_text metadata = row->event ? eti__event_metadata(row->event) : (eti_text){NULL, 0};
    if (metadata.size == 0 || !shows_metadata(row->list))
        return true;
    add_metadata(&row->out->scratch, metadata, &row->list->options);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

/* ---- columns --------------------------------------------------------------------------------- */

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the event, as given by the runtime or the delegate",
     set_event},
    {"p50", ETI_TIMES, false, "median of its runs, including the events inside it", set_p50},
    {"share", ETI_SHARES, false,
     "typical self time (without the events inside it) as a share of its block", set_share},
    {"unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, set_unsteady},
    {"of_peak", ETI_SHARES, false, ETI_OF_PEAK_HELP, set_of_peak},
    {"bound_by", ETI_TEXTS, false, ETI_BOUND_BY_HELP, set_bound_by},
    {"module", ETI_TEXTS, false, "innermost module common to all its operators", set_module},
    {"op_type", ETI_TEXTS, false, "the operator", set_op},
    {"min", ETI_TIMES, false, "fastest run", set_min},
    {"max", ETI_TIMES, false, "slowest run", set_max},
    {"avg", ETI_TIMES, true, "mean of its runs", set_avg},
    {"p10", ETI_TIMES, true, "10th percentile of its runs", set_p10},
    {"p90", ETI_TIMES, true, "90th percentile of its runs", set_p90},
    {"self_time", ETI_TIMES, true, "mean of its self time, without the events inside it", set_self},
    {"typical", ETI_TIMES, true, "median of its self time", set_typical},
    {"share_mean", ETI_SHARES, true, "mean self time as a share of its block", set_share_mean},
    {"delegate_backend_name", ETI_TEXTS, true, "backend that ran it", set_backend},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "true if a delegate logged the event",
     set_delegated},
    {"source", ETI_TEXTS, true, "file:line of the model common to all its operators", set_source},
    {"attribution", ETI_TEXTS, true,
     "how the operator of a delegate's event is known: recorded, exact, aligned (in text: matched "
     "by "
     "order), inferred or call",
     set_attribution},
    {"op_types", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "all operators that it computes; each once if they are more than 32", set_op_types},
    {"debug_handles", ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST, true,
     "debug handles of its operators in the edge program", set_handles},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "instruction of the program",
     set_instruction},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the event in its block",
     set_number},
    {"role", ETI_TEXTS, true,
     "kernel, delegate_call, instruction, execute or load; inside a delegate call: node, device, "
     "transfer, wrapper, profiling or counter",
     set_role},
    {"kernel", ETI_TEXTS, true, "kernel that ran it", set_kernel},
    {"shapes", ETI_TYPE_LIST_LIST_INT64, ETI_COLUMN_LIST, true,
     "sizes of each tensor that its operator takes and returns, in the order of the arguments",
     set_shapes},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "data types of these tensors",
     set_dtypes},
    {"compute_unit", ETI_TEXTS, true, "part of the hardware that ran it, such as CPU, GPU or NPU",
     set_compute_unit},
    {"supported_units", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "parts of the hardware that could have run it", set_supported_units},
    {"node", ETI_TEXTS, true, "name or number of its node, if the delegate logs it", set_node},
    {"unit", ETI_TEXTS, true, "unit of `value`", set_unit},
    {"value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "mean of the numbers that it recorded, end - start", set_value},
    {"parent", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of the event around it; none without a time", set_parent},
    {"logged_name", ETI_TEXTS, true, "name in the file", set_logged_name},
    {"metadata", ETI_TEXTS, true,
     "metadata that the delegate logged, as UTF-8 or else in hexadecimal digits", set_metadata},
    {"run_count", ETI_COUNTS, true, "number of runs of its block, after the warm-up", set_runs},
    {"calls", ETI_COUNTS, true, "calls of the event in these runs", set_calls},
};

/* ---- counters -------------------------------------------------------------------------------- */

/* Sets the mean of a counter over the runs that count and have it. */
static void set_counter(const event_row *row, size_t which, eti_cell *cell) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; row->event && i < row->account->n_runs; i++) {
        size_t run = row->account->runs[i];
        eti_counted counted;
        eti_counter counter;
        if (!eti__counted_begin(&counted, eti_event_delegate_debug_metadata(row->event, run)))
            continue;
        while (eti__counted_next(&counted, &counter)) {
            if (eti__text_equal(counter.label, row->list->counters[which])) {
                sum += (double)counter.value;
                n++;
                break;
            }
        }
    }
    if (n > 0)
        *cell = eti__double_cell(sum / (double)n);
}

#define DEFINE_COUNTER(i)                                                                          \
    static bool set_counter_##i(void *context, eti_cell *cell) {                                   \
        set_counter(context, i, cell);                                                             \
        return true;                                                                               \
    }
DEFINE_COUNTER(0)
DEFINE_COUNTER(1)
DEFINE_COUNTER(2)
DEFINE_COUNTER(3)
DEFINE_COUNTER(4)
DEFINE_COUNTER(5)
DEFINE_COUNTER(6)
DEFINE_COUNTER(7)
#undef DEFINE_COUNTER

static bool (*const counter_setters[MOST_COUNTERS])(void *, eti_cell *) = {
    set_counter_0, set_counter_1, set_counter_2, set_counter_3,
    set_counter_4, set_counter_5, set_counter_6, set_counter_7};

/* Returns whether a column, or a counter that was found before, has this name. */
static bool is_taken(const event_list *list, eti_text label) {
    for (size_t i = 0; i < ETI_N_COLUMNS(columns); i++) {
        if (eti__text_is(label, columns[i].name))
            return true;
    }
    for (size_t i = 0; i < list->n_counters; i++) {
        if (eti__text_equal(label, list->counters[i]))
            return true;
    }
    return false;
}

/* Gives a counter a column unless one has its name. Returns false if memory runs out. */
static bool add_counter(event_list *list, eti_text label) {
    if (is_taken(list, label))
        return true;
    if (list->n_counters == MOST_COUNTERS || label.size > MOST_LABEL || !is_plain_text(label)) {
        list->n_hidden_counters++;
        return true;
    }
    char *copy = eti__arena_string_of(&list->rest, label);
    if (!copy)
        return false;
    list->counters[list->n_counters++] = (eti_text){copy, label.size};
    return true;
}

/* Finds the counters of the first run of each event that has any. */
static bool find_counters(event_list *list) {
    for (size_t i = 0; i < list->n_events; i++) {
        const listed_event *listed = &list->events[i];
        eti_counted counted;
        eti_counter counter;
        if (listed->number == ETI_NO_EVENT ||
            !eti__counted_begin(&counted, eti__event_metadata(event_of(listed))))
            continue;
        while (eti__counted_next(&counted, &counter)) {
            if (!add_counter(list, counter.label))
                return false;
        }
    }
    return true;
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const event_list *list = context;
    const listed_event *of = &list->events[number];
    event_row row = {
        .list = list,
        .of = of,
        .account = of->of->account,
        .event = of->number == ETI_NO_EVENT ? NULL : event_of(of),
        .out = out,
    };
    return eti__columns_set(list->columns, list->n_columns, &row, out);
}

/* Chooses the columns: all, but no lists if these are too long for the rows. Returns the number of columns before those of
 * counters. */
static size_t choose_columns(event_list *list) {
    for (size_t i = 0; i < ETI_N_COLUMNS(columns); i++) {
        eti_column_spec column = columns[i];
        bool is_of_peak = column.set == set_of_peak || column.set == set_bound_by;
        if (is_of_peak && !(list->peaks.flops > 0 || list->peaks.bandwidth > 0))
            continue;
        if (!list->has_lists && column.type == ETI_TYPE_LIST_INT64)
            continue;
        if (!list->has_lists && column.set == set_op_types)
            column.type = ETI_TYPE_UTF8;
        list->columns[list->n_columns++] = column;
    }
    size_t first_counter = list->n_columns;
    for (size_t i = 0; i < list->n_counters && list->n_columns < ETI_MOST_COLUMN_SPECS; i++)
        list->columns[list->n_columns++] = (eti_column_spec){list->counters[i].data,
                                                             ETI_TYPE_FLOAT64,
                                                             ETI_COLUMN_NUMBER,
                                                             false,
                                                             "mean of this counter of the event",
                                                             counter_setters[i]};
    return first_counter;
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_list(void *context) {
    event_list *list = context;
    eti__event_times_free(&list->times);
    eti__places_free(&list->places);
    eti__arena_free(&list->rest);
    eti__op_lists_free(&list->op_lists);
    eti__arguments_free(list->details ? list->details->arguments : NULL);
    free(list->details);
    free(list->events);
    free(list);
}

/* Counts the runs of blocks that run; loading has no warm-up. */
static eti_run_counts count_runs(const event_list *list) {
    eti_run_counts runs = {.n = 0};
    for (size_t i = 0; i < list->times.n_blocks; i++) {
        if (list->times.blocks[i].account->execute != ETI_NO_EVENT)
            eti__run_counts_add(&runs, list->times.blocks[i].account);
    }
    return runs;
}

eti_status eti__view_event_list(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    event_list *list = calloc(1, sizeof *list);
    if (!list)
        return eti_fail_memory(err);
    list->inspector = inspector;
    list->options = options->table;
    list->peaks = (eti_peaks){options->peak_flops, options->peak_bandwidth};
    list->details = calloc(1, sizeof *list->details);
    eti_status status =
        list->details ? list_events(list, inspector, options, err) : eti_fail_memory(err);
    if (status != ETI_OK) {
        free_list(list);
        return status;
    }
    const eti_run_counts runs = count_runs(list);
    eti_table *table;
    const eti_row_source source = {make_row, free_list, list};
    if (!find_counters(list)) {
        free_list(list);
        return eti_fail_memory(err);
    }
    size_t n_hidden = list->n_hidden_counters;
    size_t first_counter = choose_columns(list);
    ETI_TRY(eti__columns_make_rows(&table, list->columns, list->n_columns, list->n_events, source,
                                   eti__view_unit(inspector, options), err));
    for (size_t i = first_counter; i < table->n_columns; i++)
        table->columns[i].is_counter = true;
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "events", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    ETI_TRY(eti__report_note(report, err,
                             "p50: including the events inside an event; share: without them"));
    if (n_hidden > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "counters without a column, because of their number or name: they "
                                 "are in the column metadata"));
    ETI_TRY(eti__view_note_repeated(report, &list->times, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &runs, err));
    return eti__view_note_record(report, inspector, "operators and modules", err);
}
