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
#include "write/json_text.h"
#include "write/trace/slice_args.h"
#include "write/writer.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_AT_ONCE 65536 /* bytes that are kept before they are written */
#define MOST_KEPT 4096     /* bytes of an Event's shared text that are kept for its next slice */

typedef struct chrome {
    const eti_report *report;
    const eti_write_options *options;
    const eti_slice_source *source;
    eti_slices *slices;
    eti_output *output;
    eti_buffer text;    /* text that is not written yet */
    eti_buffer scratch; /* for one text */
    eti_buffer run;     /* args that the slices of the run's events share */
    eti_text *
        events; /* per source->events: name, category and args that its slices share; made when first met */
    eti_arena arena; /* of these */
    size_t n_tracks; /* number of tracks whose names are written */
    uint32_t dump;   /* the last ETDump whose name is written */
    bool is_first;
} chrome;

static void flush(chrome *c) {
    eti__output_add_text(c->output, eti__buffer_text(&c->text));
    c->text.size = 0;
}

static void add_string(chrome *c, const char *c_string) {
    eti__buffer_add_string(&c->text, c_string);
}

/* Begins the line of an object. */
static void begin(chrome *c) {
    if (c->text.size > MOST_AT_ONCE)
        flush(c);
    add_string(c, c->is_first ? "\n{" : ",\n{");
    c->is_first = false;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_us(chrome *c, const char *key, uint64_t ns) {
    char digits[24], *end = digits + sizeof digits, *at = eti__write_u64(end, ns);
    while (end - at < 4)
        *--at = '0';
    add_string(c, key);
    eti__buffer_add(&c->text, at, (size_t)(end - at) - 3);
    eti__buffer_add_char(&c->text, '.');
    eti__buffer_add(&c->text, end - 3, 3);
}

static void add_number(chrome *c, const char *key, uint64_t value) {
    add_string(c, key);
    eti__buffer_add_u64(&c->text, value);
}

/* ---- args ------------------------------------------------------------------------------------ */

static void add_arg(eti_buffer *out, const eti_slice_arg *arg) {
    eti__buffer_add_char(out, '"');
    eti__buffer_add_string(out, arg->name);
    eti__buffer_add(out, "\":", 2);
    switch (arg->kind) {
    case ETI_ARG_TEXT:
        eti__json_add_string(out, arg->as_text);
        break;
    case ETI_ARG_INT:
        eti__buffer_add_i64(out, arg->as_int);
        break;
    case ETI_ARG_UINT:
        eti__buffer_add_string(out, arg->as_uint > INT64_MAX ? "\"" : "");
        eti__buffer_add_u64(out, arg->as_uint);
        eti__buffer_add_string(out, arg->as_uint > INT64_MAX ? "\"" : "");
        break;
    case ETI_ARG_TRUE:
        eti__buffer_add(out, "true", 4);
        break;
    }
}

/* Adds what all slices of an Event share: ',"name":"add","cat":"operator","args":{"module":"a"'. */
static void make_event(chrome *c, eti_buffer *out, size_t number) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    const eti_slice_event *event = &c->source->events[number];
    eti__buffer_add_string(out, ",\"name\":");
    eti__json_add_string(out, eti__slice_name(event));
    eti__buffer_printf(out, ",\"cat\":\"%s\",\"args\":{", eti__slice_category(event));
    size_t n = eti__event_args(c->source, event, &c->scratch, args);
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(out, i > 0 ? "," : "");
        add_arg(out, &args[i]);
    }
}

/* Adds the text that the slices of an Event share. Long texts are made again each time, so that only one of them is held.
 * False: out of memory. */
static bool add_event(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    size_t number = c->source->first_event[run->run->block] + slice->event;
    size_t before = c->text.size;
    if (c->events[number].data) {
        eti__buffer_add_text(&c->text, c->events[number]);
        return true;
    }
    make_event(c, &c->text, number);
    const eti_text made = {c->text.data + before, c->text.size - before};
    return c->text.failed || made.size > MOST_KEPT ||
           eti__arena_copy_text(&c->arena, made, &c->events[number]);
}

