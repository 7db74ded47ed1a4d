#include "base/intern.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "table/table.h"
#include "timeline/timeline.h"
#include "trace/slice_args.h"
#include "write/write.h"

#include <stdlib.h>

/* ==== folded ================================================================================== */

/*
 * Folded stacks: a line per stack, "forward;blocks.0;q;aten.addmm.default 693518", as flamegraph.pl, inferno and speedscope
 * read them. Times are nanoseconds of a typical run, or cycles of an unknown clock.
 */

/* Adds a name without semicolons, which separate names, and line breaks, which end stacks. */
static void add_name(eti_buffer *out, eti_text name) {
    size_t start = out->size;
    ETI_EXPECT_UTF8(name);
    eti__buffer_add_text(out, name);
    for (size_t i = start; i < out->size; i++) {
        unsigned char byte = (unsigned char)out->data[i];
        if (byte == ';')
            out->data[i] = ':';
        else if (byte < ' ' || byte == 0x7f)
            out->data[i] = ' ';
    }
}

/* Writes the stacks that take time; those that end in the same node become one. */
static void write_stacks(const eti_stacks *stacks, eti_output *output, eti_buffer *line) {
    uint32_t path[ETI_MOST_STACK_DEPTH];
    for (size_t i = 0, next; i < stacks->n && !eti__output_failed(output); i = next) {
        double ns = 0;
        for (next = i; next < stacks->n && stacks->items[next].node == stacks->items[i].node;
             next++)
            ns += stacks->items[next].ns;
        if (eti__stack_round(ns) == 0)
            continue;
        size_t n = eti__stack_path(stacks, stacks->items[i].node, path);
        line->size = 0;
        for (size_t k = 0; k < n; k++) {
            if (k > 0)
                eti__buffer_add_char(line, ';');
            add_name(line, eti__stack_name(stacks, path[k]));
        }
        eti__buffer_add_char(line, ' ');
        eti__buffer_add_u64(line, eti__stack_round(ns));
        eti__buffer_add_char(line, '\n');
        eti__output_add_text(output, eti__buffer_text(line));
    }
}

static eti_status write_folded(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    (void)options;
    eti_stacks stacks;
    eti_buffer line = {0};
    eti_status status = eti__report_stacks_make(&stacks, report, err);
    if (status == ETI_OK) {
        write_stacks(&stacks, output, &line);
        status = line.failed ? eti_fail_memory(err) : ETI_OK;
    }
    eti__buffer_free(&line);
    eti__stacks_free(&stacks);
    return status;
}

const eti_writer eti__writer_folded = {
    .name = "folded",
    .summary = "folded stacks, for flamegraph.pl and inferno",
    .suffixes = "folded",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_folded,
};

/* ==== speedscope ============================================================================== */

/*
 * Speedscope's own format (https://www.speedscope.app/file-format-schema.json): the stacks of a typical run as a
 * profile of samples, followed by the time lines of single runs.
 *
 * Frames are names only: speedscope treats frames with different lines as different, and would not add up an operator. If
 * all stacks that end in a function have the same line, the frame has it, too.
 */

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
    uint64_t total = 0;
    for (size_t i = 0; i < stacks->n && total < INT64_MAX; i++)
        total += eti__stack_round(stacks->items[i].ns);
    total = total < INT64_MAX ? total : INT64_MAX;
    open_profile(s, "sampled", eti__text_of("typical run"), total);
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
        eti__json_add_u64(&s->json, eti__stack_round(stacks->items[i].ns));
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

/* Returns whether the slices of a run on a track have a profile: they nest. */
static bool has_profile(const eti_slice_track *track, const eti_slice_source *source,
                        const eti_slice_run *run) {
    bool is_of_run = track->run == ETI_EVERY_RUN || &source->runs[track->run] == run;
    return track->kind == ETI_TRACK_METHOD && track->lane == 0 && track->dump == run->dump &&
           is_of_run;
}

