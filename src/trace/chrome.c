#include "base/arena.h"
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

/*
 * Traces as Chrome's JSON: one object per line. Times are microseconds, written from integers.
 *
 * - All slices are of the kind X, never mixed with B and E: Perfetto orders all events of one stamp by their length as soon
 *   as there is one X, which separates pairs of B and E.
 * - The outer slice comes before the inner one: in catapult, an inner slice that comes first has no parent.
 * - Numbers above 2^63 - 1 are strings: Perfetto reads them as -1.
 * - Instants are of the kind i, counters of the kind C.
 * - No name of a process or track is empty: Perfetto counts that as an error.
 */

#define MOST_AT_ONCE 65536 /* bytes that are kept before they are written */
#define MOST_KEPT 4096     /* bytes of an Event's shared text that are kept for its next slice */

/* Text that the slices of an Event share: the members "name" and "cat", then those of "args". */
typedef struct event_text {
    const char *data; /* NULL: not made yet */
    uint32_t names_size, size;
} event_text;

typedef struct chrome {
    const eti_report *report;
    const eti_write_options *options;
    const eti_slice_source *source;
    eti_slices *slices;
    eti_output *output;
    eti_buffer text; /* text that is not written yet */
    eti_json_writer json;
    eti_buffer slice;         /* the beginning of a slice of the process, without its numbers */
    size_t ends[3];           /* where its keys "tid", "ts" and "dur" end */
    eti_json_writer in_slice; /* continues behind these numbers */
    eti_buffer scratch;       /* for one text */
    eti_buffer run;           /* args that the slices of the run's events share */
    eti_buffer made;          /* text of an Event */
    event_text *events;       /* per source->events; made when first met */
    eti_arena arena;          /* of these */
    size_t n_tracks;          /* number of tracks whose names are written */
    uint32_t dump;            /* the last ETDump whose name is written */
} chrome;

static void flush(chrome *c) {
    eti__output_add_text(c->output, eti__buffer_text(&c->text));
    c->text.size = 0;
}

/* Begins the line of an object. */
static void begin(chrome *c) {
    if (c->text.size > MOST_AT_ONCE)
        flush(c);
    eti__json_add_line(&c->json, 0);
    eti__json_open_object(&c->json);
}

static void add_name(chrome *c, const char *name) {
    eti__json_add_member(&c->json, "name", eti__text_of(name));
}

static void add_category(chrome *c, const char *category) {
    eti__json_add_member(&c->json, "cat", eti__text_of(category));
}

static void open_args(eti_json_writer *json) {
    eti__json_add_key(json, "args");
    eti__json_open_object(json);
}

/* Closes two levels, such as the args and their object. */
static void end(eti_json_writer *json) {
    eti__json_close_level(json);
    eti__json_close_level(json);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Appends nanoseconds as microseconds. */
static void add_us(eti_buffer *out, uint64_t ns) {
    char digits[24], *last = digits + sizeof digits;
    uint64_t rest = ns % 1000;
    for (int i = 0; i < 3; i++, rest /= 10)
        *--last = (char)('0' + rest % 10);
    *--last = '.';
    last = eti__write_u64(last, ns / 1000);
    eti__buffer_add(out, last, (size_t)(digits + sizeof digits - last));
}

/* Adds a number as a string. */
static void add_digits(eti_json_writer *json, uint64_t value) {
    char digits[20], *last = digits + sizeof digits;
    const char *first = eti__write_u64(last, value);
    eti__json_add_text(json, (eti_text){first, (size_t)(last - first)});
}

/* ---- args ------------------------------------------------------------------------------------ */

static void add_arg(eti_json_writer *json, const eti_slice_arg *arg) {
    eti__json_add_key(json, arg->name);
    switch (arg->kind) {
    case ETI_ARG_TEXT:
        eti__json_add_text(json, arg->as_text);
        break;
    case ETI_ARG_INT:
        eti__json_add_i64(json, arg->as_int);
        break;
    case ETI_ARG_UINT:
        if (arg->as_uint > INT64_MAX)
            add_digits(json, arg->as_uint);
        else
            eti__json_add_u64(json, arg->as_uint);
        break;
    case ETI_ARG_TRUE:
        eti__json_add_bool(json, true);
        break;
    }
}

static void add_args(eti_json_writer *json, const eti_slice_arg *args, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_arg(json, &args[i]);
}

/* Makes the text that all slices of an Event share, in c->made. */
static event_text make_event(chrome *c, size_t number) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    const eti_slice_event *event = &c->source->events[number];
    c->made.size = 0;
    eti_json_writer names = eti__json_writer(&c->made, ETI_JSON_COMPACT), of_args = names;
    eti__json_add_member(&names, "name", eti__slice_name(event));
    eti__json_add_member(&names, "cat", eti__text_of(eti__slice_category(event)));
    size_t names_size = c->made.size;
    add_args(&of_args, args, eti__event_args(c->source, event, &c->scratch, args));
    return (event_text){c->made.data, (uint32_t)names_size, (uint32_t)c->made.size};
}

