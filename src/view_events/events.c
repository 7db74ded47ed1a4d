#include "view_events/events.h"

#include "base/python.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ==== event extras ============================================================================ */

/* Own times of an event over the runs that count. */
typedef struct eti_own_time {
    double time; /* mean, in the target scale */
    double
        typical; /* in the target scale; NaN, like all that follow, if the event is not counted or the whole is 0 */
    double share, share_mean; /* shares of the whole */
    double cumulative;        /* sum of the shares of the event and all with more */
} eti_own_time;

eti_event_extras *eti__event_extras_new(const eti_inspector *inspector) {
    eti_event_extras *extras = calloc(1, sizeof *extras);
    if (!extras)
        return NULL;
    extras->inspector = inspector;
    pthread_mutex_init(&extras->finding_out, NULL);
    extras->blocks = calloc(inspector->blocks.n_blocks + 1, sizeof *extras->blocks);
    if (extras->blocks)
        return extras;
    eti__event_extras_free(extras);
    return NULL;
}

static void free_block(eti_block_extras *block) {
    free(block->cumulative);
    free(block->places);
}

void eti__event_extras_free(eti_event_extras *extras) {
    if (!extras)
        return;
    for (size_t i = 0; extras->blocks && i < extras->inspector->blocks.n_blocks; i++)
        free_block(&extras->blocks[i]);
    free(extras->blocks);
    if (extras->has_places)
        eti__places_free(&extras->places);
    pthread_mutex_destroy(&extras->finding_out);
    free(extras);
}

/* Computes the data of a block, or of all blocks; false: out of memory. */
typedef bool find_function(eti_event_extras *extras, const eti_event_block *block);

/* Computes the data at the first call; later calls, of any thread, use the result. */
static bool find_once(eti_event_extras *extras, atomic_bool *is_found, find_function *find,
                      const eti_event_block *block) {
    if (atomic_load(is_found))
        return true;
    pthread_mutex_lock(&extras->finding_out);
    bool found = atomic_load(is_found) || find(extras, block);
    atomic_store(is_found, found);
    pthread_mutex_unlock(&extras->finding_out);
    return found;
}

static eti_block_extras *extras_of(eti_event_extras *extras, const eti_event_block *block) {
    return &extras->blocks[block - extras->inspector->blocks.blocks];
}

/* ---- accounts -------------------------------------------------------------------------------- */

