#include "report/data.h"

#include "report/graph_data.h"
#include "table/table.h"
#include "timeline/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ==== graph events ============================================================================ */

static void add_event(eti_json_writer *json, const eti_lowered_graph *lowered, const uint32_t *rows,
                      const eti_event *event) {
    eti_event_nodes nodes = eti__event_nodes(event);
    const eti_graph_node *node = eti__event_nodes_single(&nodes);
    uint32_t number = node ? eti__lowered_graph_number(lowered, &node->node) : ETI_NO_NODE;
    if (number == ETI_NO_NODE || rows[number] == ETI_NO_NODE)
        eti__json_add_null(json);
    else
        eti__json_add_u64(json, rows[number]);
}

static void add_block(eti_json_writer *json, const eti_lowered_graph *lowered, const uint32_t *rows,
                      const eti_event_block *block) {
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, "block", block->label);
    eti__json_add_key(json, "nodes");
    eti__json_open_compact_array(json);
    for (size_t i = 0; i < block->n_events; i++)
        add_event(json, lowered, rows, &block->events[i]);
    eti__json_close_level(json);
    eti__json_close_level(json);
}

/* Returns the numbers of the rows of a graph's nodes; the caller frees them. NULL: out of memory. */
static uint32_t *list_rows(const eti_timed_graph *graph) {
    size_t n = graph->lowered->graph.n_nodes;
    uint32_t *rows = malloc((n + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < n; i++)
        rows[i] = ETI_NO_NODE;
    for (size_t i = 0; rows && i < graph->n_nodes; i++) {
        if (graph->nodes[i].lowered != ETI_NO_NODE)
            rows[graph->nodes[i].lowered] = (uint32_t)i;
    }
    return rows;
}

eti_status eti__graph_events_add(eti_json_writer *json, const eti_timed_graph *graph,
                                 const eti_inspector *inspector, eti_error *err) {
    if (!graph->has_times || !graph->lowered)
        return ETI_OK;
    uint32_t *rows = list_rows(graph);
    if (!rows)
        return eti_fail_memory(err);
    eti__json_open_array(json);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        add_block(json, graph->lowered, rows, &inspector->blocks.blocks[i]);
    eti__json_close_level(json);
    free(rows);
    return json->out->failed ? eti_fail_memory(err) : ETI_OK;
}

/* ==== lists of numbers ======================================================================== */
/* A column has many numbers, which often repeat or grow by 1: such numbers are written as steps. */

/* Larger numbers are not exact in JavaScript. */
#define MOST_EXACT ((int64_t)1 << 53)

enum { MOST_EXACT_DIGITS = 16 };

/* Adds an array of elements that are already JSON. */
static void add_array(eti_json_writer *json, eti_text elements) {
    eti__json_begin_value(json);
    eti__buffer_add_char(json->out, '[');
    eti__buffer_add_text(json->out, elements);
    eti__buffer_add_char(json->out, ']');
}

/* Reads a whole number up to the next comma, and moves `rest` behind the comma. False: no whole number, or not exact in JavaScript. */
static bool next_whole(eti_text *rest, int64_t *out) {
    size_t at = rest->size > 0 && rest->data[0] == '-' ? 1 : 0, first = at;
    int64_t value = 0;
    for (; at < rest->size && rest->data[at] != ','; at++) {
        if (!eti__is_digit(rest->data[at]) || at - first == MOST_EXACT_DIGITS)
            return false;
        value = 10 * value + (rest->data[at] - '0');
    }
    if (at == first || value > MOST_EXACT)
        return false;
    *out = first > 0 ? -value : value;
    at += at < rest->size;
    *rest = (eti_text){rest->data + at, rest->size - at};
    return true;
}

static void add_steps(eti_json_writer *json, size_t n, int64_t step) {
    if (n == 0)
        return;
    eti__json_add_u64(json, n);
    eti__json_add_i64(json, step);
}

/* Writes elements, which are separated by commas, as "n,step,n,step": n numbers, each larger by the step than the number before, which
 * is 0 for the first. Returns false if an element is not a whole number, or if the steps are not shorter. */
static bool write_steps(eti_buffer *out, eti_text elements) {
    eti_json_writer json = eti__json_writer(out, ETI_JSON_COMPACT);
    int64_t before = 0, step = 0, value;
    size_t n = 0;
    for (eti_text rest = elements; rest.size > 0; before = value, n++) {
        if (!next_whole(&rest, &value) || out->size >= elements.size)
            return false;
        if (value - before != step) {
            add_steps(&json, n, step);
            n = 0;
        }
        step = value - before;
        if (step > MOST_EXACT || step < -MOST_EXACT)
            return false;
    }
    add_steps(&json, n, step);
    return out->size < elements.size;
}

/* Returns the number of bytes that add_numbers() needs for elements, without brackets. */
static size_t size_of_numbers(eti_text elements) {
    eti_buffer steps = {0};
    size_t size = elements.size;
    if (write_steps(&steps, elements) && !steps.failed)
        size = steps.size;
    eti__buffer_free(&steps);
    return size;
}

/* Adds elements, which are separated by commas, as an array or, if they are shorter, as {"steps": [n,step,n,step,...]}. */
static void add_numbers(eti_json_writer *json, eti_text elements) {
    static const char before[] = "{\"steps\": ";
    eti_buffer steps = {0};
    if (!write_steps(&steps, elements) || steps.size + sizeof before > elements.size) {
        add_array(json, elements);
    } else {
        eti__json_open_object(json);
        eti__json_add_key(json, "steps");
        add_array(json, eti__buffer_text(&steps));
        eti__json_close_level(json);
    }
    json->out->failed = json->out->failed || steps.failed;
    eti__buffer_free(&steps);
}

/* Number of distinct elements above which they may be at most half of all elements. */
enum { MANY_DISTINCT = 1000 };

/* Writes the distinct elements, and for each element the index of its value among them. Sets `is_done` unless there are too many
 * distinct ones. False: out of memory. */
static bool write_distinct(eti_buffer *of, eti_buffer *at, eti_text elements, bool *is_done) {
    eti_text_table known = {0};
    eti_json_writer to_of = eti__json_writer(of, ETI_JSON_COMPACT);
    eti_json_writer to_at = eti__json_writer(at, ETI_JSON_COMPACT);
    bool done = true;
    size_t n = 0;
    for (eti_text rest = elements; rest.size > 0; n++) {
        const char *comma = memchr(rest.data, ',', rest.size);
        eti_text element = {rest.data, comma ? (size_t)(comma - rest.data) : rest.size};
        size_t count = known.count;
        uint32_t number;
        rest = eti__text_from(rest, element.size + (comma != NULL));
        done = eti__text_table_add(&known, element, NULL, &number);
        if (!done)
            break;
        if (known.count > count)
            eti__json_add_raw(&to_of, element);
        eti__json_add_u64(&to_at, number);
        if (known.count > MANY_DISTINCT && 2 * known.count > n)
            break;
    }
    *is_done = n > 0 && (known.count <= MANY_DISTINCT || 2 * known.count <= n);
    eti__text_table_free(&known);
    return done;
}

/* ==== page slices ============================================================================= */

/* Columns of slices, the numbers of those that are marks, and columns of samples. A page without marks or samples does not have
 * their columns. */
enum { START, DURATION, EVENT, DEPTH, TRACK, MARK, TIME, VALUE, COUNTER, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"start", "duration", "event", "depth",  "track",
                                                    "mark",  "time",     "value", "counter"};

typedef struct page_slices {
    const eti_page *page;
    eti_slice_source source;
    eti_slices *stream;
    size_t *by_time; /* numbers of runs, the shortest first */
    bool *is_chosen;
    size_t n_chosen_slices;
    size_t representative; /* number of this run; SIZE_MAX: none */
    eti_buffer runs, columns[N_COLUMNS];
    eti_json_writer to_runs, to_columns[N_COLUMNS]; /* write them */
    size_t n_slices, n_samples;
    uint64_t before;      /* start of the slice before */
    uint64_t time_before; /* of the sample before */
    int64_t event_before; /* of the slice before */
} page_slices;

/* ---- which runs ------------------------------------------------------------------------------ */

static void choose(page_slices *s, size_t number) {
    size_t n = s->source.runs[number].n_slices, most = s->page->options.max_slices;
    if (s->is_chosen[number] || s->n_chosen_slices + n > most)
        return;
    s->is_chosen[number] = true;
    s->n_chosen_slices += n;
}

static void choose_runs(page_slices *s) {
    size_t n = s->source.n_runs;
    s->representative = eti__slice_runs_representative(&s->source);
    if (s->representative != SIZE_MAX)
        choose(s, s->representative);
    for (size_t i = 0; i < 2 && i < n; i++)
        choose(s, i);
    for (size_t i = 1; i <= 3 && i <= n; i++)
        choose(s, s->by_time[n - i]);
    if (n > 0) {
        choose(s, s->by_time[n / 2]);
        choose(s, s->by_time[n - 1 - n / 10]);
        choose(s, n - 1);
    }
    for (size_t step = n; step > 0; step /= 2) {
        for (size_t i = 0; i < n; i += step)
            choose(s, i);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_number(eti_json_writer *json, int64_t value) {
    char digits[24];
    if (value >= -MOST_EXACT && value <= MOST_EXACT) {
        eti__json_add_i64(json, value);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRId64, value);
    eti__json_add_text(json, eti__text_of(digits));
}

static void add_slice(page_slices *s, const eti_slice *slice) {
    int64_t event = slice->event == ETI_NO_EVENT ? -1 : (int64_t)slice->event;
    add_number(&s->to_columns[START], (int64_t)(slice->start - s->before));
    add_number(&s->to_columns[DURATION], (int64_t)(slice->end - slice->start));
    add_number(&s->to_columns[EVENT], event - s->event_before);
    add_number(&s->to_columns[DEPTH], slice->depth);
    add_number(&s->to_columns[TRACK], slice->track);
    if (slice->flags & ETI_SLICE_MARK)
        add_number(&s->to_columns[MARK], (int64_t)s->n_slices);
    s->before = slice->start;
    s->event_before = event;
    s->n_slices++;
}

/* Adds the samples of what the program counted. */
static void add_samples(page_slices *s, const eti_sliced_run *run) {
    for (size_t i = 0; i < run->n_samples; i++) {
        const eti_slice_sample *sample = &run->samples[i];
        if (eti__slices_counter(s->stream, sample->counter)->kind != ETI_COUNTER_COUNTED)
            continue;
        add_number(&s->to_columns[TIME], (int64_t)(sample->time - s->time_before));
        add_number(&s->to_columns[VALUE], sample->value);
        add_number(&s->to_columns[COUNTER], sample->counter);
        s->time_before = sample->time;
        s->n_samples++;
    }
}

static void add_run(page_slices *s, const eti_sliced_run *run) {
    eti_json_writer *json = &s->to_runs;
    eti_buffer name = {0};
    size_t first_sample = s->n_samples;
    add_samples(s, run);
    eti__slice_run_add_name(&s->source, run->run, &name);
    if (s->runs.size > 0)
        eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, "name", eti__buffer_text(&name));
    eti__json_add_member(json, "block", run->block->label);
    eti__json_add_u64_member(json, "number", run->run->number);
    eti__json_add_u64_member(json, "first", s->n_slices);
    eti__json_add_u64_member(json, "n", run->n_slices);
    if (s->n_samples > first_sample) {
        eti__json_add_u64_member(json, "first_sample", first_sample);
        eti__json_add_u64_member(json, "n_samples", s->n_samples - first_sample);
    }
    if ((size_t)(run->run - s->source.runs) == s->representative) {
        eti__json_add_key(json, "representative");
        eti__json_add_bool(json, true);
    }
    eti__json_close_level(json);
    s->runs.failed = s->runs.failed || name.failed;
    eti__buffer_free(&name);
    for (size_t i = 0; i < run->n_slices; i++)
        add_slice(s, &run->slices[i]);
}

static bool has_failed(const page_slices *s) {
    bool failed = s->runs.failed;
    for (size_t i = 0; i < N_COLUMNS; i++)
        failed = failed || s->columns[i].failed;
    return failed;
}

static eti_status add_runs(page_slices *s, eti_error *err) {
    eti_sliced_run run;
    ETI_TRY(eti__slices_open(&s->stream, &s->source, NULL, err));
    for (size_t i = 0; i < s->source.n_runs && !has_failed(s); i++) {
        ETI_TRY(eti__slices_next(s->stream, &run, err));
        if (!run.run)
            break;
        if (s->is_chosen[i])
            add_run(s, &run);
    }
    return has_failed(s) ? eti_fail_memory(err) : ETI_OK;
}

static void add_tracks(eti_json_writer *json, const page_slices *s) {
    eti__json_add_key(json, "tracks");
    eti__json_open_array(json);
    for (size_t i = 0; i < eti__slices_track_count(s->stream); i++) {
        const eti_slice_track *track = eti__slices_track(s->stream, i);
        eti_buffer name = {0};
        eti__slice_track_add_name(&s->source, track, &name);
        eti__json_add_line(json, 0);
        eti__json_open_object(json);
        eti__json_add_member(json, "name", eti__buffer_text(&name));
        eti__json_add_member(json, "help", eti__text_of(eti__slice_track_help(track)));
        eti__json_close_level(json);
        json->out->failed = json->out->failed || name.failed;
        eti__buffer_free(&name);
    }
    eti__json_close_level(json);
}

/* Adds the counters of the samples, by their numbers. */
static void add_counters(eti_json_writer *json, const page_slices *s) {
    eti__json_add_key(json, "counters");
    eti__json_open_object(json);
    for (size_t i = 0; i < eti__slices_counter_count(s->stream); i++) {
        const eti_slice_counter *counter = eti__slices_counter(s->stream, i);
        char number[24];
        if (counter->kind != ETI_COUNTER_COUNTED)
            continue;
        snprintf(number, sizeof number, "%zu", i);
        eti__json_add_line(json, 0);
        eti__json_add_key(json, number);
        eti__json_open_object(json);
        eti__json_add_member(json, "name", counter->name);
        eti__json_add_member(json, "unit", counter->unit);
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
}

/* Adds a member on a line of its own: an array of elements that are already JSON. */
static void add_elements(eti_json_writer *json, const char *key, const eti_buffer *elements) {
    eti__json_add_line(json, 0);
    eti__json_add_key(json, key);
    add_array(json, eti__buffer_text(elements));
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status make(page_slices *s, eti_json_writer *json, eti_error *err) {
    size_t n = s->source.n_runs;
    s->by_time = eti__slice_runs_by_time(&s->source);
    s->is_chosen = calloc(n + 1, sizeof *s->is_chosen);
    if (!s->by_time || !s->is_chosen)
        return eti_fail_memory(err);
    choose_runs(s);
    s->source.has_counters = true;
    ETI_TRY(add_runs(s, err));
    if (s->n_slices == 0)
        return ETI_OK;
    eti__json_open_object(json);
    eti__json_add_u64_member(json, "n_runs", n);
    eti__json_add_member(json, "unit", eti__text_of(s->source.is_in_cycles ? "cycles" : "ns"));
    add_tracks(json, s);
    if (s->n_samples > 0)
        add_counters(json, s);
    add_elements(json, "runs", &s->runs);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (s->columns[i].size == 0)
            continue;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, column_names[i]);
        add_numbers(json, eti__buffer_text(&s->columns[i]));
    }
    eti__json_close_level(json);
    return json->out->failed ? eti_fail_memory(err) : ETI_OK;
}

eti_status eti__page_add_slices(eti_json_writer *json, const eti_page *page, eti_error *err) {
    static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    if (!page->inspector || page->inspector->n_dumps == 0 || (page->omissions & ETI_PAGE_NO_SLICES))
        return ETI_OK;
    page_slices s = {.page = page};
    eti_view_options options = defaults;
    options.block = page->block;
    s.to_runs = eti__json_writer(&s.runs, ETI_JSON_SPACED);
    for (size_t i = 0; i < N_COLUMNS; i++)
        s.to_columns[i] = eti__json_writer(&s.columns[i], ETI_JSON_COMPACT);
    eti_status status = eti__slice_source_make(&s.source, page->inspector, &options, 0, err);
    if (status == ETI_OK)
        status = make(&s, json, err);
    eti__slices_close(s.stream);
    eti__slice_source_free(&s.source);
    eti__buffer_free(&s.runs);
    for (size_t i = 0; i < N_COLUMNS; i++)
        eti__buffer_free(&s.columns[i]);
    free(s.by_time);
    free(s.is_chosen);
    return status;
}

/* ==== data ==================================================================================== */

#define PAGE_SCHEMA "etinspect-report/2"

/* Columns that quote the user's source files, or name them. */
static const char *const source_columns[] = {"source", "code", "path", "lines", "function"};
/* Columns with a value for each run. */
static const char *const sample_columns[] = {"raw"};

static bool is_one_of(eti_text name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (eti__text_is(name, names[i]))
            return true;
    }
    return false;
}

bool eti__is_listed(const char *names, eti_text name) {
    eti_text rest = eti__text_of(names), part;
    while (eti__column_next_part(&rest, &part)) {
        if (eti__text_equal(part, name))
            return true;
    }
    return false;
}

static bool has_column(const eti_page *page, const eti_page_view *view, const eti_section *section,
                       const eti_column *column) {
    eti_text name = eti__column_bare_name(view->report, column);
    if (column->is_on_request && !section->has_chosen_columns)
        return false;
    if (view->columns && !eti__is_listed(view->columns, name) && !column->is_counter)
        return false;
    if ((page->omissions & ETI_PAGE_NO_SOURCE) &&
        is_one_of(name, source_columns, sizeof source_columns / sizeof *source_columns))
        return false;
    return !((page->omissions & ETI_PAGE_NO_SAMPLES) &&
             is_one_of(name, sample_columns, sizeof sample_columns / sizeof *sample_columns));
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Where a list is in the page. */
typedef struct list_place {
    const char *view, *table; /* static */
    eti_text column;
    const char *part; /* static */
} list_place;

/* The distinct texts and lists of the columns of all tables, as JSON. */
typedef struct page_texts {
    eti_text_table lists; /* digests, in the arena, of long lists of numbers in columns */
    list_place *places;   /* of these lists */
    size_t places_capacity;
    eti_text_table table; /* of texts in the arena */
    eti_arena arena;
    eti_buffer cell;
} page_texts;

static void free_texts(page_texts *texts) {
    eti__text_table_free(&texts->lists);
    free(texts->places);
    eti__text_table_free(&texts->table);
    eti__arena_free(&texts->arena);
    eti__buffer_free(&texts->cell);
}

/* Numbers the text of a cell. False: out of memory. */
static bool number_text(page_texts *texts, const eti_cell *cell, uint32_t *out) {
    texts->cell.size = 0;
    eti__cell_add_json(&texts->cell, cell);
    return !texts->cell.failed &&
           eti__text_table_add(&texts->table, eti__buffer_text(&texts->cell), &texts->arena, out);
}

/* A table whose rows are being written. */
typedef struct table_form {
    const eti_page *page;
    const eti_page_view *view;
    const eti_section *section;
    bool *wanted;      /* per column */
    page_texts *texts; /* of the rows that are written; NULL: columns are */
} table_form;

/* Chooses the columns that the page has; the caller frees `wanted`. False: out of memory. */
static bool choose_columns(table_form *form) {
    const eti_table *table = form->section->table;
    form->wanted = calloc(table->n_columns + 1, sizeof *form->wanted);
    for (size_t i = 0; form->wanted && i < table->n_columns; i++)
        form->wanted[i] = has_column(form->page, form->view, form->section, &table->columns[i]);
    return form->wanted != NULL;
}

static void add_row(eti_json_writer *json, const table_form *form, const eti_cell *cells) {
    const eti_table *table = form->section->table;
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!form->wanted[i])
            continue;
        eti__json_add_key_text(json, eti__column_bare_name(form->view->report, &table->columns[i]));
        eti__json_add_cell(json, &cells[i]);
    }
    eti__json_close_level(json);
}

