/*
 * Speedscope's own format (https://www.speedscope.app/file-format-schema.json): the stacks of all runs that count as a
 * profile of samples, followed by the time lines of single runs.
 *
 * Frames are names only: speedscope treats frames with different lines as different, and would not add up an operator. If
 * all stacks that end in a function have the same line, the frame has it, too.
 */
#include "trace/report_stacks.h"
#include "trace/slice_args.h"

#include <stdlib.h>

#define MOST_AT_ONCE 4096 /* bytes that are kept before they are written */
#define MOST_RUNS 50      /* most runs that are all written; of more runs, four are */

typedef struct scope {
    const eti_report *report;
    eti_output *output;
    const eti_stacks *stacks;
    ETI_INTERN_OF(eti_text) frames; /* begins with the functions of the stacks */
    eti_buffer text;
    eti_json_writer json;
    eti_buffer scratch;
    bool failed; /* out of memory */
} scope;

static void flush(scope *s, size_t most) {
    if (s->text.size <= most)
        return;
    eti__output_add_text(s->output, eti__buffer_text(&s->text));
    s->text.size = 0;
}

/* Adds a member; an absent text is empty. */
static void add_text(scope *s, const char *key, eti_text value) {
    eti__json_add_member(&s->json, key, value.data ? value : (eti_text){"", 0});
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Adds the functions as the first frames, so that their numbers are the same. */
static void begin_frames(scope *s) {
    uint32_t number;
    for (size_t i = 0; i < s->stacks->functions.count; i++) {
        if (!eti__intern_add(&s->frames.table, &eti__text_kind, &s->stacks->functions.items[i].name,
                             &number))
            s->failed = true;
    }
}

static uint32_t frame_of(scope *s, eti_text name) {
    uint32_t number = 0;
    if (!eti__intern_add(&s->frames.table, &eti__text_kind, &name, &number))
        s->failed = true;
    return number;
}

static void add_frames(scope *s) {
    const eti_stacks *stacks = s->stacks;
    eti__json_add_key(&s->json, "shared");
    eti__json_open_object(&s->json);
    eti__json_add_key(&s->json, "frames");
    eti__json_open_array(&s->json);
    for (size_t i = 0; i < s->frames.count; i++) {
        const eti_stack_function *function =
            i < stacks->functions.count ? &stacks->functions.items[i] : NULL;
        eti__json_add_line(&s->json, 0);
        eti__json_open_object(&s->json);
        add_text(s, "name", s->frames.items[i]);
        if (function && function->file.data) {
            add_text(s, "file", function->file);
            eti__json_add_u64_member(&s->json, "line", function->line);
        }
        eti__json_close_level(&s->json);
        flush(s, MOST_AT_ONCE);
    }
    eti__json_close_level(&s->json);
    eti__json_close_level(&s->json);
}

/* ---- all runs -------------------------------------------------------------------------------- */

static const char *unit_of(const scope *s) {
    return s->stacks->is_in_cycles ? "none" : "nanoseconds";
}

static void add_range(scope *s, uint64_t end) {
    eti__json_add_member(&s->json, "unit", eti__text_of(unit_of(s)));
    eti__json_add_u64_member(&s->json, "startValue", 0);
    eti__json_add_u64_member(&s->json, "endValue", end);
}

/* Begins a profile, an object on its own line, whose last member the caller adds. */
static void open_profile(scope *s, const char *type, eti_text name, uint64_t end) {
    eti__json_add_line(&s->json, 0);
    eti__json_open_object(&s->json);
    add_text(s, "type", eti__text_of(type));
    add_text(s, "name", name);
    add_range(s, end);
}

static void add_sampled(scope *s) {
    const eti_stacks *stacks = s->stacks;
    uint32_t path[ETI_MOST_STACK_DEPTH];
    open_profile(s, "sampled", eti__text_of("all runs after the warm-up"), stacks->total);
    eti__json_add_key(&s->json, "samples");
    eti__json_open_array(&s->json);
    for (size_t i = 0; i < stacks->n; i++) {
        size_t n = eti__stack_path(stacks, stacks->items[i].node, path);
        eti__json_add_line(&s->json, 0);
        eti__json_open_array(&s->json);
        for (size_t k = 0; k < n; k++)
            eti__json_add_u64(&s->json, stacks->nodes.items[path[k]].function);
        eti__json_close_level(&s->json);
        flush(s, MOST_AT_ONCE);
    }
    eti__json_close_level(&s->json);
    eti__json_add_key(&s->json, "weights");
    eti__json_open_array(&s->json);
    for (size_t i = 0; i < stacks->n; i++) {
        eti__json_add_u64(&s->json, stacks->items[i].ns);
        flush(s, MOST_AT_ONCE);
    }
    eti__json_close_level(&s->json);
    eti__json_close_level(&s->json);
}

/* ---- run by run ------------------------------------------------------------------------------ */

typedef struct open_frame {
    uint32_t frame;
    uint64_t end;
} open_frame;

/* Types of events. */
#define OPENS "O"
#define CLOSES "C"

static void add_event(scope *s, const char *type, uint32_t frame, uint64_t at) {
    eti__json_add_line(&s->json, 0);
    eti__json_open_object(&s->json);
    eti__json_add_member(&s->json, "type", eti__text_of(type));
    eti__json_add_u64_member(&s->json, "frame", frame);
    eti__json_add_u64_member(&s->json, "at", at);
    eti__json_close_level(&s->json);
    flush(s, MOST_AT_ONCE);
}

/* Returns whether the profile of a run shows a slice: it nests, and is not the run itself. */
static bool is_shown(const eti_slices *slices, const eti_slice *slice) {
    const eti_slice_track *track = eti__slices_track(slices, slice->track);
    return track->kind == ETI_TRACK_METHOD && track->lane == 0 && slice->event != ETI_NO_EVENT;
}

/* Opens and closes the shown slices of a run, in the order of time. Outer slices come before inner
 * ones, so the slices around one are those that have not ended at its start; a slice without length
 * contains none. */
static void add_events(scope *s, const eti_slice_source *source, const eti_slices *slices,
                       const eti_sliced_run *run, open_frame *open, uint64_t base) {
    size_t depth = 0;
    for (size_t i = 0; i < run->n_slices; i++) {
        const eti_slice *slice = &run->slices[i];
        if (!is_shown(slices, slice))
            continue;
        for (; depth > 0 && open[depth - 1].end <= slice->start; depth--)
            add_event(s, CLOSES, open[depth - 1].frame, open[depth - 1].end - base);
        uint32_t frame =
            frame_of(s, eti__slice_name(eti__slice_event_of(source, run->run, slice->event)));
        add_event(s, OPENS, frame, slice->start - base);
        open[depth++] = (open_frame){frame, slice->end};
    }
    for (; depth > 0; depth--)
        add_event(s, CLOSES, open[depth - 1].frame, open[depth - 1].end - base);
}

static void add_run(scope *s, const eti_slice_source *source, const eti_slices *slices,
                    const eti_sliced_run *run) {
    uint64_t start = UINT64_MAX, end = 0;
    for (size_t i = 0; i < run->n_slices; i++) {
        if (!is_shown(slices, &run->slices[i]))
            continue;
        start = run->slices[i].start < start ? run->slices[i].start : start;
        end = run->slices[i].end > end ? run->slices[i].end : end;
    }
    if (start > end)
        return;
    open_frame *open = malloc(run->n_slices * sizeof *open);
    if (!open) {
        s->failed = true;
        return;
    }
    s->scratch.size = 0;
    eti__slice_run_add_name(source, run->run, &s->scratch);
    open_profile(s, "evented", eti__buffer_text(&s->scratch), end - start);
    eti__json_add_key(&s->json, "events");
    eti__json_open_array(&s->json);
    add_events(s, source, slices, run, open, start);
    eti__json_close_level(&s->json);
    eti__json_close_level(&s->json);
    free(open);
}

/* Chooses the runs that are written: all, or the first, the slowest, the middle one and the last. */
static bool choose_runs(const eti_slice_source *source, bool *chosen) {
    size_t n = source->n_runs;
    size_t *by_time = eti__slice_runs_by_time(source);
    if (!by_time)
        return false;
    for (size_t i = 0; i < n; i++)
        chosen[i] = n <= MOST_RUNS;
    if (n > MOST_RUNS)
        chosen[0] = chosen[n - 1] = chosen[by_time[n / 2]] = chosen[by_time[n - 1]] = true;
    free(by_time);
    return true;
}

static eti_status add_runs(scope *s, const eti_slice_source *source, eti_error *err) {
    bool *chosen = calloc(source->n_runs + 1, sizeof *chosen), *is_left_out = NULL;
    eti_slices *slices = NULL;
    eti_sliced_run run;
    eti_status status = chosen && choose_runs(source, chosen) ? ETI_OK : eti_fail_memory(err);
    if (status == ETI_OK)
        status = eti__report_slices_open(&slices, &is_left_out, s->report, err);
    while (status == ETI_OK && !s->failed && !eti__output_failed(s->output)) {
        status = eti__slices_next(slices, &run, err);
        if (status != ETI_OK || !run.run)
            break;
        if (chosen[run.run - source->runs])
            add_run(s, source, slices, &run);
    }
    if (slices) {
        eti__slices_close(slices);
        free(is_left_out);
    }
    free(chosen);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static eti_status write_scope(scope *s, eti_error *err) {
    eti_json_writer *json = &s->json;
    *json = eti__json_writer(&s->text, ETI_JSON_COMPACT);
    eti__json_open_object(json);
    add_text(s, "$schema", eti__text_of("https://www.speedscope.app/file-format-schema.json"));
    eti__json_add_line(json, 0);
    eti__buffer_printf(&s->scratch, "etinspect %s", eti_version());
    add_text(s, "exporter", eti__buffer_text(&s->scratch));
    eti__json_add_line(json, 0);
    add_text(s, "name", eti__report_etdump_name(s->report));
    eti__json_add_line(json, 0);
    eti__json_add_u64_member(json, "activeProfileIndex", 0);
    eti__json_add_line(json, 0);
    eti__json_add_key(json, "profiles");
    eti__json_open_array(json);
    begin_frames(s);
    add_sampled(s);
    ETI_TRY(add_runs(s, s->report->slices, err));
    eti__json_close_level(json);
    eti__json_add_line(json, 0);
    add_frames(s);
    eti__json_close_level(json);
    eti__buffer_add_char(&s->text, '\n');
    if (s->failed || s->text.failed || s->scratch.failed)
        return eti_fail_memory(err);
    flush(s, 0);
    return ETI_OK;
}

static eti_status write_speedscope(const eti_report *report, const eti_write_options *options,
                                   eti_output *output, eti_error *err) {
    (void)options;
    eti_stacks stacks;
    scope s = {.report = report, .output = output, .stacks = &stacks};
    eti_status status = eti__report_stacks_make(&stacks, report, err);
    if (status == ETI_OK)
        status = write_scope(&s, err);
    eti__intern_free(&s.frames.table);
    eti__buffer_free(&s.text);
    eti__buffer_free(&s.scratch);
    eti__stacks_free(&stacks);
    return status;
}

const eti_writer eti__writer_speedscope = {
    .name = "speedscope",
    .summary = "stacks and runs, for speedscope.app",
    .suffixes = "speedscope.json",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_speedscope,
};