/* Returns the account of a block; NULL: out of memory. */
static const eti_account *account_of(const eti_event_extras *extras, const eti_event_block *block) {
    const eti_account *account;
    return eti__account_of(&account, extras->inspector, block, NULL) == ETI_OK ? account : NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Finds the median of the times of an event, including events inside it, in the runs that count. False: out of memory. */
static bool find_median(const eti_account *account, const eti_event *event, double *out) {
    double *times = malloc((account->n_runs + 1) * sizeof *times);
    *out = NAN;
    if (!times)
        return false;
    for (size_t i = 0; i < account->n_runs; i++)
        times[i] = eti_event_raw(event)[account->runs[i]];
    if (account->n_runs > 0)
        *out = eti__median(times, account->n_runs);
    free(times);
    return true;
}

static bool sum_executed(eti_event_extras *extras, const eti_event_block *block) {
    const eti_account *account = account_of(extras, block);
    double sum = NAN;
    for (size_t i = 0; account && i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        double median;
        if (!event->is_timed || !eti__text_is(event->name, "Method::execute"))
            continue;
        if (!find_median(account, event, &median))
            return false;
        sum = isnan(sum) ? median : sum + median;
    }
    extras_of(extras, block)->executed = sum;
    return account != NULL;
}

/* Finds the median time of an event, including events inside it, as a share of that of Method::execute of its block; NaN
 * without one. False: out of memory. */
static bool event_extras_share(eti_event_extras *extras, const eti_event *event, double *out) {
    eti_block_extras *block = extras_of(extras, event->block);
    const eti_account *account = account_of(extras, event->block);
    *out = NAN;
    if (!account || !find_once(extras, &block->has_executed, sum_executed, event->block))
        return false;
    if (!event->is_timed || !(block->executed > 0))
        return true;
    if (!find_median(account, event, out))
        return false;
    *out /= block->executed;
    return true;
}

/* ---- self times ------------------------------------------------------------------------------- */

typedef struct own_ticks {
    eti_time_sum time;
    size_t event;
} own_ticks;

/* Compares self times: the longest first; for equal times, the earlier event. */
static int compare_ticks(const void *a, const void *b) {
    const own_ticks *x = a, *y = b;
    int order = eti__time_sum_compare(&y->time, &x->time);
    return order ? order : (x->event > y->event) - (x->event < y->event);
}

/* Adds up the self times of a block. False: out of memory. */
static bool sum_up(eti_block_extras *block, const eti_account *account) {
    size_t n_events = account->block->n_events;
    own_ticks *sorted = malloc((n_events + 1) * sizeof *sorted);
    block->cumulative = calloc(n_events + 1, sizeof *block->cumulative);
    bool ok = sorted && block->cumulative;
    size_t n = 0;
    for (size_t i = 0; ok && i < n_events; i++) {
        if (account->events[i].is_counted && !account->block->events[i].is_operator_call)
            sorted[n++] = (own_ticks){eti__account_sum(account, i), i};
    }
    if (ok)
        qsort(sorted, n, sizeof *sorted, compare_ticks);
    eti_time_sum sum = {.methods = 0};
    for (size_t i = 0; ok && i < n; i++) {
        eti__time_sum_add(&sum, &sorted[i].time);
        block->cumulative[sorted[i].event] = sum;
    }
    free(sorted);
    if (!ok) {
        free(block->cumulative);
        block->cumulative = NULL;
    }
    return ok;
}

static bool count_own_times(eti_event_extras *extras, const eti_event_block *events) {
    const eti_account *account = account_of(extras, events);
    return account && sum_up(extras_of(extras, events), account);
}

/* Finds the self time of an event. False: out of memory. */
static bool event_extras_own_time(eti_event_extras *extras, const eti_event *event,
                                  eti_own_time *out) {
    *out = (eti_own_time){
        .time = NAN, .typical = NAN, .share = NAN, .share_mean = NAN, .cumulative = NAN};
    eti_block_extras *block = extras_of(extras, event->block);
    const eti_account *account = account_of(extras, event->block);
    if (!account || !find_once(extras, &block->has_own_times, count_own_times, event->block))
        return false;
    size_t number = (size_t)(event - event->block->events);
    if (!event->is_timed)
        return true;
    const eti_time_sum own = eti__account_sum(account, number);
    const eti_time_sum whole = eti__account_sum_all(account);
    double total = eti__wide_as_double(own.total) / account->factor;
    out->time = total / (double)account->n_runs;
    if (eti__wide_as_double(whole.total) == 0 || !account->events[number].is_counted)
        return true;
    out->typical = eti__wide_as_double(own.weight) / 2 / account->factor / (double)account->n_runs;
    out->share = eti__time_sum_share(&own, &whole);
    out->share_mean = eti__time_sum_share_mean(&own, &whole);
    out->cumulative = eti__time_sum_share(&block->cumulative[number], &whole);
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Finds the places of all events at once, with the mutex locked; after that, places are only
 * read. */
static bool find_places(eti_event_extras *extras, const eti_event_block *unused) {
    (void)unused;
    const eti_blocks *blocks = &extras->inspector->blocks;
    bool ok = eti__places_init(&extras->places);
    for (size_t b = 0; ok && b < blocks->n_blocks; b++) {
        eti_block_extras *block = &extras->blocks[b];
        const eti_account *account = account_of(extras, &blocks->blocks[b]);
        free(block->places);
        block->places = account ? eti__places_of_block(&extras->places, account) : NULL;
        ok = block->places != NULL;
    }
    if (!ok)
        eti__places_free(&extras->places);
    return ok;
}

/* Finds the place that the self time of an event belongs to. False: out of memory. */
static bool event_extras_place(eti_event_extras *extras, const eti_event *event, eti_place *out) {
    const eti_block_extras *block = extras_of(extras, event->block);
    if (!find_once(extras, &extras->has_places, find_places, event->block))
        return false;
    *out = block->places[event - event->block->events];
    return true;
}

/* ---- backends -------------------------------------------------------------------------------- */

bool eti__event_extras_backend(eti_event_extras *extras, const eti_event *event, eti_text *out) {
    const eti_account *account = account_of(extras, event->block);
    *out = (eti_text){NULL, 0};
    if (account)
        *out = eti__account_backend(account, (size_t)(event - event->block->events));
    return account != NULL;
}

/* ---- operators ------------------------------------------------------------------------------- */

/* Finds the operator of a timed event (rollup/rollup.h); absent for other events. False: out of
 * memory. */
static bool event_extras_op(eti_event_extras *extras, const eti_event *event, eti_text *out) {
    const eti_account *account = account_of(extras, event->block);
    *out = (eti_text){NULL, 0};
    if (account && event->is_timed)
        *out = eti__op_type_of(account, (size_t)(event - event->block->events)).name;
    return account != NULL;
}

/* ==== op lists ================================================================================ */

/* Longer lists have each operator once. The number does not depend on the inputs, so that the same event always has the
 * same list. */
#define MOST_REPEATED 32

/* From this many operators on, the text names only the first two and the last. */
#define MANY 5

/* ---- lists without repetition ---------------------------------------------------------------- */

static const eti_intern_kind distinct_kind = {.item_size = sizeof(eti_distinct_ops),
                                              .key_size = offsetof(eti_distinct_ops, op_types)};

static bool list_distinct(eti_op_lists *lists, eti_distinct_ops *list) {
    eti_shared_texts seen = {.texts.count = 0};
    uint32_t number;
    bool done = true;
    for (size_t i = 0; i < list->n_of && done; i++)
        done = eti__shared_texts_add(&seen, list->of[i], &number);
    list->op_types = done ? eti__shared_texts_copy(&seen, &lists->arena) : NULL;
    list->n = list->op_types ? seen.texts.count : 0;
    eti__shared_texts_free(&seen);
    return list->op_types != NULL;
}

bool eti__op_lists_add(eti_op_lists *lists, const eti_event_record *record) {
    const eti_distinct_ops list = {.of = record->op_types, .n_of = record->n_op_types};
    size_t n_known = lists->distinct.count;
    uint32_t number;
    if (list.n_of <= MOST_REPEATED)
        return true;
    return eti__intern_add(&lists->distinct.table, &distinct_kind, &list, &number) &&
           (number < n_known || list_distinct(lists, &lists->distinct.items[number]));
}

const eti_text *eti__op_lists_of(const eti_op_lists *lists, const eti_event_record *record,
                                 size_t *n) {
    const eti_distinct_ops wanted = {.of = record->op_types, .n_of = record->n_op_types};
    uint32_t number;
    *n = record->n_op_types;
    if (!eti__intern_find(&lists->distinct.table, &distinct_kind, &wanted, &number))
        return record->op_types;
    *n = lists->distinct.items[number].n;
    return lists->distinct.items[number].op_types;
}

void eti__op_lists_free(eti_op_lists *lists) {
    eti__intern_free(&lists->distinct.table);
    eti__arena_free(&lists->arena);
}

uint64_t eti__op_list_size(const eti_text *op_types, size_t n, uint64_t most) {
    uint64_t size = 0;
    for (size_t i = 0; i < n && size <= most; i++)
        size += op_types[i].size + ETI_LIST_ITEM_BYTES;
    return size;
}

/* ---- the Inspector's text -------------------------------------------------------------------- */

static void add_quoted_raw(eti_buffer *out, const char *before, eti_text name) {
    eti__buffer_add_string(out, before);
    eti__buffer_add_char(out, '\'');
    eti__buffer_add_text(out, name);
    eti__buffer_add_char(out, '\'');
}

void eti__op_list_add_text(eti_buffer *out, const eti_text *op_types, size_t n) {
    eti__buffer_add_char(out, '[');
    if (n < MANY) {
        for (size_t i = 0; i < n; i++) {
            eti__buffer_add_string(out, i ? ", " : "");
            eti__python_add_str(out, op_types[i]);
        }
        eti__buffer_add_char(out, ']');
    } else {
        add_quoted_raw(out, "", op_types[0]);
        add_quoted_raw(out, ", ", op_types[1]);
        add_quoted_raw(out, " ... ", op_types[n - 1]);
        eti__buffer_printf(out, "] (%zu total)", n);
    }
}

uint64_t eti__op_list_text_size(const eti_text *op_types, size_t n) {
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        if (n >= MANY && i == 2)
            i = n - 1;
        size += op_types[i].size;
    }
    return size;
}

/* ==== event columns =========================================================================== */

#define MAX_PLACE_TEXT 1024 /* bytes */

/* ---- the Inspector's columns ----------------------------------------------------------------- */

/* Sets the block name without NULs at its end, which numpy loses in its fixed-width fields. */
static bool set_block_name(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_text name = row->event->block->name;
    while (name.size > 0 && name.data[name.size - 1] == '\0')
        name.size--;
    eti__cell_put(cell, eti__text_or_none(name));
    return true;
}

ETI_CELL_SETTER(eti_event_row, name, eti__text_or_none(row->event->name))

static const eti_summary *summary_of(eti_event_row *row) {
    if (!row->is_summarized)
        row->is_summarized = eti_event_summary(row->event, &row->summary);
    return &row->summary;
}

#define DEFINE_STATISTIC(field)                                                                    \
    bool eti__set_event_##field(void *context, eti_cell *cell) {                                   \
        eti_event_row *row = context;                                                              \
        if (row->event->is_timed)                                                                  \
            eti__cell_put(cell, eti__double_cell(summary_of(row)->field));                         \
        return true;                                                                               \
    }