/* Number of rows of a table that the page has. */
static size_t n_rows_of(const eti_page *page, const eti_table *table) {
    bool is_cut = page->most_rows && table->n_rows > page->most_rows;
    return is_cut ? page->most_rows : table->n_rows;
}

static bool is_full(const eti_buffer *out, const eti_page *page) {
    return out->failed || out->size > page->options.max_size;
}

/* ---- rows by columns ------------------------------------------------------------------------- */

/* Number of rows from which on a table has columns in place of rows: fewer are read as they are. */
enum { FEWEST_BY_COLUMN = 200 };

typedef ETI_INTERN_OF(uint32_t) number_table;

/* The cells of a column, as JSON. Texts and lists often repeat: their distinct ones are numbered, and a cell is a number. */
typedef struct column_cells {
    eti_text name;
    bool is_numbered;
    number_table distinct; /* numbers of texts of the page, in order of first appearance */
    size_t distinct_size;  /* of those texts */
    eti_buffer cells;      /* separated by commas */
    size_t first_size;     /* of the first cell */
    bool is_uniform;       /* all cells are equal */
} column_cells;

typedef struct columns_of_rows {
    column_cells *columns; /* those that are wanted */
    size_t n, n_rows;
    page_texts *texts;
    const char *view, *table; /* names */
} columns_of_rows;