/* Adds the text that the slices of an Event share, and leaves the args open. Long texts are made again each time, so that only
 * one of them is held. False: out of memory. */
static bool add_event(chrome *c, eti_json_writer *json, const eti_sliced_run *run,
                      const eti_slice *slice) {
    size_t number = c->source->first_event[run->run->block] + slice->event;
    event_text event = c->events[number];
    eti_text kept;
    if (!event.data) {
        event = make_event(c, number);
        if (c->made.failed)
            return false;
        if (c->made.size <= MOST_KEPT) {
            if (!eti__arena_copy_text(&c->arena, eti__buffer_text(&c->made), &kept))
                return false;
            event.data = kept.data;
            c->events[number] = event;
        }
    }
    eti__json_add_raw(json, (eti_text){event.data, event.names_size});
    open_args(json);
    eti__json_add_raw(json,
                      (eti_text){event.data + event.names_size, event.size - event.names_size});
    return true;
}

static void add_run(chrome *c, eti_json_writer *json, const eti_sliced_run *run) {
    c->scratch.size = 0;
    eti__slice_run_add_name(c->source, run->run, &c->scratch);
    eti__json_add_member(json, "name", eti__buffer_text(&c->scratch));
    eti__json_add_member(json, "cat", eti__text_of(eti__slice_category(NULL)));
    open_args(json);
}

/* ---- names of processes and tracks ----------------------------------------------------------- */

static void begin_metadata(chrome *c, uint32_t dump, size_t track, const char *name) {
    begin(c);
    eti__json_add_member(&c->json, "ph", eti__text_of("M"));
    eti__json_add_u64_member(&c->json, "pid", dump + 1);
    eti__json_add_u64_member(&c->json, "tid", track);
    add_name(c, name);
    open_args(&c->json);
}

/* Adds the name and the position of a process or a track, whose name is in c->scratch. */
static void add_metadata(chrome *c, uint32_t dump, size_t track, const char *const names[2],
                         uint32_t position) {
    begin_metadata(c, dump, track, names[0]);
    eti__json_add_member(&c->json, "name", eti__buffer_text(&c->scratch));
    end(&c->json);
    c->scratch.size = 0;
    begin_metadata(c, dump, track, names[1]);
    eti__json_add_u64_member(&c->json, "sort_index", position);
    end(&c->json);
}

/* Adds the key of a number that is added for each slice. */
static size_t end_key(eti_json_writer *json, const char *key) {
    eti__json_add_key(json, key);
    eti__json_begin_value(json);
    return json->out->size;
}

/* Makes the beginning of the slices of a process. */
static void make_slice(chrome *c, uint32_t dump) {
    eti_json_writer json = c->json;
    c->slice.size = 0;
    json.out = &c->slice;
    eti__json_add_line(&json, 0);
    eti__json_open_object(&json);
    eti__json_add_member(&json, "ph", eti__text_of("X"));
    eti__json_add_u64_member(&json, "pid", (uint64_t)dump + 1);
    c->ends[0] = end_key(&json, "tid");
    c->ends[1] = end_key(&json, "ts");
    c->ends[2] = end_key(&json, "dur");
    json.out = &c->text;
    c->in_slice = json;
}

/* Names the process of an ETDump, unless the run before was of the same ETDump. */
static void begin_process(chrome *c, uint32_t dump) {
    static const char *const names[] = {"process_name", "process_sort_index"};
    if (dump == c->dump)
        return;
    c->dump = dump;
    c->scratch.size = 0;
    eti__add_process_name(c->report, c->options, &c->source->dumps[dump], &c->scratch);
    add_metadata(c, dump, 0, names, dump);
}

