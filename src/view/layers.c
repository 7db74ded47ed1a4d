#include "view/layers.h"

#include "backends/backends.h"
#include "base/names.h"
#include "places/places.h"
#include "view/actions.h"
#include "view/groups.h"
#include "view/tokens.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of layers on the first screen. */
#define MOST_SHOWN 5

/* ==== layers ================================================================================== */

/* Source of the rows. */
typedef struct layer_rows {
    eti_layers layers;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
    size_t n_shown; /* number of layers with a row */
    eti_group rest; /* the other layers, which have the last row if they took time */
    char rest_name[40];
} layer_rows;

typedef struct layer_row {
    eti_group_row times; /* first: see view_events/view_events.h */
    const eti_layers *layers;
    const eti_layer *layer; /* NULL: the row is the rest */
    eti_text name;
    eti_row *out;
} layer_row;

static const eti_module *module_of(const layer_row *row) {
    const eti_layer *layer = row->layer;
    bool has_module = layer && (layer->kind == ETI_LAYER_MODULE || layer->kind == ETI_LAYER_MODEL);
    return has_module ? eti__places_module(&row->layers->places, layer->place.module) : NULL;
}

ETI_CELL_SETTER(layer_row, layer, eti__text_cell(row->name))
ETI_CELL_SETTER_IF(layer_row, kernel, row->layer,
                   eti__text_or_none(eti__event_label(row->layer->event)))
ETI_CELL_SETTER_IF(layer_row, backend, row->layer && row->layer->backend.size > 0,
                   eti__named_cell(row->layer->backend, eti__backend_label(row->layer->backend)))
ETI_CELL_SETTER_IF(layer_row, type, module_of(row),
                   eti__text_or_none(eti_module_type(module_of(row))))

/* Returns whether the layer is part of the model, so that a line belongs to it. */
static bool has_source(const eti_layer *layer) {
    return layer->kind != ETI_LAYER_OVERHEAD && layer->kind != ETI_LAYER_TRANSFERS &&
           layer->kind != ETI_LAYER_FRAMEWORK;
}

/* Sets the whole path, and for people the file alone. */
static bool set_source(void *context, eti_cell *cell) {
    layer_row *row = context;
    eti_text path, label;
    if (!row->layer || !has_source(row->layer))
        return true;
    if (!eti__place_has_line(&row->layer->place))
        return eti__set_place_source(row->out, &row->layers->places, &row->layer->place, cell);
    const eti_stack_frame *frame =
        &eti__places_frame(&row->layers->places, row->layer->place.frame)->frame;
    eti__add_source_line(&row->out->scratch, frame->file, frame->line);
    if (!eti__row_take_text(row->out, &path))
        return false;
    eti__add_source_line(&row->out->scratch, eti__file_of_path(frame->file), frame->line);
    if (!eti__row_take_text(row->out, &label))
        return false;
    *cell = eti__named_cell(path, label);
    return true;
}

enum { COLUMN_METHOD, COLUMN_LAYER, COLUMN_KERNEL };
static const eti_column_spec layer_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"layer", ETI_TEXTS, false, "module of the model, or the name of its kernel if unknown",
     set_layer},
    {"kernel", ETI_TEXTS, false, "name of its event with the most time", set_kernel},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    {"backend", ETI_TEXTS, false, "backend that ran this event", set_backend},
    {"source", ETI_TEXTS, false, "line of the layer with the most time", set_source},
    {"p50", ETI_TIMES, true, "median of the times per run", eti__set_group_p50},
    {"avg", ETI_TIMES, true, "mean time per run", eti__set_group_avg},
    {"type", ETI_TEXTS, true, "class of the module", set_type},
    {"events", ETI_COUNTS, true, "events of the layer", eti__set_group_events},
    {"calls", ETI_COUNTS, true, "calls of events, after the warm-up", eti__set_group_calls},
    {"total", ETI_TIMES, true, "time of all runs after the warm-up", eti__set_group_total},
    ETI_GROUP_MEAN_COLUMN,
};