static const eti_intern_kind number_kind = {.item_size = sizeof(uint32_t),
                                            .key_size = sizeof(uint32_t)};

/* The scripts of the page have these kinds, too: cells of the others are numbers, or lists of numbers. */
static bool is_numbered(eti_column_kind kind) {
    return kind == ETI_COLUMN_TEXT || kind == ETI_COLUMN_LIST || kind == ETI_COLUMN_MARK ||
           kind == ETI_COLUMN_UNIT || kind == ETI_COLUMN_RANGES;
}

static void free_columns(columns_of_rows *c) {
    for (size_t i = 0; c->columns && i < c->n; i++) {
        eti__intern_free(&c->columns[i].distinct.table);
        eti__buffer_free(&c->columns[i].cells);
    }
    free(c->columns);
}

static bool start_columns(columns_of_rows *c, const table_form *form) {
    const eti_table *table = form->section->table;
    c->texts = form->texts;
    c->view = form->view->name;
    c->table = form->section->name;
    c->columns = calloc(table->n_columns + 1, sizeof *c->columns);
    for (size_t i = 0; c->columns && i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if (form->wanted[i])
            c->columns[c->n++] = (column_cells){
                .name = eti__column_bare_name(form->view->report, column),
                .is_numbered = is_numbered(column->kind),
                .is_uniform = true,
            };
    }
    return c->columns != NULL;
}