/* Returns whether the profile of a run on a track shows a slice: it is there, and is not the run itself. */
static bool is_shown(const eti_slice *slice, uint32_t track) {
    return slice->track == track && slice->event != ETI_NO_EVENT;
}

/* Opens and closes the slices of a run on a track, in the order of time. Outer slices come before inner
 * ones, so the slices around one are those that have not ended at its start; a slice without length
 * contains none. */
static void add_events(scope *s, const eti_slice_source *source, const eti_sliced_run *run,
                       uint32_t track, open_frame *open, uint64_t base) {
    size_t depth = 0;
    for (size_t i = 0; i < run->n_slices; i++) {
        const eti_slice *slice = &run->slices[i];
        if (!is_shown(slice, track))
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

static void add_track_of_run(scope *s, const eti_slice_source *source, const eti_slices *slices,
                             const eti_sliced_run *run, uint32_t number) {
    const eti_slice_track *track = eti__slices_track(slices, number);
    uint64_t start = UINT64_MAX, end = 0;
    for (size_t i = 0; i < run->n_slices; i++) {
        if (!is_shown(&run->slices[i], number))
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
    if (track->thread > 0) {
        eti__buffer_add_string(&s->scratch, " on ");
        eti__slice_track_add_name(source, track, &s->scratch);
    }
    open_profile(s, "evented", eti__buffer_text(&s->scratch), end - start);
    eti__json_add_key(&s->json, "events");
    eti__json_open_array(&s->json);
    add_events(s, source, run, number, open, start);
    eti__json_close_level(&s->json);
    eti__json_close_level(&s->json);
    free(open);
}

/* Adds a profile for each thread and queue of a run. */
static void add_run(scope *s, const eti_slice_source *source, const eti_slices *slices,
                    const eti_sliced_run *run) {
    for (size_t i = 0; i < eti__slices_track_count(slices); i++) {
        if (has_profile(eti__slices_track(slices, i), source, run->run))
            add_track_of_run(s, source, slices, run, (uint32_t)i);
    }
}

/* Chooses the runs that are written beside the representative one: all, or the first, the slowest, the middle one and the
 * last. */
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

/* Adds the chosen runs, in the order of recording. */
static eti_status add_chosen(scope *s, const bool *chosen, eti_error *err) {
    const eti_slice_source *source = s->report->slices;
    bool *is_left_out = NULL;
    eti_slices *slices = NULL;
    eti_sliced_run run;
    eti_status status = eti__report_slices_open(&slices, &is_left_out, s->report, err);
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
    return status;
}

/* Adds the representative run, which is shown first, then all runs together, then the other runs. */
static eti_status add_profiles(scope *s, eti_error *err) {
    const eti_slice_source *source = s->report->slices;
    bool *first = calloc(source->n_runs + 1, sizeof *first);
    bool *others = calloc(source->n_runs + 1, sizeof *others);
    size_t representative = eti__slice_runs_representative(source);
    eti_status status =
        first && others && choose_runs(source, others) ? ETI_OK : eti_fail_memory(err);
    if (status == ETI_OK && representative != SIZE_MAX) {
        first[representative] = true;
        others[representative] = false;
        status = add_chosen(s, first, err);
    }
    if (status == ETI_OK) {
        add_sampled(s);
        status = add_chosen(s, others, err);
    }
    free(first);
    free(others);
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
    ETI_TRY(add_profiles(s, err));
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
    .other_suffixes = "json",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_speedscope,
};

/* ==== pprof =================================================================================== */

/*
 * The profile format of pprof (profile.proto of github.com/google/pprof). Files called .pb.gz are compressed, as usual; its
 * tools read both.
 *
 * A sample is a stack, with the number of events and their self time. A location is a function with a line: operators have
 * the line of the source that they come from, modules and methods have none. The mapping, which stands for a binary, is the
 * first ETDump.
 */

/* Numbers of fields. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6,
    PROFILE_DEFAULT_TYPE = 14,
    TYPE_TYPE = 1,
    TYPE_UNIT = 2,
    SAMPLE_LOCATIONS = 1,
    SAMPLE_VALUES = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_TEXT = 2,
    MAPPING_ID = 1,
    MAPPING_FILE = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
};

#define THE_MAPPING 1

/* Numbers of strings. */
typedef struct pprof_function {
    uint32_t name, file;
} pprof_function;

typedef struct pprof_location {
    uint32_t function, line;
} pprof_location;

typedef struct pprof {
    const eti_stacks *stacks;
    ETI_INTERN_OF(eti_text) strings;
    ETI_INTERN_OF(pprof_function) functions; /* ids are one more than their numbers here */
    ETI_INTERN_OF(pprof_location) locations; /* likewise */
    eti_buffer out, message, inner;
    bool failed; /* out of memory */
} pprof;

/* ---- numbers of things ----------------------------------------------------------------------- */

static uint32_t string_of(pprof *p, eti_text text) {
    uint32_t number = 0;
    if (!text.data)
        text = (eti_text){"", 0};
    ETI_EXPECT_UTF8(text);
    p->failed |= !eti__intern_add(&p->strings.table, &eti__text_kind, &text, &number);
    return number;
}

static uint32_t c_string(pprof *p, const char *text) {
    return string_of(p, eti__text_of(text));
}

/* Returns the id of a node's location; the location of the last node of a stack has its line. */
static uint64_t location_of(pprof *p, uint32_t node, const eti_stack *leaf) {
    static const eti_intern_kind function_kind = {.item_size = sizeof(pprof_function),
                                                  .key_size = sizeof(pprof_function)};
    static const eti_intern_kind location_kind = {.item_size = sizeof(pprof_location),
                                                  .key_size = sizeof(pprof_location)};
    bool has_line = leaf && leaf->file.data;
    pprof_function function = {string_of(p, eti__stack_name(p->stacks, node)),
                               has_line ? string_of(p, leaf->file) : 0};
    pprof_location location = {.line = has_line ? leaf->line : 0};
    uint32_t number = 0;
    p->failed |=
        !eti__intern_add(&p->functions.table, &function_kind, &function, &location.function) ||
        !eti__intern_add(&p->locations.table, &location_kind, &location, &number);
    return (uint64_t)number + 1;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void end_message(pprof *p, uint32_t field) {
    eti__protobuf_add_bytes(&p->out, field, eti__buffer_text(&p->message));
    p->message.size = 0;
}

static void end_inner(pprof *p, uint32_t field) {
    eti__protobuf_add_bytes(&p->message, field, eti__buffer_text(&p->inner));
    p->inner.size = 0;
}

static void add_type(pprof *p, const char *type, const char *unit) {
    eti__protobuf_add_number(&p->message, TYPE_TYPE, c_string(p, type));
    eti__protobuf_add_number(&p->message, TYPE_UNIT, c_string(p, unit));
    end_message(p, PROFILE_SAMPLE_TYPE);
}

static void add_label(pprof *p, const char *key, eti_text text) {
    if (text.size == 0)
        return;
    eti__protobuf_add_number(&p->inner, LABEL_KEY, c_string(p, key));
    eti__protobuf_add_number(&p->inner, LABEL_TEXT, string_of(p, text));
    end_inner(p, SAMPLE_LABEL);
}

static void add_sample(pprof *p, const eti_stack *stack) {
    uint32_t path[ETI_MOST_STACK_DEPTH];
    size_t n = eti__stack_path(p->stacks, stack->node, path);
    for (size_t i = n; i-- > 0;)
        eti__protobuf_add_varint(&p->inner, location_of(p, path[i], i + 1 == n ? stack : NULL));
    end_inner(p, SAMPLE_LOCATIONS);
    eti__protobuf_add_varint(&p->inner, stack->n_events);
    eti__protobuf_add_varint(&p->inner, eti__stack_round(stack->ns));
    end_inner(p, SAMPLE_VALUES);
    add_label(p, "backend", stack->backend);
    add_label(p, "method", stack->method);
    end_message(p, PROFILE_SAMPLE);
}

static void add_mapping(pprof *p, const eti_report *report) {
    eti__protobuf_add_number(&p->message, MAPPING_ID, THE_MAPPING);
    eti__protobuf_add_number(&p->message, MAPPING_FILE,
                             string_of(p, eti__report_etdump_name(report)));
    eti__protobuf_add_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
    end_message(p, PROFILE_MAPPING);
}

static void add_locations(pprof *p) {
    for (size_t i = 0; i < p->locations.count; i++) {
        const pprof_location *location = &p->locations.items[i];
        eti__protobuf_add_number(&p->inner, LINE_FUNCTION, (uint64_t)location->function + 1);
        if (location->line > 0)
            eti__protobuf_add_number(&p->inner, LINE_LINE, location->line);
        eti__protobuf_add_number(&p->message, LOCATION_ID, i + 1);
        eti__protobuf_add_number(&p->message, LOCATION_MAPPING, THE_MAPPING);
        end_inner(p, LOCATION_LINE);
        end_message(p, PROFILE_LOCATION);
    }
}

static void add_functions(pprof *p) {
    for (size_t i = 0; i < p->functions.count; i++) {
        const pprof_function *function = &p->functions.items[i];
        eti__protobuf_add_number(&p->message, FUNCTION_ID, i + 1);
        eti__protobuf_add_number(&p->message, FUNCTION_NAME, function->name);
        eti__protobuf_add_number(&p->message, FUNCTION_SYSTEM_NAME, function->name);
        if (function->file > 0)
            eti__protobuf_add_number(&p->message, FUNCTION_FILE, function->file);
        end_message(p, PROFILE_FUNCTION);
    }
}

static void add_profile(pprof *p, const eti_report *report) {
    const char *unit = p->stacks->is_in_cycles ? "cycles" : "nanoseconds";
    c_string(p, ""); /* string 0 */
    add_type(p, "events", "count");
    add_type(p, "time", unit);
    for (size_t i = 0; i < p->stacks->n && !p->failed; i++)
        add_sample(p, &p->stacks->items[i]);
    add_mapping(p, report);
    add_locations(p);
    add_functions(p);
    eti__protobuf_add_number(&p->out, PROFILE_DEFAULT_TYPE, c_string(p, "time"));
    for (size_t i = 0; i < p->strings.count; i++)
        eti__protobuf_add_bytes(&p->out, PROFILE_STRINGS, p->strings.items[i]);
    p->failed |= p->out.failed || p->message.failed || p->inner.failed;
}

static eti_status write_pprof(const eti_report *report, const eti_write_options *options,
                              eti_output *output, eti_error *err) {
    (void)options;
    eti_stacks stacks;
    pprof p = {.stacks = &stacks};
    eti_status status = eti__report_stacks_make(&stacks, report, err);
    if (status == ETI_OK) {
        add_profile(&p, report);
        status = p.failed ? eti_fail_memory(err) : ETI_OK;
        if (status == ETI_OK)
            eti__output_add_text(output, eti__buffer_text(&p.out));
    }
    eti__buffer_free(&p.out);
    eti__buffer_free(&p.message);
    eti__buffer_free(&p.inner);
    eti__intern_free(&p.strings.table);
    eti__intern_free(&p.functions.table);
    eti__intern_free(&p.locations.table);
    eti__stacks_free(&stacks);
    return status;
}

const eti_writer eti__writer_pprof = {
    .name = "pprof",
    .summary = "stacks, for go tool pprof",
    .suffixes = "pb",
    .is_file = true,
    .takes = ETI_TAKES_SLICES,
    .write_report = write_pprof,
};