#define N_LAYER_COLUMNS ETI_N_COLUMNS(layer_columns)

static bool make_layer_row(const void *context, size_t number, eti_row *out) {
    const layer_rows *rows = context;
    const eti_layers *layers = &rows->layers;
    layer_row row = {.layers = layers, .out = out};
    if (number < rows->n_shown) {
        uint32_t group = layers->order[number];
        row.layer = &layers->items.items[group];
        row.name = eti__layer_name(layers, row.layer);
        row.times = eti__group_row_of(&layers->rollup, &layers->rollup.groups[group], &out->texts);
        row.times.method = layers->methods[row.layer->method].name;
    } else {
        row.name = eti__text_of(rows->rest_name);
        row.times = eti__group_row_of(&layers->rollup, &rows->rest, &out->texts);
    }
    return eti__columns_set(rows->columns, N_LAYER_COLUMNS, &row, out);
}

static void free_layer_rows(void *context) {
    layer_rows *rows = context;
    eti__layers_free(&rows->layers);
    free(rows);
}

/* Shows the first `most` layers; the others become one row. */
static void shorten(layer_rows *rows, size_t most) {
    const eti_layers *layers = &rows->layers;
    rows->n_shown = layers->n <= most + 1 ? layers->n : most;
    for (size_t i = rows->n_shown; i < layers->n; i++) {
        const eti_group *group = &layers->rollup.groups[layers->order[i]];
        eti__time_sum_add(&rows->rest.time, &group->time);
        rows->rest.n_events += group->n_events;
        rows->rest.n_calls += group->n_calls;
    }
    snprintf(rows->rest_name, sizeof rows->rest_name, "(%zu more)", layers->n - rows->n_shown);
}

static eti_status new_layer_rows(layer_rows **out, const eti_inspector *inspector,
                                 const eti_view_options *options, size_t most, eti_error *err) {
    layer_rows *rows = calloc(1, sizeof *rows);
    *out = rows;
    if (!rows)
        return eti_fail_memory(err);
    eti_status status = eti__layers_make(&rows->layers, inspector, options, err);
    if (status != ETI_OK) {
        free_layer_rows(rows);
        return status;
    }
    for (size_t i = 0; i < N_LAYER_COLUMNS; i++)
        rows->columns[i] = layer_columns[i];
    if (rows->layers.n_methods < 2)
        rows->columns[COLUMN_METHOD].name = NULL;
    rows->columns[COLUMN_KERNEL].is_extra = rows->layers.are_kernels;
    for (size_t i = 0; i < N_LAYER_COLUMNS; i++) {
        if (options->hides_source && layer_columns[i].set == set_source)
            rows->columns[i].name = NULL;
    }
    shorten(rows, most);
    return ETI_OK;
}

/* Counts the bytes of the names of the rows. */
static uint64_t count_text(const layer_rows *rows) {
    const eti_layers *layers = &rows->layers;
    uint64_t n = 0;
    for (size_t i = 0; i < rows->n_shown; i++) {
        const eti_layer *layer = &layers->items.items[layers->order[i]];
        n += eti__layer_name(layers, layer).size + eti__event_label(layer->event).size;
    }
    return n;
}