static bool add_to_column(columns_of_rows *c, column_cells *column, const eti_cell *cell) {
    eti_buffer *cells = &column->cells;
    if (c->n_rows > 0)
        eti__buffer_add_char(cells, ',');
    size_t begin = cells->size;
    if (column->is_numbered) {
        uint32_t text, number;
        size_t count = column->distinct.count;
        if (!number_text(c->texts, cell, &text) ||
            !eti__intern_add(&column->distinct.table, &number_kind, &text, &number))
            return false;
        column->distinct_size += column->distinct.count > count ? c->texts->cell.size + 1 : 0;
        eti__buffer_add_u64(cells, number);
    } else {
        eti__cell_add_json(cells, cell);
    }
    if (cells->failed)
        return false;
    size_t size = cells->size - begin;
    if (c->n_rows == 0)
        column->first_size = size;
    column->is_uniform = column->is_uniform && size == column->first_size &&
                         memcmp(cells->data + begin, cells->data, size) == 0;
    return true;
}

/* Adds a row. False: out of memory. */
static bool add_to_columns(columns_of_rows *c, const table_form *form, const eti_cell *cells) {
    for (size_t i = 0, k = 0; i < form->section->table->n_columns; i++) {
        if (form->wanted[i] && !add_to_column(c, &c->columns[k++], &cells[i]))
            return false;
    }
    c->n_rows++;
    return true;
}