static void add_run(chrome *c, const eti_sliced_run *run) {
    c->scratch.size = 0;
    eti__slice_run_add_name(c->source, run->run, &c->scratch);
    add_string(c, ",\"name\":");
    eti__json_add_string(&c->text, eti__buffer_text(&c->scratch));
    eti__buffer_printf(&c->text, ",\"cat\":\"%s\",\"args\":{", eti__slice_category(NULL));
}

/* ---- names of processes and tracks ----------------------------------------------------------- */

static void add_metadata(chrome *c, uint32_t dump, size_t track, const char *name) {
    begin(c);
    eti__buffer_printf(&c->text, "\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%zu,\"name\":\"%s\"",
                       dump + 1, track, name);
    add_string(c, ",\"args\":{");
}

static void add_name(chrome *c) {
    add_string(c, "\"name\":");
    eti__json_add_string(&c->text, eti__buffer_text(&c->scratch));
    add_string(c, "}}");
    c->scratch.size = 0;
}

/* Names the process of an ETDump, unless the run before was of the same ETDump. */
static void begin_process(chrome *c, uint32_t dump) {
    if (dump == c->dump)
        return;
    c->dump = dump;
    c->scratch.size = 0;
    eti__add_process_name(c->report, c->options, &c->source->dumps[dump], &c->scratch);
    add_metadata(c, dump, 0, "process_name");
    add_name(c);
    add_metadata(c, dump, 0, "process_sort_index");
    add_number(c, "\"sort_index\":", dump);
    add_string(c, "}}");
}

/* Names the tracks that are new since the last call. */
static void name_tracks(chrome *c) {
    for (; c->n_tracks < eti__slices_track_count(c->slices); c->n_tracks++) {
        const eti_slice_track *track = eti__slices_track(c->slices, c->n_tracks);
        begin_process(c, track->dump);
        c->scratch.size = 0;
        eti__slice_track_add_name(c->source, track, &c->scratch);
        add_metadata(c, track->dump, c->n_tracks + 1, "thread_name");
        add_name(c);
        add_metadata(c, track->dump, c->n_tracks + 1, "thread_sort_index");
        add_number(c, "\"sort_index\":", eti__slice_track_rank(track));
        add_string(c, "}}");
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */

static void add_place(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    add_number(c, ",\"pid\":", run->run->dump + 1);
    add_number(c, ",\"tid\":", slice->track + 1);
    add_us(c, ",\"ts\":", slice->start);
}

/* Adds an arrow, which begins and ends at the starts of its slices. */
static void add_flow(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    begin(c);
    add_string(c,
               slice->flags & ETI_SLICE_FLOW_BEGINS ? "\"ph\":\"s\"" : "\"ph\":\"f\",\"bp\":\"e\"");
    add_place(c, run, slice);
    add_number(c, ",\"id\":", slice->flow);
    add_string(c, ",\"name\":\"delegate\",\"cat\":\"delegate\"}");
}

/* Puts a comma before an arg that is not the first. */
static void begin_arg(chrome *c) {
    if (c->text.size > 0 && c->text.data[c->text.size - 1] != '{')
        eti__buffer_add_char(&c->text, ',');
}

/* Adds a sample of a counter. Viewers append the name of the argument to that of the counter: "method allocator bytes".
 * There may be no other argument, because each is shown as a counter. */
static void add_sample(chrome *c, const eti_slice_sample *sample) {
    const eti_slice_counter *counter = eti__slices_counter(c->slices, sample->counter);
    c->scratch.size = 0;
    eti__slice_counter_add_name(c->source, counter, &c->scratch);
    begin(c);
    add_number(c, "\"ph\":\"C\",\"pid\":", (uint64_t)counter->dump + 1);
    add_us(c, ",\"ts\":", sample->time);
    add_string(c, ",\"name\":");
    eti__json_add_string(&c->text, eti__buffer_text(&c->scratch));
    eti__buffer_printf(&c->text, ",\"args\":{\"%s\"", eti__counter_unit(c->source, counter));
    add_number(c, ":", sample->value);
    add_string(c, "}}");
}

static void add_instant(chrome *c, const eti_sliced_run *run, const eti_slice_instant *instant) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    begin(c);
    add_number(c, "\"ph\":\"i\",\"s\":\"t\",\"pid\":", (uint64_t)run->run->dump + 1);
    add_number(c, ",\"tid\":", (uint64_t)instant->track + 1);
    add_us(c, ",\"ts\":", instant->time);
    add_string(c, ",\"name\":");
    eti__json_add_string(&c->text, eti__slice_instant_name(run, instant));
    add_string(c, ",\"cat\":\"" ETI_INSTANT_CATEGORY "\",\"args\":{");
    size_t n = eti__instant_args(c->source, run, instant, &c->scratch, args);
    for (size_t i = 0; i < n; i++) {
        begin_arg(c);
        add_arg(&c->text, &args[i]);
    }
    add_string(c, "}}");
}

static bool add_slice(chrome *c, const eti_sliced_run *run, const eti_slice *slice) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    bool is_made = true;
    begin(c);
    add_string(c, "\"ph\":\"X\"");
    add_place(c, run, slice);
    add_us(c, ",\"dur\":", slice->end - slice->start);
    if (slice->event == ETI_NO_EVENT)
        add_run(c, run);
    else
        is_made = add_event(c, run, slice);
    if (slice->event != ETI_NO_EVENT && c->run.size > 0) {
        begin_arg(c);
        eti__buffer_add_text(&c->text, eti__buffer_text(&c->run));
    }
    size_t n = eti__slice_args(c->source, run, slice, &c->scratch, args);
    for (size_t i = 0; i < n; i++) {
        begin_arg(c);
        add_arg(&c->text, &args[i]);
    }
    add_string(c, "}}");
    if (slice->flow)
        add_flow(c, run, slice);
    return is_made;
}