/* Adds the section, whose table owns the rows, even if this fails. */
static eti_status add_layer_rows(eti_report *report, layer_rows *rows,
                                 const eti_inspector *inspector, const eti_view_options *options,
                                 eti_error *err) {
    const eti_row_source source = {make_layer_row, free_layer_rows, rows};
    size_t n_rows = rows->n_shown + (rows->n_shown < rows->layers.n ? 1 : 0);
    uint64_t n_bytes = count_text(rows);
    eti_table *table;
    ETI_TRY(eti__columns_make_rows(&table, rows->columns, N_LAYER_COLUMNS, n_rows, source,
                                   eti__view_unit(inspector, options), err));
    table->most_drawn = eti__view_most_drawn(inspector);
    eti__table_distinguish(table, "source", NULL);
    eti__table_distinguish(table, "backend", NULL);
    eti__table_cut_first(table, "kernel");
    ETI_TRY(eti__report_add(report, "layers", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    return eti__view_check_text(inspector, n_bytes, err);
}

/* ==== headline ================================================================================ */
/* Says in one sentence how long a run takes and which layer is the slowest. */

/* Number of layers that are named because they may be slower than the first. */
#define MOST_CLOSE 3

typedef struct headline_row {
    const eti_layers *layers;
    const eti_layer_method *method;
    eti_text text;            /* the sentences */
    bool hides_source;        /* the sentences have no lines */
    double tokens_per_second; /* at the typical time; NaN: unknown */
    const eti_layer *first;   /* slowest layer; NULL: there is none */
    eti_text source;
    double share;    /* share of that layer */
    eti_text *close; /* layers that may be slower, at most MOST_CLOSE; in the table's arena */
    size_t n_close;  /* number of all such layers */
} headline_row;

static size_t shown_close(const headline_row *row) {
    return row->n_close < MOST_CLOSE ? row->n_close : MOST_CLOSE;
}

ETI_CELL_SETTER(headline_row, headline_method, eti__text_or_none(row->method->name))
ETI_CELL_SETTER(headline_row, text, eti__text_cell(row->text))
ETI_CELL_SETTER(headline_row, run, eti__double_cell(row->method->median))
ETI_CELL_SETTER(headline_row, typical,
                eti__double_cell(eti__rollup_typical(&row->layers->rollup, &row->method->whole)))
ETI_CELL_SETTER(headline_row, tokens_per_second, eti__number_or_none(row->tokens_per_second))
ETI_CELL_SETTER(headline_row, runs, eti__count_cell(row->method->n_runs))
ETI_CELL_SETTER_IF(headline_row, first, row->first,
                   eti__text_cell(eti__layer_name(row->layers, row->first)))
ETI_CELL_SETTER_IF(headline_row, first_kernel, row->first,
                   eti__text_or_none(eti__event_label(row->first->event)))
ETI_CELL_SETTER_IF(headline_row, first_share, row->first, eti__double_cell(row->share))
ETI_CELL_SETTER(headline_row, first_source, eti__text_or_none(row->source))
ETI_CELL_SETTER(headline_row, close, eti__list_cell(ETI_CELL_TEXTS, row->close, shown_close(row)))

static const eti_column_spec headline_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", set_headline_method},
    {"text", ETI_TEXTS, false, "the answer in words", set_text},
    {"p50", ETI_TIMES, false, "median time of a run", set_run},
    {"typical", ETI_TIMES, false, "sum of the medians of all events: a run without interruptions",
     set_typical},
    {"tokens_per_second", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "tokens of a run divided by the typical time", set_tokens_per_second},
    {"runs", ETI_COUNTS, false, "number of runs after the warm-up", set_runs},
    {"layer", ETI_TEXTS, false, "slowest layer, or kernel if layers are unknown", set_first},
    {"kernel", ETI_TEXTS, false, "its kernel with the most time", set_first_kernel},
    {"share", ETI_SHARES, false, "its share of the typical time", set_first_share},
    {"source", ETI_TEXTS, false, "its line with the most time", set_first_source},
    {"close", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "layers that may be slower: the runs do not show which is", set_close},
};

#define N_HEADLINE_COLUMNS ETI_N_COLUMNS(headline_columns)

/* Fills the columns of the section: those of tokens only if their number is given. */
static void choose_headline_columns(eti_column_spec columns[N_HEADLINE_COLUMNS],
                                    const eti_view_options *options) {
    for (size_t i = 0; i < N_HEADLINE_COLUMNS; i++) {
        columns[i] = headline_columns[i];
        if (columns[i].set == set_tokens_per_second && !options->tokens)
            columns[i].name = NULL;
    }
}

/* Returns the tokens per second of a run of the method, at its typical time. */
static double method_tokens(const eti_layers *layers, const eti_layer_method *method,
                            const eti_view_options *options) {
    return eti__tokens_per_second(layers->inspector, options, method->name,
                                  eti__rollup_typical(&layers->rollup, &method->whole));
}

static bool is_real(const eti_layer *layer) {
    return layer->kind == ETI_LAYER_MODULE || layer->kind == ETI_LAYER_KERNEL;
}

static const eti_time_sum *time_of(const eti_layers *layers, uint32_t number) {
    return &layers->rollup.groups[number].time;
}

/* Finds the layers that may be slower than the first: at least half as slow, and not clear of it. False: out of memory. */
static bool find_close(const eti_layers *layers, uint32_t first, headline_row *out) {
    const eti_layer *of = &layers->items.items[first];
    double most = eti__rollup_typical(&layers->rollup, time_of(layers, first));
    for (size_t i = 0; i < layers->n; i++) {
        uint32_t number = layers->order[i];
        const eti_layer *other = &layers->items.items[number];
        bool is_clear;
        if (number == first || other->method != of->method || !is_real(other))
            continue;
        if (eti__rollup_typical(&layers->rollup, time_of(layers, number)) < most / 2)
            break; /* all that follow take less */
        if (!eti__layers_find_clear(layers, first, number, &is_clear))
            return false;
        if (!is_clear && out->n_close++ < MOST_CLOSE)
            out->close[out->n_close - 1] = eti__layer_name(layers, other);
    }
    return true;
}

static const char *part_of(const eti_layer *layer) {
    static const char *const parts[] = {
        [ETI_LAYER_MODEL] = "operators outside of the modules, or of several modules",
        [ETI_LAYER_CALL] = "delegate calls that logged no operators",
        [ETI_LAYER_OVERHEAD] = "delegate overhead",
        [ETI_LAYER_TRANSFERS] = "delegate transfers",
        [ETI_LAYER_FRAMEWORK] = "the runtime itself",
        [ETI_LAYER_UNKNOWN] = "events that the ETRecord does not know",
    };
    return parts[layer->kind];
}

/* Appends the names of the methods whose bits are set, as "prefill or decode". */
static void add_methods(eti_buffer *out, const eti_inspector *inspector, uint64_t methods,
                        const char *last) {
    size_t n_left = 0;
    for (uint64_t left = methods; left; left &= left - 1)
        n_left++;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (!(methods >> i & 1))
            continue;
        eti__buffer_add_text(out, inspector->methods[i].name);
        eti__buffer_add_string(out, --n_left > 1 ? ", " : n_left == 1 ? last : "");
    }
}