/* Returns the first column with the same cells, which may be the column itself. */
static size_t equal_column(const columns_of_rows *c, size_t column) {
    const column_cells *it = &c->columns[column];
    for (size_t i = 0; i < column; i++) {
        const column_cells *other = &c->columns[i];
        if (!it->is_numbered && !other->is_numbered &&
            eti__text_equal(eti__buffer_text(&it->cells), eti__buffer_text(&other->cells)))
            return i;
    }
    return column;
}

/* Number of bytes, as an array and in steps, from which on a list is written only once. */
enum { LONG_LIST = 1000, LONG_IN_STEPS = 100 };

/* Returns whether a list was written before, and sets `place` to its place; otherwise keeps `place`. Lists of the part "texts" have
 * differences, so they equal only lists of the same part. Sets `failed` if memory runs out. */
static bool find_list(page_texts *texts, list_place *place, eti_text elements, bool *failed) {
    char key[1 + ETI_SHA256_DIGITS + 1];
    uint32_t number, count = (uint32_t)texts->lists.count;
    key[0] = place->part[0] == 't' ? 't' : 'n';
    eti__sha256(elements.data, elements.size, key + 1);
    *failed = !ETI_GROW(texts->places, texts->places_capacity, texts->lists.count + 1) ||
              !eti__text_table_add(&texts->lists, eti__text_of(key), &texts->arena, &number);
    if (*failed)
        return false;
    if (number < count)
        *place = texts->places[number];
    else
        texts->places[number] = *place;
    return number < count;
}

/* Adds a list of a column as add_numbers() does or, if it was written before, as {"same": [view, table, column, part]}. */
static void add_list(eti_json_writer *json, page_texts *texts, list_place place,
                     eti_text elements) {
    bool failed = false;
    if (elements.size < LONG_LIST || size_of_numbers(elements) < LONG_IN_STEPS ||
        !find_list(texts, &place, elements, &failed)) {
        json->out->failed = json->out->failed || failed;
        add_numbers(json, elements);
        return;
    }
    eti__json_open_object(json);
    eti__json_add_key(json, "same");
    eti__json_open_compact_array(json);
    eti__json_add_text(json, eti__text_of(place.view));
    eti__json_add_text(json, eti__text_of(place.table));
    eti__json_add_text(json, place.column);
    eti__json_add_text(json, eti__text_of(place.part));
    eti__json_close_level(json);
    eti__json_close_level(json);
}

/* Adds the cells of a column of numbers: as add_list() does or, if that is shorter, as {"of": [distinct cells], "at": their indexes}. */
static void add_number_cells(eti_json_writer *json, page_texts *texts, list_place place,
                             eti_text cells) {
    const size_t around = 18; /* bytes of the two keys and of brackets */
    eti_buffer of = {0}, at = {0};
    bool is_list = memchr(cells.data, '[', cells.size) != NULL, is_done = false;
    bool failed = !is_list && !write_distinct(&of, &at, cells, &is_done);
    failed = failed || of.failed || at.failed;
    if (!failed && is_done &&
        of.size + size_of_numbers(eti__buffer_text(&at)) + around < size_of_numbers(cells)) {
        eti__json_open_object(json);
        eti__json_add_key(json, "of");
        add_array(json, eti__buffer_text(&of));
        eti__json_add_key(json, "at");
        place.part = "at";
        add_list(json, texts, place, eti__buffer_text(&at));
        eti__json_close_level(json);
    } else {
        add_list(json, texts, place, cells);
    }
    json->out->failed = json->out->failed || failed;
    eti__buffer_free(&of);
    eti__buffer_free(&at);
}

/* Adds the numbers of the distinct texts, each minus the one before. */
static void add_distinct(eti_json_writer *json, page_texts *texts, list_place place,
                         const column_cells *column) {
    eti_buffer numbers = {0};
    eti_json_writer to_numbers = eti__json_writer(&numbers, ETI_JSON_COMPACT);
    int64_t before = 0;
    for (size_t i = 0; i < column->distinct.count; i++) {
        eti__json_add_i64(&to_numbers, column->distinct.items[i] - before);
        before = column->distinct.items[i];
    }
    place.part = "texts";
    add_list(json, texts, place, eti__buffer_text(&numbers));
    json->out->failed = json->out->failed || numbers.failed;
    eti__buffer_free(&numbers);
}

