#include "compare/parts.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

/* ==== diff row ================================================================================ */

/* ---- rows of entries ------------------------------------------------------------------------- */

double eti__entry_typical(const eti_profile_block *block, const eti_entry *entry) {
    double sum = 0;
    for (size_t i = 0; i < block->n_files && entry->times; i++) {
        if (!eti__file_lacks_entry(&entry->times[i]))
            sum += (double)block->files[i].n * entry->times[i].p50;
    }
    return sum;
}

static void set_side(eti_row_side *side, const eti_profile_block *block,
                     const eti_namesakes *namesakes, const eti_entry *entry) {
    side->p50 = side->location = side->share = (double)NAN;
    if (!entry || !block)
        return;
    side->entry = entry;
    if (entry->kind == ETI_ENTRY_EVENT && namesakes)
        side->namesakes = &namesakes[entry - block->entries];
    side->times = entry->times;
    side->ticks = entry->ticks;
    side->n_events = 1;
    side->n_runs = block->n_runs;
    side->p50 = entry->summary.p50;
    side->typical = eti__entry_typical(block, entry);
}

eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side) {
    const eti_diff_pair *of = &diff->pairs[pair];
    const eti_entry *entry = new_side ? new_side : base;
    eti_diff_row row = {.pair = pair, .kind = entry->kind, .name = entry->name};
    row.block = of->new_side ? of->new_side->label : of->base->label;
    row.adjusted_p = 1;
    row.metric = diff->options.one_process ? ETI_METRIC_P50 : (uint8_t)diff->options.metric;
    row.ratio = row.fast = (double)NAN;
    set_side(&row.base, of->base, of->namesakes_base, base);
    if (diff->base->target_scale != diff->new_side->target_scale &&
        !eti__row_side_unit(&row.base).data)
        row.base.p50 *= diff->base->factor / diff->base_factor;
    set_side(&row.new_side, of->new_side, of->namesakes_new, new_side);
    if (row.base.entry && row.new_side.entry &&
        !eti__text_equal(eti__row_side_unit(&row.base), eti__row_side_unit(&row.new_side)))
        row.unjudged = ETI_UNJUDGED_UNITS;
    return row;
}

bool eti__diff_rows_name_blocks(const eti_diff *diff, const eti_diff_rows *rows) {
    eti_row_blocks blocks = {.must_be_named = false};
    for (size_t i = 0; i < rows->n && !blocks.must_be_named; i++)
        eti__row_blocks_add(&blocks, rows->rows[i].kind, &diff->pairs[rows->rows[i].pair]);
    return blocks.must_be_named;
}

const eti_family *eti__diff_events_with_level(const eti_diff *diff) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].events.levels)
            return &diff->pairs[i].events;
    }
    return NULL;
}

void eti__coverage_add(eti_coverage *coverage, eti_unjudged unjudged) {
    coverage->n_events++;
    coverage->n_judged += unjudged == ETI_JUDGED;
    coverage->n_few_files += unjudged == ETI_UNJUDGED_FEW_FILES;
    coverage->n_small += unjudged == ETI_UNJUDGED_SMALL;
    coverage->n_no_time += unjudged == ETI_UNJUDGED_NO_TIME;
    coverage->n_missing += unjudged == ETI_UNJUDGED_MISSING;
    coverage->n_units += unjudged == ETI_UNJUDGED_UNITS;
}

/* ---- values ---------------------------------------------------------------------------------- */

double eti__file_metric(const eti_file_times *times, eti_metric metric) {
    static const size_t offsets[ETI_N_METRICS] = {
        [ETI_METRIC_P50] = offsetof(eti_file_times, p50),
        [ETI_METRIC_AVG] = offsetof(eti_file_times, avg),
        [ETI_METRIC_P90] = offsetof(eti_file_times, p90),
        [ETI_METRIC_P95] = offsetof(eti_file_times, p95),
        [ETI_METRIC_P99] = offsetof(eti_file_times, p99),
        [ETI_METRIC_MIN] = offsetof(eti_file_times, min),
        [ETI_METRIC_MAX] = offsetof(eti_file_times, max),
        [ETI_METRIC_FAST] = offsetof(eti_file_times, fast),
    };
    double value;
    memcpy(&value, (const char *)times + offsets[metric], sizeof value);
    return value;
}