static void add_run_sentence(eti_buffer *out, const headline_row *row, eti_time_scale scale) {
    const eti_layer_method *method = row->method;
    double typical = eti__rollup_typical(&row->layers->rollup, &method->whole);
    if (method->name.size > 0)
        eti__buffer_add_text(out, method->name);
    else
        eti__buffer_add_string(out, "A run");
    if (method->name.size == 0 && method->may_be) {
        eti__buffer_add_string(out, " of ");
        add_methods(out, row->layers->inspector, method->may_be, " or ");
    }
    eti__buffer_add_string(out, " takes ");
    eti__add_time(out, method->median, scale);
    if (method->n_runs > 1)
        eti__buffer_printf(out, "%s (median of %zu runs)", method->name.size > 0 ? " per run" : "",
                           method->n_runs);
    else
        eti__buffer_add_string(out, " (one run)");
    if (eti__layers_were_interrupted(row->layers, method)) {
        eti__buffer_add_string(out, ", ");
        eti__add_time(out, typical, scale);
        eti__buffer_add_string(out, " without interruptions");
    }
    if (!isnan(row->tokens_per_second)) {
        eti__buffer_add_string(out, ": ");
        eti__add_tokens_per_second(out, row->tokens_per_second);
        eti__buffer_add_string(out, ", by the typical time");
    }
    eti__buffer_add_char(out, '.');
}