static void add_column(eti_json_writer *json, const columns_of_rows *c, size_t number) {
    const column_cells *column = &c->columns[number];
    list_place place = {c->view, c->table, column->name, "cells"};
    size_t equal = equal_column(c, number);
    eti__json_add_line(json, 0);
    eti__json_add_key_text(json, column->name);
    if (equal < number) {
        eti__json_add_text(json, c->columns[equal].name);
    } else if (column->is_numbered) {
        eti__json_open_object(json);
        eti__json_add_key(json, "texts");
        add_distinct(json, c->texts, place, column);
        if (!column->is_uniform && column->distinct.count < c->n_rows) {
            eti__json_add_key(json, "at");
            place.part = "at";
            add_list(json, c->texts, place, eti__buffer_text(&column->cells));
        }
        eti__json_close_level(json);
    } else if (column->is_uniform) {
        eti__json_open_object(json);
        eti__json_add_key(json, "of");
        add_array(json, (eti_text){column->cells.data, column->first_size});
        eti__json_close_level(json);
    } else {
        add_number_cells(json, c->texts, place, eti__buffer_text(&column->cells));
    }
}

/* {"n": 50000, "columns": {"op": {"texts": [12,1], "at": [0,1,1,...]}, "p50": [1.5,...], "p90": "p50", "snr": {"of": [null]},
 * "event": {"steps": [1,0,49999,1]}, "share": {"of": [0.25,0.5], "at": [0,1,1,...]}}} */
static void add_columns_of_rows(eti_json_writer *json, const columns_of_rows *c) {
    eti__json_open_object(json);
    eti__json_add_key(json, "n");
    eti__json_add_u64(json, c->n_rows);
    eti__json_add_key(json, "columns");
    eti__json_open_object(json);
    for (size_t i = 0; i < c->n; i++)
        add_column(json, c, i);
    eti__json_close_level(json);
    eti__json_close_level(json);
}

/* Reads `n` rows at even distances, so that numbers that grow evenly still do. Their size is known only when all are read. False: out
 * of memory. */
static bool read_columns(columns_of_rows *c, const table_form *form, size_t n) {
    const eti_table *table = form->section->table;
    size_t n_rows = n_rows_of(form->page, table);
    eti_row_reader rows;
    if (!start_columns(c, form) || !eti__row_reader_open(&rows, table))
        return false;
    rows.row.wanted = form->wanted;
    bool done = true;
    for (size_t i = 0; i < n && done; i++)
        done =
            add_to_columns(c, form, eti__row_reader_read(&rows, i * (n_rows / n))) && !rows.failed;
    eti__row_reader_close(&rows);
    return done;
}

/* Appends `n` rows of a table, at even distances. Stops once the output has more than `most` bytes. False: out of memory. */
static bool add_some_rows(eti_json_writer *json, const table_form *form, size_t n, size_t most) {
    const eti_table *table = form->section->table;
    size_t n_rows = n_rows_of(form->page, table);
    eti_row_reader rows;
    if (!eti__row_reader_open(&rows, table))
        return false;
    rows.row.wanted = form->wanted;
    for (size_t i = 0; i < n && !rows.failed && !json->out->failed && json->out->size <= most; i++)
        add_row(json, form, eti__row_reader_read(&rows, i * n_rows / n));
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    return !failed;
}

/* Appends the rows of a table. False: out of memory. */
static bool add_rows(eti_json_writer *json, const table_form *form) {
    size_t n = n_rows_of(form->page, form->section->table);
    bool done;
    if (n >= FEWEST_BY_COLUMN) {
        columns_of_rows c = {0};
        done = read_columns(&c, form, n);
        if (done)
            add_columns_of_rows(json, &c);
        free_columns(&c);
    } else {
        eti__json_open_array(json);
        done = add_some_rows(json, form, n, form->page->options.max_size);
        eti__json_close_level(json);
    }
    return done;
}

/* [["p50", "time", "median"], ["energy [uJ]", "number", "mean", "counter"], ...] */
static void add_columns(eti_json_writer *json, const table_form *form) {
    const eti_table *table = form->section->table;
    eti__json_open_array(json);
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if (!form->wanted[i])
            continue;
        eti__json_open_array(json);
        eti__json_add_text(json, eti__column_bare_name(form->view->report, column));
        eti__json_add_text(json, eti__text_of(eti_column_kind_name(column->kind)));
        eti__json_add_text(json, eti__text_of(column->help));
        if (column->is_counter)
            eti__json_add_text(json, eti__text_of("counter"));
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
}

static bool add_table(eti_json_writer *json, const table_form *form) {
    eti__json_add_line(json, 0);
    eti__json_add_key(json, form->section->name);
    if (form->texts)
        return add_rows(json, form);
    add_columns(json, form);
    return true;
}

static bool add_section(eti_json_writer *json, const eti_page *page, const eti_page_view *view,
                        const eti_section *section, page_texts *texts) {
    table_form form = {page, view, section, NULL, texts};
    bool done = choose_columns(&form) && add_table(json, &form);
    free(form.wanted);
    return done;
}

/* Returns whether a view is shown: with no_source, not one that only quotes the user's source files. */
static bool is_shown(const eti_page *page, const eti_page_view *view) {
    if ((page->omissions & ETI_PAGE_NO_SWAPPED) && strcmp(view->name, ETI_SWAPPED_VIEW) == 0)
        return false;
    return !((page->omissions & ETI_PAGE_NO_SOURCE) && strcmp(view->name, "source") == 0);
}

/* Adds {"VIEW": {"TABLE": [...]}}: the rows, the texts of which are added to `texts`, or without it the columns. False: out of
 * memory. */
static bool add_tables(eti_json_writer *json, const eti_page *page, page_texts *texts) {
    eti__json_open_object(json);
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_page_view *view = &page->views[i];
        if (!is_shown(page, view))
            continue;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, view->name);
        eti__json_open_object(json);
        for (size_t k = 0; k < view->report->n_sections; k++) {
            if (!add_section(json, page, view, &view->report->sections[k], texts))
                return false;
        }
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
    return true;
}