/* Fills the values of a side; a single run has one time, whatever the metric. */
static bool fill_side(const eti_diff *diff, const eti_row_side *side, eti_metric metric, size_t n,
                      double *out) {
    bool is_run = diff->options.one_process;
    if (is_run ? !side->ticks : !side->times)
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = is_run ? (double)side->ticks[i] : eti__file_metric(&side->times[i], metric);
    return true;
}

static bool is_time(const eti_diff_row *row, const eti_row_side *side) {
    return row->kind != ETI_ENTRY_ALLOCATED && !eti__row_side_unit(side).data;
}

bool eti__diff_row_metric(const eti_diff *diff, const eti_diff_row *row, eti_metric metric,
                          double *out) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    if (!fill_side(diff, &row->base, metric, pair->n_base, out))
        return false;
    for (size_t i = 0; is_time(row, &row->base) && i < pair->n_base; i++)
        out[i] *= diff->base_scale;
    return fill_side(diff, &row->new_side, metric, pair->n_new, out + pair->n_base);
}

bool eti__has_missing(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            return true;
    }
    return false;
}

double eti__diff_row_share(const eti_diff_row *row) {
    return fmax(row->base.share, row->new_side.share); /* fmax() ignores NaN */
}

eti_unjudged eti__find_unjudged(const double *values, size_t n, double least, double *scratch) {
    if (eti__has_missing(values, n))
        return ETI_UNJUDGED_MISSING;
    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0))
            return ETI_UNJUDGED_NO_TIME;
    }
    return eti__median_of(values, n, scratch) < least ? ETI_UNJUDGED_SMALL : ETI_JUDGED;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Sets the location to the median over the units that have the row. */
static void set_location(const eti_diff *diff, eti_row_side *side, size_t n, double factor,
                         double *scratch) {
    if (fill_side(diff, side, diff->metric, n, scratch))
        side->location = eti__median_of_known(scratch, n, scratch) / factor;
}

/* Returns the share of a side; the total of all is the whole. */
static double side_share(const eti_row_side *side, double whole) {
    if (side->n_events == 0 || !(whole > 0))
        return (double)NAN;
    return side->entry && side->entry->kind == ETI_ENTRY_EXECUTE ? 1 : side->typical / whole;
}

void eti__diff_set_sizes(const eti_diff *diff, eti_diff_row *row, const eti_diff_row *total,
                         double *scratch) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    bool base_is_time = is_time(row, &row->base), new_is_time = is_time(row, &row->new_side);
    set_location(diff, &row->base, pair->n_base, base_is_time ? diff->base_factor : 1, scratch);
    set_location(diff, &row->new_side, pair->n_new, new_is_time ? diff->new_side->factor : 1,
                 scratch);
    double base = row->base.location, new_side = row->new_side.location;
    row->ratio = base > 0 ? new_side / base : (double)NAN;
    if (base == 0 && new_side == 0)
        row->ratio = 1;
    if (row->unjudged == ETI_UNJUDGED_UNITS)
        row->ratio = (double)NAN;
    row->shift.estimate = log(row->ratio);
    row->shift.low = -(double)INFINITY;
    row->shift.high = (double)INFINITY;
    row->base.share = row->new_side.share = (double)NAN;
    if (total && base_is_time)
        row->base.share = side_share(&row->base, pair->typical_base);
    if (total && new_is_time)
        row->new_side.share = side_share(&row->new_side, pair->typical_new);
}

void eti__diff_set_delta(eti_diff_row *row, const eti_diff_row *total) {
    double base = row->base.location, new_side = row->new_side.location;
    row->delta = (isnan(new_side) ? 0 : new_side) - (isnan(base) ? 0 : base);
    row->impact = (double)NAN;
    if (row->unjudged == ETI_UNJUDGED_UNITS)
        row->delta = (double)NAN;
    if (total && total->base.location > 0 && is_time(row, &row->base) &&
        is_time(row, &row->new_side))
        row->impact = row->delta / total->base.location;
}

/* ==== namesakes =============================================================================== */

#define LONGEST_NAME 80 /* in columns of the screen */

/* ---- labels ---------------------------------------------------------------------------------- */

void eti__add_row_name(eti_buffer *out, eti_text name) {
    eti__add_folded(out, name, LONGEST_NAME, "...");
}

/* Appends the file without its folders, and the line. */
static void add_line(eti_buffer *out, const eti_entry *entry) {
    eti_buffer line = {0};
    eti__add_source_line(&line, eti__file_of_path(entry->file), entry->line);
    if (line.failed)
        out->failed = true;
    else
        eti__add_row_name(out, eti__buffer_text(&line));
    eti__buffer_free(&line);
}