/* Names the tracks that are new since the last call. */
static void name_tracks(chrome *c) {
    static const char *const names[] = {"thread_name", "thread_sort_index"};
    for (; c->n_tracks < eti__slices_track_count(c->slices); c->n_tracks++) {
        const eti_slice_track *track = eti__slices_track(c->slices, c->n_tracks);
        begin_process(c, track->dump);
        c->scratch.size = 0;
        eti__slice_track_add_name(c->source, track, &c->scratch);
        add_metadata(c, track->dump, c->n_tracks + 1, names, eti__slice_track_rank(track));
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Begins an object of a kind. */
static void begin_kind(chrome *c, const char *kind) {
    begin(c);
    eti__json_add_member(&c->json, "ph", eti__text_of(kind));
}

/* Adds the process of an ETDump, a track unless that is 0, and a time. */
static void add_place(chrome *c, uint32_t dump, uint64_t track, uint64_t time) {
    eti__json_add_u64_member(&c->json, "pid", (uint64_t)dump + 1);
    if (track > 0)
        eti__json_add_u64_member(&c->json, "tid", track);
    eti__json_add_key(&c->json, "ts");
    eti__json_begin_value(&c->json);
    add_us(&c->text, time);
}

/* Adds an arrow, which begins and ends at the starts of its slices. */
static void add_flow(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    bool begins = slice->flags & ETI_SLICE_FLOW_BEGINS;
    begin_kind(c, begins ? "s" : "f");
    if (!begins)
        eti__json_add_member(&c->json, "bp", eti__text_of("e"));
    add_place(c, run->run->dump, (uint64_t)slice->track + 1, slice->start);
    eti__json_add_u64_member(&c->json, "id", slice->flow);
    add_name(c, "delegate");
    add_category(c, "delegate");
    eti__json_close_level(&c->json);
}

/* Adds a sample of a counter. Viewers append the name of the argument to that of the counter: "method allocator bytes".
 * There may be no other argument, because each is shown as a counter. */
static void add_sample(chrome *c, const eti_slice_sample *sample) {
    const eti_slice_counter *counter = eti__slices_counter(c->slices, sample->counter);
    c->scratch.size = 0;
    eti__slice_counter_add_name(c->source, counter, &c->scratch);
    begin_kind(c, "C");
    add_place(c, counter->dump, 0, sample->time);
    eti__json_add_member(&c->json, "name", eti__buffer_text(&c->scratch));
    open_args(&c->json);
    eti__json_add_key(&c->json, eti__counter_unit(c->source, counter));
    eti__json_add_i64(&c->json, sample->value);
    end(&c->json);
}

static void begin_instant(chrome *c, uint32_t dump, uint32_t track, uint64_t time) {
    begin_kind(c, "i");
    eti__json_add_member(&c->json, "s", eti__text_of("t"));
    add_place(c, dump, (uint64_t)track + 1, time);
}

static void add_instant(chrome *c, const eti_sliced_run *run, const eti_slice_instant *instant) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    begin_instant(c, run->run->dump, instant->track, instant->time);
    eti__json_add_member(&c->json, "name", eti__slice_instant_name(run, instant));
    add_category(c, ETI_INSTANT_CATEGORY);
    open_args(&c->json);
    add_args(&c->json, args, eti__instant_args(c->source, run, instant, &c->scratch, args));
    end(&c->json);
}

/* Adds a time that the program marked. False: out of memory. */
static bool add_mark(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    begin_instant(c, run->run->dump, slice->track, slice->start);
    if (!add_event(c, &c->json, run, slice))
        return false;
    eti__json_add_raw(&c->json, eti__buffer_text(&c->run));
    add_args(&c->json, args, eti__slice_args(c->source, run, slice, &c->scratch, args));
    end(&c->json);
    return true;
}

/* Adds a slice: its numbers, each behind its key. False: out of memory. */
static bool add_slice(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    eti_json_writer json = c->in_slice;
    const char *text = c->slice.data;
    if (slice->flags & ETI_SLICE_MARK)
        return add_mark(c, run, slice);
    if (c->text.size > MOST_AT_ONCE)
        flush(c);
    eti__buffer_add(&c->text, text, c->ends[0]);
    eti__buffer_add_u64(&c->text, (uint64_t)slice->track + 1);
    eti__buffer_add(&c->text, text + c->ends[0], c->ends[1] - c->ends[0]);
    add_us(&c->text, slice->start);
    eti__buffer_add(&c->text, text + c->ends[1], c->ends[2] - c->ends[1]);
    add_us(&c->text, slice->end - slice->start);
    if (slice->event == ETI_NO_EVENT) {
        add_run(c, &json, run);
    } else {
        if (!add_event(c, &json, run, slice))
            return false;
        eti__json_add_raw(&json, eti__buffer_text(&c->run));
    }
    add_args(&json, args, eti__slice_args(c->source, run, slice, &c->scratch, args));
    end(&json);
    if (slice->flow)
        add_flow(c, run, slice);
    return true;
}

/* Makes the text that the slices of a run's events share: '"run":3'. */
static void begin_run(chrome *c, const eti_sliced_run *run) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    eti_json_writer json = eti__json_writer(&c->run, ETI_JSON_COMPACT);
    c->run.size = 0;
    add_args(&json, args, eti__run_args(c->source, run, args));
}