/* Share of the overhead of delegates from which the times of operators that were rounded down explain it. */
#define MOSTLY_ROUNDED 0.5

/* Returns the share of a layer's time that may belong to operators whose delegates rounded their times down. */
static double rounded_share(const eti_layers *layers, uint32_t number) {
    const eti_rounding *rounding = &layers->rollup.rounding;
    double weight = eti__wide_as_double(time_of(layers, number)->weight);
    bool may_be = layers->items.items[number].kind == ETI_LAYER_OVERHEAD && rounding->is_known &&
                  layers->n_methods == 1 && weight > 0;
    return may_be ? fmin(eti__wide_as_double(rounding->most) / weight, 1) : 0;
}

/* Appends the part of the time that comes first, if it is no layer. */
static void add_part_sentence(eti_buffer *out, const headline_row *row, uint32_t number) {
    const eti_layers *layers = row->layers;
    const eti_layer *layer = &layers->items.items[number];
    if (is_real(layer))
        return;
    eti__buffer_printf(out, "Largest part: %s, ", part_of(layer));
    eti__add_share(out, eti__time_sum_share(time_of(layers, number), &row->method->whole));
    eti__buffer_add_char(out, '.');
}

static void add_layer_sentence(eti_buffer *out, const headline_row *row) {
    if (!row->first)
        return;
    eti__buffer_add_string(out, out->size > 0 ? " " : "");
    eti__buffer_printf(out, "Slowest %s: ", row->layers->are_kernels ? "kernel" : "layer");
    eti__buffer_add_text(out, eti__layer_name(row->layers, row->first));
    eti__buffer_add_string(out, ", ");
    eti__add_share(out, row->share);
    if (eti__place_has_line(&row->first->place) && !row->hides_source) {
        const eti_stack_frame *frame =
            &eti__places_frame(&row->layers->places, row->first->place.frame)->frame;
        eti__buffer_add_string(out, ", ");
        eti__add_source_line(out, eti__file_of_path(frame->file), frame->line);
    }
    eti__buffer_add_string(out, ".");
    for (size_t i = 0; i < shown_close(row); i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : " Too close to tell: ");
        eti__buffer_add_text(out, row->close[i]);
    }
    if (row->n_close > MOST_CLOSE)
        eti__buffer_printf(out, " and %zu more", row->n_close - MOST_CLOSE);
    eti__buffer_add_string(out, row->n_close > 0 ? "." : "");
}

/* Says that operators may have most of the overhead of delegates, if that is the largest part of the time. */
static void add_rounding_sentence(eti_buffer *out, const headline_row *row, uint32_t largest) {
    double rounded = rounded_share(row->layers, largest);
    if (rounded < MOSTLY_ROUNDED)
        return;
    eti__buffer_add_string(out, "Up to ");
    eti__add_share(out, rounded);
    eti__buffer_add_string(out, " of the delegate overhead may be time of operators, which the "
                                "delegate rounded down.");
}

/* Says that several methods fit, and how to name the method of each run. */
static void add_method_sentence(eti_buffer *out, const headline_row *row) {
    if (row->method->name.size > 0 || !row->method->may_be)
        return;
    eti__buffer_add_string(out, out->size > 0 ? " " : "");
    eti__buffer_add_string(out, "Mixed methods: ");
    add_methods(out, row->layers->inspector, row->method->may_be, " and ");
    eti__buffer_printf(
        out,
        " have the same instructions, and the ETDump does not record which one "
        "ran. Give %sthe order of their runs with %srun_methods, such as 'NAME,NAME*'.",
        row->layers->inspector->n_programs == 0 ? "the program too, or " : "",
        eti__option_prefix());
}