DEFINE_STATISTIC(p10)
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(p90)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)
#undef DEFINE_STATISTIC

/* Sets the operators: the text is that of the Inspector; formats for programs use the list. */
static bool set_op_types(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    static const eti_text none[1];
    const eti_text *op_types = row->event->record->op_types;
    size_t n = row->event->record->n_op_types;
    if (row->has_lists)
        eti__cell_put(cell, eti__list_cell(ETI_CELL_LIST, n > 0 ? op_types : none, n));
    if (n == 0) {
        cell->kind = ETI_CELL_LIST;
        cell->as_text = (eti_text){"[]", 2};
        return true;
    }
    eti__op_list_add_text(&row->row->scratch, op_types, n);
    return eti__row_take_cell(row->row, ETI_CELL_LIST, cell);
}

ETI_CELL_SETTER(eti_event_row, is_delegated, eti__bool_cell(row->event->is_delegated_op))

ETI_CELL_SETTER(eti_event_row, backend, eti__text_or_none(row->event->record->backend_name))

ETI_CELL_SETTER_IF(eti_event_row, start_time, row->event->is_timed,
                   eti__list_cell(ETI_CELL_UINTS, eti_event_start_time(row->event),
                                  row->event->block->n_runs))

static bool set_metadata(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event *event = row->event;
    cell->kind = ETI_CELL_NAN;
    if (!event->has_metadata)
        return true;
    eti_buffer *out = &row->row->scratch;
    eti_metadata_form form = event->is_delegated_op ? row->metadata_form : ETI_METADATA_BYTES;
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; event->is_timed && i < event->block->n_runs; i++) {
        eti__buffer_add_string(out, i ? ", " : "");
        eti__metadata_add(out, eti_event_delegate_debug_metadata(event, i), form);
    }
    eti__buffer_add_char(out, ']');
    return eti__row_take_cell(row->row, ETI_CELL_LIST, cell);
}