/* Adds the rows of all tables, and the texts of those that have columns in place of rows. False: out of memory. */
static bool add_rows_of_tables(eti_json_writer *json, const eti_page *page) {
    page_texts texts = {0};
    bool done = add_tables(json, page, &texts);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "texts");
    eti__json_open_compact_array(json);
    for (size_t i = 0; i < texts.table.count; i++)
        eti__json_add_raw(json, texts.table.texts[i]);
    eti__json_close_level(json);
    free_texts(&texts);
    return done;
}

/* ---- how many rows --------------------------------------------------------------------------- */

enum { SAMPLED_ROWS = 64 };

/* Number of bytes of an index of five digits and a comma. */
enum { BYTES_OF_INDEX = 6 };

/* Estimates the bytes of the cells of a column in a sample of `n` rows. Assumes that numbers are written as indexes if two of them are
 * equal. False: out of memory. */
static bool estimate_cells(const column_cells *column, size_t n, size_t *out) {
    eti_text cells = eti__buffer_text(&column->cells);
    eti_buffer of = {0}, at = {0};
    bool is_done, done = true;
    *out = size_of_numbers(cells);
    if (!column->is_numbered && !memchr(cells.data, '[', cells.size)) {
        done = write_distinct(&of, &at, cells, &is_done) && !of.failed && !at.failed;
        if (of.size < cells.size && n * BYTES_OF_INDEX < *out)
            *out = n * BYTES_OF_INDEX;
    }
    eti__buffer_free(&of);
    eti__buffer_free(&at);
    return done;
}

/* Adds an estimate of the bytes of the rows of a table from the columns of sampled rows. Assumes that texts differ in all rows if more
 * than half of them differ in the sample. False: out of memory. */
static bool estimate_columns(const columns_of_rows *c, size_t n_rows, double *bytes) {
    double factor = (double)n_rows / (double)c->n_rows;
    for (size_t i = 0; i < c->n; i++) {
        const column_cells *column = &c->columns[i];
        if (column->is_uniform || equal_column(c, i) < i)
            continue;
        bool differs = column->is_numbered && 2 * column->distinct.count > c->n_rows;
        size_t size;
        if (!estimate_cells(column, c->n_rows, &size))
            return false;
        *bytes += factor * (double)(size + (differs ? column->distinct_size : 0));
        *bytes += differs ? 0 : (double)column->distinct_size;
    }
    return true;
}

/* Adds an estimate of the bytes of `n` rows, from some of them. False: out of memory. */
static bool estimate_rows(const table_form *form, size_t n, double *bytes) {
    size_t n_sampled = n < SAMPLED_ROWS ? n : SAMPLED_ROWS;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    bool done = add_some_rows(&json, form, n_sampled, SIZE_MAX) && !out.failed;
    if (n > 0)
        *bytes += (double)out.size / (double)n_sampled * (double)n;
    eti__buffer_free(&out);
    return done;
}

/* Adds an estimate of the bytes of a table's rows. */
static bool estimate_section(const eti_page *page, const eti_page_view *view,
                             const eti_section *section, double *bytes) {
    size_t n = n_rows_of(page, section->table);
    page_texts texts = {0};
    table_form form = {page, view, section, NULL, &texts};
    bool done = choose_columns(&form);
    if (done && n >= FEWEST_BY_COLUMN) {
        columns_of_rows c = {0};
        done = read_columns(&c, &form, SAMPLED_ROWS) && estimate_columns(&c, n, bytes);
        free_columns(&c);
    } else if (done) {
        done = estimate_rows(&form, n, bytes);
    }
    free_texts(&texts);
    free(form.wanted);
    return done;
}

bool eti__page_estimate_rows(const eti_page *page, size_t *out) {
    double bytes = 0;
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_page_view *view = &page->views[i];
        for (size_t k = 0; k < view->report->n_sections && is_shown(page, view); k++) {
            if (!estimate_section(page, view, &view->report->sections[k], &bytes))
                return false;
        }
    }
    *out = bytes < (double)(SIZE_MAX / 2) ? (size_t)bytes : SIZE_MAX / 2;
    return true;
}

size_t eti__page_longest_table(const eti_page *page) {
    size_t most = 0;
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_report *report = page->views[i].report;
        for (size_t k = 0; k < report->n_sections; k++) {
            size_t n = report->sections[k].table->n_rows;
            most = n > most ? n : most;
        }
    }
    return most;
}

static bool is_sum(const eti_section *section, size_t row) {
    size_t number = eti__table_row_number(section->table, row);
    for (size_t i = 0; i < section->n_sums; i++) {
        if (section->sums[i] == number)
            return true;
    }
    return false;
}

/* Adds "TABLE": [3, 7], the rows that are sums of others, for each table that has such rows. */
static void add_sums_of(eti_json_writer *json, const eti_page *page, const eti_report *report) {
    for (size_t k = 0; k < report->n_sections; k++) {
        const eti_section *section = &report->sections[k];
        if (section->n_sums == 0)
            continue;
        eti__json_add_key(json, section->name);
        eti__json_open_array(json);
        for (size_t i = 0; i < n_rows_of(page, section->table); i++) {
            if (is_sum(section, i))
                eti__json_add_u64(json, i);
        }
        eti__json_close_level(json);
    }
}

static bool has_sums(const eti_report *report) {
    size_t n = 0;
    for (size_t k = 0; k < report->n_sections; k++)
        n += report->sections[k].n_sums;
    return n > 0;
}

/* Adds "VIEW": {...} for each view with rows that are sums of others. */
static void add_sums(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        if (!has_sums(page->views[i].report))
            continue;
        eti__json_add_key(json, page->views[i].name);
        eti__json_open_object(json);
        add_sums_of(json, page, page->views[i].report);
        eti__json_close_level(json);
    }
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* Adds a text on a line of its own, with what it is about. */
static void add_said(eti_json_writer *json, const char *key, const char *about, eti_text text) {
    eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, key, eti__text_of(about));
    eti__json_add_member(json, "text", text);
    eti__json_close_level(json);
}