/* Fills the row of a method and adds its sentences as notes. */
static eti_status add_method(eti_report *report, eti_table *table, const eti_layers *layers,
                             uint32_t method, const eti_view_options *options, eti_error *err) {
    headline_row row = {.layers = layers,
                        .method = &layers->methods[method],
                        .hides_source = options->hides_source,
                        .tokens_per_second =
                            method_tokens(layers, &layers->methods[method], options)};
    eti_column_spec columns[N_HEADLINE_COLUMNS];
    eti_time_scale scale = layers->inspector->options.target_time_scale;
    uint32_t largest = ETI_NO_EVENT, first = ETI_NO_EVENT;
    eti_buffer run = {0}, text = {0}, remarks = {0}, source = {0};
    for (size_t i = 0; i < layers->n && first == ETI_NO_EVENT; i++) {
        uint32_t number = layers->order[i];
        const eti_layer *layer = &layers->items.items[number];
        if (layer->method != method)
            continue;
        largest = largest == ETI_NO_EVENT ? number : largest;
        first = is_real(layer) && eti__wide_as_double(time_of(layers, number)->weight) > 0 ? number
                                                                                           : first;
    }
    if (largest == ETI_NO_EVENT)
        return ETI_OK;
    row.close = eti__arena_alloc(&table->arena, MOST_CLOSE, sizeof *row.close);
    if (!row.close)
        return eti_fail_memory(err);
    if (first != ETI_NO_EVENT) {
        row.first = &layers->items.items[first];
        row.share = eti__time_sum_share(time_of(layers, first), &row.method->whole);
        if (!find_close(layers, first, &row))
            return eti_fail_memory(err);
        if (eti__place_has_line(&row.first->place) && !row.hides_source)
            eti__add_place_line(&source, &layers->places, &row.first->place);
    }
    add_run_sentence(&run, &row, scale);
    add_part_sentence(&text, &row, largest);
    add_layer_sentence(&text, &row);
    add_rounding_sentence(&remarks, &row, largest);
    add_method_sentence(&remarks, &row);
    eti_buffer all = {0};
    eti_buffer *const notes[] = {&run, &text, &remarks};
    for (size_t i = 0; i < ETI_N_COLUMNS(notes); i++) {
        eti__buffer_add_string(&all, i > 0 && notes[i]->size > 0 ? " " : "");
        eti__buffer_add_text(&all, eti__buffer_text(notes[i]));
        all.failed |= notes[i]->failed;
    }
    bool done =
        !source.failed && !all.failed &&
        eti__table_own_text(table, eti__buffer_text(&all), &row.text) &&
        (source.size == 0 || eti__table_own_text(table, eti__buffer_text(&source), &row.source));
    choose_headline_columns(columns, options);
    eti_status status = done ? eti__columns_add_row(table, columns, N_HEADLINE_COLUMNS, &row, err)
                             : eti_fail_memory(err);
    for (size_t i = 0; i < ETI_N_COLUMNS(notes); i++) {
        if (status == ETI_OK && notes[i]->size > 0)
            status = eti__report_take_note(report, notes[i], err);
        eti__buffer_free(notes[i]);
    }
    eti__buffer_free(&all);
    eti__buffer_free(&source);
    return status;
}

static eti_status add_headline(eti_report *report, const eti_layers *layers,
                               const eti_view_options *options, eti_error *err) {
    eti_table *table;
    eti_column_spec columns[N_HEADLINE_COLUMNS];
    choose_headline_columns(columns, options);
    ETI_TRY(eti__columns_add_section(&table, report, "headline", NULL, columns, N_HEADLINE_COLUMNS,
                                     eti__view_unit(layers->inspector, options), err));
    eti__table_mark_findings(table, "text");
    report->sections[report->n_sections - 1].is_in_notes = true;
    for (uint32_t i = 0; i < layers->n_methods; i++)
        ETI_TRY(add_method(report, table, layers, i, options, err));
    return ETI_OK;
}