/* ---- more statistics ------------------------------------------------------------------------- */

ETI_CELL_SETTER_IF(eti_event_row, raw, row->event->is_timed,
                   eti__list_cell(ETI_CELL_DOUBLES, eti_event_raw(row->event),
                                  row->event->block->n_runs))

ETI_CELL_SETTER(eti_event_row, count,
                eti__count_cell(row->event->is_timed ? row->event->block->n_runs : 0))

static double total_of(const eti_event *event) {
    return event->is_timed ? eti__sum(eti_event_raw(event), event->block->n_runs) : NAN;
}

ETI_CELL_SETTER(eti_event_row, total, eti__number_or_none(total_of(row->event)))

/* Allocates room for a value per sample; NULL: out of memory. */
static double *make_scratch(const eti_event_row *row) {
    return eti__arena_alloc(&row->row->texts, row->event->block->n_runs, sizeof(double));
}

/* Computes the deviation; NaN for a single sample. */
static bool find_deviation(eti_event_row *row, double *out) {
    *out = NAN;
    size_t n = row->event->block->n_runs;
    if (!row->event->is_timed || n < 2)
        return true;
    double *scratch = make_scratch(row);
    if (scratch)
        *out = eti__standard_deviation(eti_event_raw(row->event), n, scratch);
    return scratch != NULL;
}

static bool set_stddev(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double deviation;
    bool found = find_deviation(row, &deviation);
    eti__cell_put(cell, eti__number_or_none(deviation));
    return found;
}

static bool set_cv(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double deviation;
    bool found = find_deviation(row, &deviation);
    if (!isnan(deviation)) /* no value if both are 0 */
        eti__cell_put(cell, eti__number_or_none(deviation / eti__mean(eti_event_raw(row->event),
                                                                      row->event->block->n_runs)));
    return found;
}

static bool set_percentile(eti_event_row *row, double quantile, eti_cell *cell) {
    if (!row->event->is_timed)
        return true;
    size_t n = row->event->block->n_runs;
    if (!row->sorted) {
        row->sorted = make_scratch(row);
        if (!row->sorted)
            return false;
        memcpy(row->sorted, eti_event_raw(row->event), n * sizeof *row->sorted);
        eti__sort_doubles(row->sorted, n);
    }
    eti__cell_put(cell, eti__number_or_none(eti__percentile(row->sorted, n, quantile)));
    return true;
}

static bool set_p95(void *context, eti_cell *cell) {
    return set_percentile(context, 0.95, cell);
}

static bool set_p99(void *context, eti_cell *cell) {
    return set_percentile(context, 0.99, cell);
}

static bool set_share(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double share;
    bool found = event_extras_share(row->extras, row->event, &share);
    eti__cell_put(cell, eti__number_or_none(share));
    return found;
}

#define DEFINE_OWN_TIME(name, value)                                                               \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        eti_event_row *row = context;                                                              \
        eti_own_time own;                                                                          \
        bool found = event_extras_own_time(row->extras, row->event, &own);                         \
        eti__cell_put(cell, (value));                                                              \
        return found;                                                                              \
    }
DEFINE_OWN_TIME(self_time, eti__number_or_none(own.time))
DEFINE_OWN_TIME(typical, eti__number_or_none(own.typical))
DEFINE_OWN_TIME(self_share, eti__number_or_none(own.share))
DEFINE_OWN_TIME(share_mean, eti__number_or_none(own.share_mean))
DEFINE_OWN_TIME(cumulative_share, eti__number_or_none(own.cumulative))
#undef DEFINE_OWN_TIME

