#include "report/page_slices.h"

#include "account/account.h"
#include "timeline/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Larger numbers are not exact in JavaScript. */
#define MOST_EXACT ((int64_t)1 << 53)

enum { START, DURATION, EVENT, DEPTH, TRACK, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"start", "duration", "event", "depth", "track"};

typedef struct page_slices {
    const eti_page *page;
    eti_slice_source source;
    eti_slices *stream;
    size_t *sizes;   /* per run of the source: number of slices */
    size_t *by_time; /* numbers of runs, the shortest first */
    bool *is_chosen;
    size_t n_chosen_slices;
    eti_buffer runs, columns[N_COLUMNS];
    eti_json_writer to_runs, to_columns[N_COLUMNS]; /* write them */
    size_t n_slices;
    uint64_t before; /* start of the slice before */
} page_slices;

/* ---- which runs ------------------------------------------------------------------------------ */

static eti_status count_slices(page_slices *s, eti_error *err) {
    eti_sliced_run run;
    ETI_TRY(eti__slices_open(&s->stream, &s->source, NULL, err));
    for (size_t i = 0; i < s->source.n_runs; i++) {
        ETI_TRY(eti__slices_next(s->stream, &run, err));
        if (!run.run)
            break;
        s->sizes[i] = run.n_slices;
    }
    eti__slices_close(s->stream);
    s->stream = NULL;
    return ETI_OK;
}

static void choose(page_slices *s, size_t number) {
    size_t n = s->sizes[number], most = s->page->options.max_slices;
    if (s->is_chosen[number] || s->n_chosen_slices + n > most)
        return;
    s->is_chosen[number] = true;
    s->n_chosen_slices += n;
}

static void choose_runs(page_slices *s) {
    size_t n = s->source.n_runs;
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
    bool is_run = slice->event == ETI_NO_EVENT;
    add_number(&s->to_columns[START], (int64_t)(slice->start - s->before));
    add_number(&s->to_columns[DURATION], (int64_t)(slice->end - slice->start));
    add_number(&s->to_columns[EVENT], is_run ? -1 : (int64_t)slice->event);
    add_number(&s->to_columns[DEPTH], slice->depth);
    add_number(&s->to_columns[TRACK], slice->track);
    s->before = slice->start;
    s->n_slices++;
}

static void add_run(page_slices *s, const eti_sliced_run *run) {
    eti_json_writer *json = &s->to_runs;
    eti_buffer name = {0};
    eti__slice_run_add_name(&s->source, run->run, &name);
    if (s->runs.size > 0)
        eti__json_add_line(json, 0);
    eti__json_open_object(json);
    eti__json_add_member(json, "name", eti__buffer_text(&name));
    eti__json_add_member(json, "block", run->block->label);
    eti__json_add_u64_member(json, "number", run->run->number);
    eti__json_add_u64_member(json, "first", s->n_slices);
    eti__json_add_u64_member(json, "n", run->n_slices);
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

/* Adds an array, whose elements are written already. */
static void add_elements(eti_json_writer *json, const char *key, const eti_buffer *elements) {
    eti__json_add_line(json, 0);
    eti__json_add_key(json, key);
    eti__json_open_array(json);
    eti__json_add_raw(json, eti__buffer_text(elements));
    eti__json_close_level(json);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status make(page_slices *s, eti_json_writer *json, eti_error *err) {
    size_t n = s->source.n_runs;
    s->sizes = calloc(n + 1, sizeof *s->sizes);
    s->by_time = eti__slice_runs_by_time(&s->source);
    s->is_chosen = calloc(n + 1, sizeof *s->is_chosen);
    if (!s->sizes || !s->by_time || !s->is_chosen)
        return eti_fail_memory(err);
    ETI_TRY(count_slices(s, err));
    choose_runs(s);
    ETI_TRY(add_runs(s, err));
    if (s->n_slices == 0)
        return ETI_OK;
    eti__json_open_object(json);
    eti__json_add_u64_member(json, "n_runs", n);
    eti__json_add_member(json, "unit", eti__text_of(s->source.is_in_cycles ? "cycles" : "ns"));
    add_tracks(json, s);
    add_elements(json, "runs", &s->runs);
    for (size_t i = 0; i < N_COLUMNS; i++)
        add_elements(json, column_names[i], &s->columns[i]);
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
    free(s.sizes);
    free(s.by_time);
    free(s.is_chosen);
    return status;
}