/* Notes the tokens per second of a method, if their number is given. */
static eti_status note_tokens(eti_report *report, const eti_layers *layers,
                              const eti_layer_method *method, const eti_view_options *options,
                              eti_error *err) {
    double rate = method_tokens(layers, method, options);
    eti_buffer text = {0};
    if (isnan(rate))
        return ETI_OK;
    if (method->name.size > 0) {
        eti__buffer_add_text(&text, method->name);
        eti__buffer_add_string(&text, ": ");
    }
    eti__add_tokens_per_second(&text, rate);
    eti__buffer_add_string(&text, ", by the typical time of a run");
    return eti__report_take_note(report, &text, err);
}

eti_status eti__view_layers(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    layer_rows *rows;
    ETI_TRY(eti__tokens_check(inspector, options, err));
    ETI_TRY(new_layer_rows(&rows, inspector, options, SIZE_MAX - 1, err));
    eti_rollup counts = {0};
    eti__rollup_join_counts(&counts, &rows->layers.rollup);
    const eti_layers *layers = &rows->layers; /* lives as long as the report */
    ETI_TRY(add_layer_rows(report, rows, inspector, options, err));
    for (size_t i = 0; i < layers->n_methods; i++)
        ETI_TRY(note_tokens(report, layers, &layers->methods[i], options, err));
    ETI_TRY(eti__view_note_unsteady(report, &counts, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &counts.runs, err));
    ETI_TRY(eti__view_note_program(report, inspector, &counts.attributed, err));
    ETI_TRY(eti__view_note_record(report, inspector, "layers and lines", err));
    return eti__view_note_cycles(report, &counts.cycles, err);
}

/* ==== answer ================================================================================== */

/* Explains the marks of shares, and says how to see layers. */
static eti_status note_layers(eti_report *report, const eti_layers *layers, eti_error *err) {
    ETI_TRY(eti__view_note_unsteady(report, &layers->rollup, err));
    if (!layers->are_kernels)
        return ETI_OK;
    return eti__report_note(report, err, "%s to see layers and lines",
                            layers->inspector->record
                                ? "use the ETRecord saved with the .pte that ran"
                                : "add the ETRecord");
}

eti_status eti__view_add_answer(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    layer_rows *rows;
    eti_actions actions;
    ETI_TRY(eti__tokens_check(inspector, options, err));
    ETI_TRY(new_layer_rows(&rows, inspector, options, MOST_SHOWN, err));
    eti_status status = eti__actions_find(&actions, &rows->layers, options, err);
    if (status == ETI_OK)
        status = add_headline(report, &rows->layers, options, err);
    if (status != ETI_OK || rows->layers.n == 0) {
        free_layer_rows(rows);
        eti__actions_free(&actions);
        return status;
    }
    const eti_layers *layers = &rows->layers; /* lives as long as the report */
    status = add_layer_rows(report, rows, inspector, options, err);
    if (status == ETI_OK)
        status = note_layers(report, layers, err);
    if (status == ETI_OK)
        status = eti__actions_add(report, &actions, options, err);
    eti__actions_free(&actions);
    return status;
}

/* Returns whether a shell takes a name for one word. */
static bool is_plain(const char *name) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    return *name && *name != '-' && name[strspn(name, plain)] == '\0';
}

eti_status eti__view_answer(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    const char *file = inspector->n_dumps > 0 ? inspector->dump_files[0].name : "";
    ETI_TRY(eti__view_add_answer(report, inspector, options, err));
    if (report->sections[0].n_notes == 0)
        ETI_TRY(eti__report_note(report, err, "no run has a time"));
    return eti__report_note(report, err, "the Inspector's table: etinspect --etdump_path %s",
                            is_plain(file) ? file : "FILE");
}