/* ---- what an event is ------------------------------------------------------------------------ */

ETI_CELL_SETTER(eti_event_row, all_op_types,
                eti__list_cell(ETI_CELL_TEXTS, row->event->record->op_types,
                               row->event->record->n_op_types))

static bool set_op_type(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_text op;
    bool found = event_extras_op(row->extras, row->event, &op);
    eti__cell_put(cell, eti__text_or_none(op));
    return found;
}

ETI_CELL_SETTER_IF(eti_event_row, instruction, row->event->instruction_id != -1,
                   eti__int_cell(row->event->instruction_id))

/* Sets the chain index of the first run's event. */
static bool set_chain(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event_block *block = row->event->block;
    const eti_block_run *run = &block->runs[0];
    size_t number = (size_t)(row->event - block->events);
    uint32_t event;
    if (row->event->is_timed)
        event = run->layout->profile_events[number];
    else if (run->layout->debug_events && run->layout->debug_events[number].n > 0)
        event = run->layout->debug_events[number].events[0];
    else
        return true;
    eti_etdump_event read;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, event));
    eti__cell_put(cell, eti__int_cell((int64_t)read.key.chain_index));
    return true;
}

/* Sets the delegate's identifier. A number also has a text, because the column has texts. */
static bool set_delegate_id(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event *event = row->event;
    if (event->delegate_id_kind == ETI_DELEGATE_ID_NONE)
        return true;
    if (event->delegate_id_kind == ETI_DELEGATE_ID_STRING) {
        eti__cell_put(cell, eti__text_or_none(event->name));
        return true;
    }
    eti__buffer_printf(&row->row->scratch, "%d", (int)event->delegate_id_int);
    eti__cell_put(cell, eti__int_cell(event->delegate_id_int));
    return eti__row_take_text(row->row, &cell->as_text);
}

ETI_CELL_SETTER_IF(eti_event_row, handles, row->event->known->handles.kind != ETI_HANDLES_NONE,
                   eti__list_cell(ETI_CELL_INTS, row->event->known->handles.handles,
                                  row->event->known->handles.n))

ETI_CELL_SETTER(eti_event_row, attribution,
                eti__text_or_none(eti__attribution_name(row->event->known->attribution)))

ETI_CELL_SETTER(eti_event_row, outputs, eti__int_cell(row->event->record->num_outputs))

ETI_CELL_SETTER_IF(eti_event_row, bundled_input, row->event->block->bundled_input_index != -1,
                   eti__int_cell(row->event->block->bundled_input_index))

ETI_CELL_SETTER(eti_event_row, run_count, eti__count_cell(row->event->block->n_runs))

/* ---- where it comes from --------------------------------------------------------------------- */

/* Sets a text, or the end of a text that is very long: a file may repeat it for very many
 * events. */
static bool set_short_text(eti_event_row *row, eti_text text, eti_cell *cell) {
    if (text.size <= MAX_PLACE_TEXT) {
        eti__cell_put(cell, eti__text_or_none(text));
        return true;
    }
    eti_text end = {text.data + text.size - MAX_PLACE_TEXT, MAX_PLACE_TEXT};
    while (end.size > 0 && (*end.data & 0xc0) == 0x80) /* not the first byte of a character */
        end = eti__text_from(end, 1);
    eti__buffer_add_string(&row->row->scratch, "...");
    eti__buffer_add_text(&row->row->scratch, end);
    return eti__row_take_cell(row->row, ETI_CELL_TEXT, cell);
}

/* Sets the name or the class of the innermost module that all nodes of the event share. */
static bool set_module_text(eti_event_row *row, bool is_class, eti_cell *cell) {
    const eti_places *places = &row->extras->places;
    eti_place place;
    bool found = event_extras_place(row->extras, row->event, &place);
    if (!found || place.module == ETI_PREFIX_ROOT)
        return found;
    return set_short_text(row,
                          is_class ? eti__places_module(places, place.module)->type
                                   : eti__places_module_name(places, place.module),
                          cell);
}

bool eti__set_event_module(void *context, eti_cell *cell) {
    return set_module_text(context, false, cell);
}

static bool set_module_type(void *context, eti_cell *cell) {
    return set_module_text(context, true, cell);
}

bool eti__set_event_source(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_place place;
    bool found = event_extras_place(row->extras, row->event, &place);
    if (!found || !place.has_frames)
        return found;
    if (place.frame == ETI_PREFIX_ROOT) {
        eti__cell_put(cell, eti__string_cell(ETI_GROUP_SEVERAL_LINES));
        return true;
    }
    const eti_stack_frame *frame = &eti__places_frame(&row->extras->places, place.frame)->frame;
    if (!set_short_text(row, frame->file, cell))
        return false;
    eti__add_source_line(&row->row->scratch, cell->as_text, frame->line);
    return eti__row_take_cell(row->row, ETI_CELL_TEXT, cell);
}