/* Appends what distinguishes an event from its namesakes. */
static void add_place(eti_buffer *out, const eti_entry *entry, const eti_namesakes *of,
                      bool has_module) {
    if (of->has_number)
        eti__buffer_printf(out, " #%u", of->number);
    if (!has_module && !of->has_line)
        return;
    eti__buffer_add_string(out, " (");
    if (has_module)
        eti__add_row_name(out, entry->module);
    if (of->has_line) {
        eti__buffer_add_string(out, has_module ? ", " : "");
        add_line(out, entry);
    }
    eti__buffer_add_char(out, ')');
}

void eti__add_entry_label(eti_buffer *out, const eti_entry *entry, const eti_namesakes *namesakes) {
    eti__add_row_name(out, entry->name);
    if (namesakes && namesakes->n > 1)
        add_place(out, entry, namesakes, entry->module.size > 0);
}

/* ---- events of a block ----------------------------------------------------------------------- */

/* The events of a block, with room for a text and a number each. */
typedef struct finder {
    const eti_entry *events;
    size_t n;
    eti_namesakes *out; /* per event */
    eti_text *texts;
    uint32_t *numbers, *n_equal;
    eti_buffer labels;
} finder;

static bool number_names(finder *f, bool *has_namesakes) {
    for (size_t i = 0; i < f->n; i++)
        f->texts[i] = f->events[i].name;
    if (!eti__number_equal_texts(f->texts, f->n, f->numbers, f->n_equal))
        return false;
    for (size_t i = 0; i < f->n; i++) {
        f->out[i] = (eti_namesakes){.n = f->n_equal[i], .number = f->numbers[i]};
        *has_namesakes |= f->n_equal[i] > 1;
    }
    return true;
}

/* Counts the events with the same label, for each event that has namesakes. */
static bool count_labels(finder *f) {
    size_t end = 0;
    f->labels.size = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->out[i].n > 1)
            eti__add_entry_label(&f->labels, &f->events[i], &f->out[i]);
        f->texts[i].size = f->labels.size - end;
        end = f->labels.size;
    }
    if (f->labels.failed)
        return false;
    const char *label = f->labels.data ? f->labels.data : "";
    for (size_t i = 0; i < f->n; i++) {
        f->texts[i].data = label;
        label += f->texts[i].size;
    }
    return eti__number_equal_texts(f->texts, f->n, f->numbers, f->n_equal);
}

static bool choose_lines(finder *f) {
    for (size_t i = 0; i < f->n; i++)
        f->out[i].has_line = f->events[i].module.size == 0 && f->events[i].file.size > 0;
    if (!count_labels(f))
        return false;
    for (size_t i = 0; i < f->n; i++)
        f->out[i].has_line =
            f->events[i].file.size > 0 && (f->out[i].has_line || f->n_equal[i] > 1);
    return true;
}

static bool choose_numbers(finder *f) {
    if (!count_labels(f))
        return false;
    for (size_t i = 0; i < f->n; i++) {
        bool is_bare = f->events[i].module.size == 0 && !f->out[i].has_line;
        f->out[i].has_number = is_bare || f->n_equal[i] > 1;
    }
    return true;
}

static bool keep_labels(finder *f, eti_arena *arena) {
    for (size_t i = 0; i < f->n; i++) {
        eti_namesakes *of = &f->out[i];
        if (of->n < 2 || (!of->has_line && !of->has_number))
            continue;
        f->labels.size = 0;
        eti__buffer_add_text(&f->labels, f->events[i].name);
        add_place(&f->labels, &f->events[i], of, false);
        if (f->labels.failed ||
            !eti__arena_copy_text(arena, eti__buffer_text(&f->labels), &of->beside_module))
            return false;
    }
    return true;
}