/* Makes the text that the slices of a run's events share: '"run":3'. */
static void begin_run(chrome *c, const eti_sliced_run *run) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    size_t n = eti__run_args(c->source, run, args);
    c->run.size = 0;
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(&c->run, i > 0 ? "," : "");
        add_arg(&c->run, &args[i]);
    }
}

/* Writes a run. False: out of memory. */
static bool write_run(chrome *c, const eti_sliced_run *run) {
    bool is_written = true;
    begin_process(c, run->run->dump);
    name_tracks(c);
    begin_run(c, run);
    for (size_t i = 0; i < run->n_slices && is_written; i++)
        is_written = add_slice(c, run, &run->slices[i]);
    for (size_t i = 0; i < run->n_instants; i++)
        add_instant(c, run, &run->instants[i]);
    for (size_t i = 0; i < run->n_samples; i++)
        add_sample(c, &run->samples[i]);
    return is_written && !c->text.failed && !c->scratch.failed && !c->run.failed;
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

/* Adds the first stamp of each file. */
static void add_bases(chrome *c) {
    add_string(c, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"etinspect\"");
    add_string(c, c->source->is_aligned ? ",\"time\":\"aligned\"" : ",\"time\":\"recorded\"");
    add_string(c, ",\"clocks\":\"every file starts at 0: different files have no common "
                  "clock\",\"first_stamps\":[");
    for (size_t i = 0; i < c->source->n_dumps; i++) {
        add_string(c, i > 0 ? "," : "");
        eti__buffer_printf(&c->text, "\"%" PRIu64 "\"", c->source->dumps[i].base);
    }
    add_string(c, "]},\"traceEvents\":[");
}

static eti_status write_chrome(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    bool *is_left_out;
    chrome c = {.report = report,
                .options = options,
                .source = report->slices,
                .output = output,
                .dump = UINT32_MAX,
                .is_first = true};
    ETI_TRY(eti__report_slices_open(&c.slices, &is_left_out, report, err));
    c.events = calloc(c.source->n_events + 1, sizeof *c.events);
    add_bases(&c);
    eti_status status = c.events ? write_runs(&c, err) : eti_fail_memory(err);
    add_string(&c, "\n]}\n");
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
    return status;
}

const eti_writer eti__writer_chrome = {
    .name = "chrome",
    .summary = "trace in Chrome's JSON, which most timeline viewers read",
    .suffixes = "json",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_chrome,
};