/* ---- the catalogue --------------------------------------------------------------------------- */

/* The Inspector's own columns come first, in its order; they are not extra columns. */
static const eti_column_spec event_columns[] = {
    {"event_block_name", ETI_TEXTS, false, "EventBlock: runs that recorded the same events",
     set_block_name},
    {"event_name", ETI_TEXTS, false, "name of the event, as given by the runtime or the delegate",
     set_name},
    {"p10", ETI_TIMES, false, "10th percentile over all runs", eti__set_event_p10},
    {"p50", ETI_TIMES, false, "median over all runs", eti__set_event_p50},
    {"p90", ETI_TIMES, false, "90th percentile over all runs", eti__set_event_p90},
    {"avg", ETI_TIMES, false, "mean of all runs", eti__set_event_avg},
    {"min", ETI_TIMES, false, "fastest run", eti__set_event_min},
    {"max", ETI_TIMES, false, "slowest run", eti__set_event_max},
    {"op_types", ETI_TYPE_LIST_UTF8, ETI_COLUMN_TEXT, false,
     "operators of the edge program; if more than 4, some of them", set_op_types},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "true if a delegate logged the event", set_is_delegated},
    {"delegate_backend_name", ETI_TEXTS, false, "backend of that delegate", set_backend},
    {"start_time", ETI_TYPE_LIST_UINT64, ETI_COLUMN_LIST, false, "start time per run, as recorded",
     set_start_time},
    {"delegate_debug_metadata", ETI_TEXTS, false,
     "metadata that the delegate logged with it, per run", set_metadata},
    {"raw", ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_LIST, true, "time of each run", set_raw},
    {"count", ETI_COUNTS, true, "number of runs with a time", set_count},
    {"total", ETI_TIMES, true, "sum of all runs", set_total},
    {"stddev", ETI_TIMES, true, "sample standard deviation (n - 1)", set_stddev},
    {"cv", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "coefficient of variation: stddev / avg",
     set_cv},
    {"p95", ETI_TIMES, true, "95th percentile over all runs", set_p95},
    {"p99", ETI_TIMES, true, "99th percentile over all runs", set_p99},
    {"share", ETI_SHARES, true,
     "median time, with the events inside it, as a share of that of Method::execute in its block",
     set_share},
    {"self_time", ETI_TIMES, true,
     "mean of its self time, without events inside it, after the warm-up", set_self_time},
    {"typical", ETI_TIMES, true, "median of its self time, after the warm-up", set_typical},
    {"self_share", ETI_SHARES, true,
     "typical self time as a share of its block; time around operators is not in any row",
     set_self_share},
    {"share_mean", ETI_SHARES, true, "mean self time as a share of its block", set_share_mean},
    {"cumulative_share", ETI_SHARES, true,
     "self_share of this row and of all rows with more self time", set_cumulative_share},
    {"op_types_all", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "all operators of the edge program",
     set_all_op_types},
    {"op_type", ETI_TEXTS, true, "operator, as in the view ops", set_op_type},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true,
     "instruction in the chain of the program", set_instruction},
    {"chain_index", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "chain of instructions, in the first run", set_chain},
    {"delegate_debug_identifier", ETI_TEXTS, true,
     "name or number given to the event by the delegate", set_delegate_id},
    {"debug_handles", ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST, true,
     "debug handles of its operators in the edge program", set_handles},
    {"attribution", ETI_TEXTS, true,
     "how the operator of a delegate's event is known: recorded, exact, aligned (in text: matched "
     "by "
     "order), inferred or call",
     set_attribution},
    {"num_outputs", ETI_COUNTS, true, "outputs of its instruction", set_outputs},
    {"module", ETI_TEXTS, true, "innermost module common to all its operators",
     eti__set_event_module},
    {"module_type", ETI_TEXTS, true, "class of that module", set_module_type},
    {"source", ETI_TEXTS, true, "file:line of the model common to all its operators",
     eti__set_event_source},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true,
     "bundled input that its block ran on", set_bundled_input},
    {"run_count", ETI_COUNTS, true, "number of runs of its block", set_run_count},
};

static const size_t event_column_count = sizeof event_columns / sizeof *event_columns;

/* Returns whether the column exists only if it is requested and there is metadata. */
static bool event_column_is_metadata(const eti_column_spec *column) {
    return column->set == set_metadata;
}

/* Returns whether the cells of the column have a value for each run. */
static bool event_column_is_per_run(const eti_column_spec *column) {
    return column->set == set_raw || column->set == set_start_time;
}

/* Returns whether the column is the list of all operators, which programs also find in op_types. */
static bool is_all_op_types(const eti_column_spec *column) {
    return column->set == set_all_op_types;
}