bool eti__namesakes_find(const eti_namesakes **out, const eti_profile_block *block,
                         eti_arena *arena) {
    eti_namesakes *all = eti__arena_alloc_zero(arena, block->n_entries + 1, sizeof *all);
    size_t first = 0;
    while (first < block->n_entries && block->entries[first].kind != ETI_ENTRY_EVENT)
        first++;
    finder f = {.events = block->entries + first, .n = block->n_entries - first};
    eti_arena own = {0};
    f.texts = eti__arena_alloc(&own, f.n, sizeof *f.texts);
    f.numbers = eti__arena_alloc(&own, f.n, sizeof *f.numbers);
    f.n_equal = eti__arena_alloc(&own, f.n, sizeof *f.n_equal);
    bool done = all && f.texts && f.numbers && f.n_equal, has_namesakes = false;
    if (done) {
        f.out = all + first;
        done = number_names(&f, &has_namesakes);
    }
    if (done && has_namesakes)
        done = choose_lines(&f) && choose_numbers(&f) && keep_labels(&f, arena);
    eti__arena_free(&own);
    eti__buffer_free(&f.labels);
    *out = all;
    return done;
}

/* ==== row label =============================================================================== */

void eti__add_row_block(eti_buffer *out, eti_text label) {
    eti__buffer_add_string(out, " of ");
    eti__add_row_name(out, label);
}

/* Returns the side on which a row has its name. */
static const eti_row_side *named_side(const eti_diff_row *row) {
    return row->new_side.entry ? &row->new_side : &row->base;
}

const eti_namesakes *eti__row_namesakes(const eti_diff_row *row) {
    return named_side(row)->namesakes;
}

void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    const eti_row_side *side = named_side(row);
    if (side->namesakes)
        eti__add_entry_label(out, side->entry, side->namesakes);
    else
        eti__add_row_name(out, row->name);
    if (names_block)
        eti__add_row_block(out, row->block);
}

/* ---- tables ---------------------------------------------------------------------------------- */

eti_text eti__label_beside_module(const eti_namesakes *namesakes) {
    return namesakes ? namesakes->beside_module : (eti_text){0};
}

void eti__needs_add(eti_row_needs *needs, const eti_entry *entry, const eti_namesakes *namesakes) {
    if (!namesakes || namesakes->n < 2)
        return;
    needs->labels = needs->labels || namesakes->beside_module.data;
    needs->modules = needs->modules || entry->module.size > 0;
}

void eti__needs_add_row(eti_row_needs *needs, const eti_diff_row *row) {
    const eti_row_side *side = named_side(row);
    eti__needs_add(needs, side->entry, side->namesakes);
}

void eti__needs_show(const eti_row_needs *needs, eti_table *table, const char *name) {
    if (needs->labels || needs->modules)
        eti__table_distinguish(table, name, needs->modules ? "module" : NULL);
}

/* ==== diff scale ============================================================================== */
/* Converts the ticks of the base to those of the new side, whose clocks may have different rates. */

static bool has_same_ticks(const eti_profile *base, const eti_profile *new_side) {
    return base->source_scale == new_side->source_scale &&
           base->target_scale == new_side->target_scale &&
           (base->source_scale != ETI_SCALE_CYCLES || base->clock_hz == new_side->clock_hz);
}

eti_status eti__diff_find_scale(eti_diff *diff, eti_error *err) {
    const eti_profile *base = diff->base, *new_side = diff->new_side;
    diff->base_factor = base->factor;
    diff->base_scale = 1;
    /* a side without blocks is a program without times */
    if (has_same_ticks(base, new_side) || base->n_blocks == 0 || new_side->n_blocks == 0)
        return ETI_OK;
    if (!eti__time_scales_fit(base->source_scale, new_side->target_scale, base->clock_hz))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s is in %s and %.*s in %s, which cannot be converted to each other: "
                        "give %sclock_hz, and one %starget_time_scale for both",
                        ETI_TEXT_ARGS(base->name), eti_time_scale_name(base->source_scale),
                        ETI_TEXT_ARGS(new_side->name), eti_time_scale_name(new_side->target_scale),
                        eti__option_prefix(), eti__option_prefix());
    diff->base_factor =
        eti__time_scale_factor(base->source_scale, new_side->target_scale, base->clock_hz);
    diff->base_scale = new_side->factor / diff->base_factor;
    return ETI_OK;
}

bool eti__diff_add_clocks(eti_diff *diff) {
    bool is_one_scale = diff->base_scale == 1;
    return eti__clocks_add(is_one_scale ? &diff->clocks : &diff->base_clocks, diff->base) &&
           eti__clocks_add(&diff->clocks, diff->new_side);
}

double eti__diff_clock_step(const eti_diff *diff, const eti_entry *entry) {
    return fmax(eti__clock_step(&diff->clocks, entry),
                diff->base_scale * eti__clock_step(&diff->base_clocks, entry));
}