static void add_remarks(eti_json_writer *json, const eti_page_view *view) {
    for (size_t i = 0; i < view->report->n_sections; i++) {
        const eti_section *section = &view->report->sections[i];
        for (size_t n = 0; n < section->n_notes; n++)
            add_said(json, "table", section->name, section->notes[n]);
    }
}

static void add_all_remarks(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        if (!is_shown(page, &page->views[i]))
            continue;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, page->views[i].name);
        eti__json_open_array(json);
        add_remarks(json, &page->views[i]);
        eti__json_close_level(json);
    }
}

static void add_notes(eti_json_writer *json, const eti_inspector *inspector) {
    static const char *const kinds[] = {
        [ETI_NOTE_INFO] = "info", [ETI_NOTE_WARNING] = "warning", [ETI_NOTE_HINT] = "hint"};
    for (size_t i = 0; inspector && i < inspector->n_notes; i++) {
        const eti_note *note = &inspector->notes[i];
        add_said(json, "kind", kinds[note->kind], note->text);
    }
}

static void add_absences(eti_json_writer *json, const eti_page *page) {
    for (size_t i = 0; i < page->n_absences; i++)
        eti__json_add_member(json, page->absences[i].name, page->absences[i].reason);
}

static void add_omissions(eti_json_writer *json, const eti_page *page) {
    static const struct {
        unsigned omission;
        const char *name;
    } all[] = {{ETI_PAGE_NO_SLICES, "slices"},
               {ETI_PAGE_NO_SAMPLES, "samples"},
               {ETI_PAGE_NO_LARGE_GRAPHS, "large graphs"},
               {ETI_PAGE_NO_SWAPPED, "swapped comparison"},
               {ETI_PAGE_NO_SOURCE, "source"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (page->omissions & all[i].omission)
            eti__json_add_text(json, eti__text_of(all[i].name));
    }
    if (page->most_rows) {
        char text[80];
        snprintf(text, sizeof text, "rows of each table after the first %zu", page->most_rows);
        eti__json_add_text(json, eti__text_of(text));
    }
}

/* ---- drawings -------------------------------------------------------------------------------- */

/* Returns the graph whose nodes are exactly the rows of the table "nodes" on the page, in their order; NULL if no graph is
 * drawn. */
static const eti_timed_graph *graph_of(const eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++) {
        const eti_report *report = page->views[i].report;
        if (report->graph && report->n_sections > 0 && !report->sections[0].table->whole)
            return n_rows_of(page, report->sections[0].table) == report->sections[0].table->n_rows
                       ? report->graph
                       : NULL;
    }
    return NULL;
}

static eti_status add_layouts(eti_json_writer *json, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    bool leaves_out_large = page->omissions & ETI_PAGE_NO_LARGE_GRAPHS;
    return graph ? eti__graph_data_add(json, graph, leaves_out_large, err) : ETI_OK;
}

static eti_status add_event_nodes(eti_json_writer *json, const eti_page *page, eti_error *err) {
    const eti_timed_graph *graph = graph_of(page);
    return graph && page->inspector ? eti__graph_events_add(json, graph, page->inspector, err)
                                    : ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A member that is not a table: the function adds its value, or nothing if there is none. */
typedef struct data_part {
    const char *name;
    eti_status (*add)(eti_json_writer *json, const eti_page *page, eti_error *err);
} data_part;

static const data_part parts[] = {
    {"layouts", add_layouts},
    {"event_nodes", add_event_nodes},
    {"slices", eti__page_add_slices},
    {NULL, NULL},
};

static eti_status add_parts(eti_json_writer *json, const eti_page *page, eti_error *err) {
    eti_buffer *out = json->out;
    for (const data_part *part = parts; part->name && !is_full(out, page); part++) {
        const eti_json_writer before = *json;
        size_t size_before = out->size;
        eti__json_add_line(json, 0);
        eti__json_add_key(json, part->name);
        size_t empty = out->size;
        ETI_TRY(part->add(json, page, err));
        if (out->size == empty) {
            *json = before;
            out->size = size_before;
        }
    }
    return ETI_OK;
}

/* Opens the value of a member on a line of its own. */
static void open_member(eti_json_writer *json, const char *key, bool is_array) {
    eti__json_add_line(json, 0);
    eti__json_add_key(json, key);
    if (is_array)
        eti__json_open_array(json);
    else
        eti__json_open_object(json);
}

eti_status eti__page_add_data(eti_buffer *out, const eti_page *page, eti_error *err) {
    eti_json_writer writer = eti__json_writer(out, ETI_JSON_SPACED), *json = &writer;
    eti__json_open_object(json);
    eti__json_add_member(json, "schema", eti__text_of(PAGE_SCHEMA));
    open_member(json, "provenance", false);
    eti__json_add_provenance(json, page->views[0].report, page->write, true);
    eti__json_close_level(json);
    open_member(json, "notes", true);
    add_notes(json, page->inspector);
    eti__json_close_level(json);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "tables");
    if (!add_rows_of_tables(json, page))
        return eti_fail_memory(err);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "columns");
    if (!add_tables(json, page, NULL))
        return eti_fail_memory(err);
    open_member(json, "sums", false);
    add_sums(json, page);
    eti__json_close_level(json);
    open_member(json, "remarks", false);
    add_all_remarks(json, page);
    eti__json_close_level(json);
    open_member(json, "absent", false);
    add_absences(json, page);
    eti__json_close_level(json);
    open_member(json, "left_out", true);
    add_omissions(json, page);
    eti__json_close_level(json);
    ETI_TRY(add_parts(json, page, err));
    eti__json_close_level(json);
    eti__buffer_add_char(out, '\n');
    return out->failed ? eti_fail_memory(err) : ETI_OK;
}