/* Returns whether the cells of the column grow with a list that many events may share. */
static bool event_column_is_long(const eti_column_spec *column) {
    return column->set == set_all_op_types || column->set == set_handles;
}

/* ==== events ================================================================================== */

/* Rows repeat the names of events, runs and operators. The bytes of names in cells are limited to TEXT_BYTES plus TEXT_RATIO
 * times the size of the inputs. Rows of real files have up to 10 times as much text as their events. */
#define TEXT_BYTES ((uint64_t)64 << 10)
#define TEXT_RATIO 32
#define STREAMED_BYTES ((uint64_t)256 << 20) /* least limit for rows that are not kept */

/* Limits of the output of a writer that pads cells with blanks: the lower of two limits applies. Real tables take up to 40
 * times the size of the inputs, small ones more. */
#define DRAWN_BYTES ((uint64_t)16 << 20)
#define DRAWN_RATIO 1024
#define DRAWN_LARGE_BYTES ((uint64_t)1 << 30)
#define DRAWN_LARGE_RATIO 64

typedef struct eti_events_view {
    eti_metadata_form metadata_form;
    bool has_lists;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
    size_t n_columns;
    const eti_event **events; /* per row */
    size_t n_events;
    eti_event_extras *extras; /* computed when they are needed */
} eti_events_view;

/* Returns whether there is a column of metadata; events without a row count, too. */
static bool has_metadata_column(const eti_inspector *inspector, const eti_table_options *options) {
    if (!options->include_delegate_debug_data)
        return false;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        for (size_t i = 0; i < inspector->blocks.blocks[b].n_events; i++) {
            if (inspector->blocks.blocks[b].events[i].has_metadata)
                return true;
        }
    }
    return false;
}

static uint64_t input_size(const eti_inspector *inspector) {
    const struct eti_file *file;
    const char *kind;
    uint64_t size = 0;
    for (size_t i = 0; (file = eti__inspector_file(inspector, i, &kind)); i++)
        size += file->size;
    return size;
}

uint64_t eti__view_most_drawn(const eti_inspector *inspector) {
    uint64_t size = input_size(inspector);
    uint64_t small = DRAWN_BYTES + DRAWN_RATIO * size;
    uint64_t large = DRAWN_LARGE_BYTES + DRAWN_LARGE_RATIO * size;
    return small < large ? small : large;
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const eti_events_view *view = context;
    eti_event_row row = {
        .event = view->events[number],
        .metadata_form = view->metadata_form,
        .has_lists = view->has_lists,
        .extras = view->extras,
        .row = out,
    };
    return eti__columns_set(view->columns, view->n_columns, &row, out);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void free_view(void *context) {
    eti_events_view *view = context;
    eti__event_extras_free(view->extras);
    free(view->events);
    free(view);
}

/* Returns the number of bytes of the names in a row. */
static uint64_t row_text(const eti_event *event) {
    const eti_event_record *record = event->record;
    return event->block->name.size + event->name.size + record->backend_name.size +
           eti__op_list_text_size(record->op_types, record->n_op_types);
}

/* Returns the approximate number of bytes of the lists of a row; stops counting above `most`. */
static uint64_t list_text(const eti_event *event, uint64_t most) {
    const eti_event_record *record = event->record;
    return event->known->handles.n * ETI_LIST_ITEM_BYTES +
           eti__op_list_size(record->op_types, record->n_op_types, most);
}

/* Lists the events that have rows, and counts the bytes of text in these. False: out of memory. */
static bool list_events(eti_events_view *view, const eti_blocks *blocks,
                        const eti_view_options *options, uint64_t *n_bytes) {
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    view->events = malloc((n + 1) * sizeof *view->events);
    *n_bytes = 0;
    for (size_t b = 0; view->events && b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        size_t n_listed = eti__block_is_chosen(options, block) ? block->n_events : 0;
        for (size_t i = 0; i < n_listed; i++) {
            if (block->events[i].is_operator_call)
                continue;
            view->events[view->n_events++] = &block->events[i];
            *n_bytes += row_text(&block->events[i]);
        }
    }
    return view->events != NULL;
}

uint64_t eti__view_most_text(const eti_inspector *inspector) {
    return TEXT_BYTES + TEXT_RATIO * input_size(inspector);
}

eti_status eti__view_check_text(const eti_inspector *inspector, uint64_t n_bytes, eti_error *err) {
    const char *kind;
    if (n_bytes <= eti__view_most_text(inspector))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: names are repeated so often that a table of them would have "
                    "more than %d times the text of the inputs",
                    eti__inspector_file(inspector, 0, &kind)->name, TEXT_RATIO);
}

uint64_t eti__view_most_streamed_text(const eti_inspector *inspector) {
    uint64_t most = eti__view_most_text(inspector);
    return most > STREAMED_BYTES ? most : STREAMED_BYTES;
}