/* Writes a run. False: out of memory. */
static bool write_run(chrome *c, const eti_sliced_run *run) {
    bool is_written = true;
    begin_process(c, run->run->dump);
    name_tracks(c);
    make_slice(c, run->run->dump);
    begin_run(c, run);
    if (c->slice.failed)
        return false;
    for (size_t i = 0; i < run->n_slices && is_written; i++)
        is_written = add_slice(c, run, &run->slices[i]);
    for (size_t i = 0; i < run->n_instants; i++)
        add_instant(c, run, &run->instants[i]);
    for (size_t i = 0; i < run->n_samples; i++)
        add_sample(c, &run->samples[i]);
    return is_written && !c->text.failed && !c->scratch.failed && !c->run.failed && !c->made.failed;
}

static eti_status write_runs(chrome *c, eti_error *err) {
    eti_sliced_run run;
    for (;;) {
        ETI_TRY(eti__slices_next(c->slices, &run, err));
        if (!run.run || eti__output_failed(c->output))
            return ETI_OK;
        if (!write_run(c, &run))
            return eti_fail_memory(err);
    }
}

/* Begins the document; adds the first stamp of each file. */
static void begin_document(chrome *c) {
    eti_json_writer *json = &c->json;
    eti__json_open_object(json);
    eti__json_add_member(json, "displayTimeUnit", eti__text_of("ns"));
    eti__json_add_key(json, "otherData");
    eti__json_open_object(json);
    eti__json_add_member(json, "producer", eti__text_of("etinspect"));
    eti__json_add_member(json, "time",
                         eti__text_of(c->source->is_aligned ? "aligned" : "recorded"));
    eti__json_add_member(
        json, "clocks",
        eti__text_of("every file starts at 0: different files have no common clock"));
    eti__json_add_key(json, "first_stamps");
    eti__json_open_array(json);
    for (size_t i = 0; i < c->source->n_dumps; i++)
        add_digits(json, c->source->dumps[i].base);
    eti__json_close_level(json);
    eti__json_close_level(json);
}

static eti_status write_chrome(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    bool *is_left_out;
    chrome c = {.report = report,
                .options = options,
                .source = report->slices,
                .output = output,
                .dump = UINT32_MAX};
    ETI_TRY(eti__report_slices_open(&c.slices, &is_left_out, report, err));
    c.events = calloc(c.source->n_events + 1, sizeof *c.events);
    c.json = eti__json_writer(&c.text, ETI_JSON_COMPACT);
    begin_document(&c);
    eti__json_add_key(&c.json, "traceEvents");
    eti__json_open_array(&c.json);
    eti_status status = c.events ? write_runs(&c, err) : eti_fail_memory(err);
    eti__json_add_line(&c.json, 0);
    end(&c.json);
    eti__buffer_add_char(&c.text, '\n');
    if (status == ETI_OK && c.text.failed)
        status = eti_fail_memory(err);
    if (status == ETI_OK)
        flush(&c);
    eti__slices_close(c.slices);
    free(is_left_out);
    free(c.events);
    eti__arena_free(&c.arena);
    eti__buffer_free(&c.text);
    eti__buffer_free(&c.scratch);
    eti__buffer_free(&c.run);
    eti__buffer_free(&c.made);
    eti__buffer_free(&c.slice);
    return status;
}

const eti_writer eti__writer_chrome = {
    .name = "chrome",
    .summary = "trace in Chrome's JSON, which most timeline viewers read",
    .suffixes = "json",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_chrome,
};