eti_status eti__view_check_streamed_text(const eti_inspector *inspector, uint64_t n_bytes,
                                         eti_error *err) {
    const char *kind;
    if (n_bytes <= eti__view_most_streamed_text(inspector))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: names are repeated so often that its rows would have %" PRIu64
                    " bytes of text, more than %d times the text of the inputs",
                    eti__inspector_file(inspector, 0, &kind)->name, n_bytes, TEXT_RATIO);
}

/* Returns whether lists that events share can be repeated in each of their rows. */
static bool has_room_for_lists(const eti_events_view *view, const eti_inspector *inspector) {
    uint64_t most = eti__view_most_text(inspector), size = 0;
    for (size_t i = 0; i < view->n_events && size < most; i++)
        size += list_text(view->events[i], most - size);
    return size < most;
}

/* Chooses the columns: the Inspector's own, and the others if requested. If operators are too many for lists in every row,
 * they are only texts. */
static void choose_columns(eti_events_view *view, const eti_inspector *inspector,
                           const eti_table_options *options, bool with_extra) {
    bool has_metadata = has_metadata_column(inspector, options);
    view->has_lists = has_room_for_lists(view, inspector);
    for (size_t i = 0; i < event_column_count; i++) {
        const eti_column_spec *column = &event_columns[i];
        if ((column->is_extra && !with_extra) ||
            (event_column_is_metadata(column) && !has_metadata) ||
            (event_column_is_long(column) && !view->has_lists))
            continue;
        view->columns[view->n_columns] = *column;
        if (!view->has_lists && column->type == ETI_TYPE_LIST_UTF8)
            view->columns[view->n_columns].type = ETI_TYPE_UTF8;
        view->n_columns++;
    }
}

static eti_status fill_view(eti_events_view *view, const eti_inspector *inspector,
                            const eti_view_options *options, bool with_extra, eti_error *err) {
    uint64_t n_bytes;
    view->extras = eti__event_extras_new(inspector);
    if (!view->extras || !list_events(view, &inspector->blocks, options, &n_bytes))
        return eti_fail_memory(err);
    ETI_TRY(eti__view_check_text(inspector, n_bytes, err));
    view->metadata_form = options->table.delegate_metadata;
    choose_columns(view, inspector, &options->table, with_extra);
    return ETI_OK;
}

/* Makes the table, which owns the view, even if this fails. */
static eti_status make_table(eti_table **out, eti_events_view *view, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) {
    eti_row_source source = {make_row, free_view, view};
    ETI_TRY(eti__columns_make_rows(out, view->columns, view->n_columns, view->n_events, source,
                                   eti__view_unit(inspector, options), err));
    for (size_t i = 0; i < view->n_columns; i++) {
        const eti_column_spec *column = &view->columns[i];
        (*out)->columns[i].is_on_request =
            (event_column_is_per_run(column) && !options->samples) || is_all_op_types(column);
    }
    (*out)->index_column = true;
    if (input_size(inspector) >= ETI_PARALLEL_BYTES)
        (*out)->n_threads = inspector->options.n_threads;
    (*out)->most_drawn = eti__view_most_drawn(inspector);
    return ETI_OK;
}

static eti_status make_events(eti_table **out, const eti_inspector *inspector,
                              const eti_view_options *options, bool with_extra, eti_error *err) {
    *out = NULL;
    eti_events_view *view = calloc(1, sizeof *view);
    if (!view)
        return eti_fail_memory(err);
    eti_status status = fill_view(view, inspector, options, with_extra, err);
    if (status != ETI_OK) {
        free_view(view);
        return status;
    }
    return make_table(out, view, inspector, options, err);
}

static eti_status view_events(eti_table **out, const eti_inspector *inspector,
                              const eti_table_options *options, eti_error *err);

eti_status eti__inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                       const eti_table_options *options, eti_error *err) {
    static const eti_table_options defaults = ETI_TABLE_OPTIONS_DEFAULT;
    static const eti_projection as_text = {.leaves_out_extra = true, .spells_lists = true};
    eti_table *events;
    *out = NULL;
    ETI_TRY(view_events(&events, inspector, options ? options : &defaults, err));
    events->kept = eti__inspector_keep(inspector);
    return eti__table_project_owned(out, events, as_text, err);
}

/* Makes the table of eti_inspector_events_table(), with lists in place of their texts. It borrows
 * from the inspector, like the following ones. */
static eti_status view_events(eti_table **out, const eti_inspector *inspector,
                              const eti_table_options *options, eti_error *err) {
    return make_events(out, inspector, &(eti_view_options){.table = *options}, false, err);
}

eti_status eti__view_all_events(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(make_events(&table, inspector, options, true, err));
    return eti__report_add(report, "events", NULL, table, err);
}
