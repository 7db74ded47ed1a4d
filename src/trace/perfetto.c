#include "base/arena.h"
#include "base/array.h"
#include "base/intern.h"
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
 * Traces in Perfetto's own form: packets of Protocol Buffers, one after the other.
 *
 *     Trace        1 packet ...
 *     TracePacket  8 timestamp   10 sequence   11 track event   12 interned data   13 flags   60 track descriptor
 *     TrackEvent   3 category   4 annotations   9 type   10 name   11 track   30 value   47, 48 flows
 *
 * Slices are written with what is inside them between their begin and their end, so that for equal stamps the order of the
 * file gives the nesting. Each text is written once, with the first packet that uses it; a track before its events.
 */

#define MOST_AT_ONCE 65536 /* bytes that are kept before they are written */

#define INSTANT_CATEGORY ETI_N_SLICE_CATEGORIES /* number of the category after those of slices */

enum { SEQUENCE = 1, FLAGS_FIRST = 3, FLAGS_NEXT = 2 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { OF_TRACE_PACKET = 1 };
enum { OF_PACKET_TIME = 8, OF_PACKET_SEQUENCE = 10, OF_PACKET_EVENT = 11, OF_PACKET_TEXTS = 12 };
enum { OF_PACKET_FLAGS = 13, OF_PACKET_TRACK = 60 };
enum { OF_EVENT_CATEGORY = 3, OF_EVENT_ARG = 4, OF_EVENT_TYPE = 9, OF_EVENT_NAME = 10 };
enum { OF_EVENT_TRACK = 11, OF_EVENT_VALUE = 30, OF_EVENT_FLOW = 47, OF_EVENT_LAST_FLOW = 48 };
enum { OF_TEXTS_CATEGORY = 1, OF_TEXTS_NAME = 2, OF_TEXTS_ARG = 3, OF_TEXTS_VALUE = 29 };

typedef struct perfetto {
    const eti_report *report;
    const eti_write_options *options;
    const eti_slice_source *source;
    eti_slices *slices;
    eti_output *output;
    eti_buffer text;                                /* text that is not written yet */
    eti_buffer scratch, packet, fields, arg, entry; /* of a message that is being made */
    eti_buffer texts;                               /* interned data of the next packet */
    eti_buffer run_fields; /* fields that the slices of the run's events share */
    eti_buffer name;       /* of a run; texts of args */
    eti_text_table names, values, arg_names;
    eti_text
        *events;     /* per source->events: the fields that its slices share; made when first met */
    eti_arena arena; /* of texts */
    const eti_slice **open; /* slices whose end is not yet written, the outermost first */
    size_t n_open, open_capacity;
    size_t n_tracks, n_counters; /* that are described */
    eti_buffer approximate;      /* fields that say that a time is not exact */
    uint32_t dump;               /* the last ETDump that is described */
    unsigned categories;         /* categories used so far */
    bool has_begun;
} perfetto;

static void flush(perfetto *p) {
    eti__output_add_text(p->output, eti__buffer_text(&p->text));
    p->text.size = 0;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Appends a message as a field of another, and empties it. */
static void take_message(eti_buffer *out, uint32_t field, eti_buffer *message) {
    eti__protobuf_add_bytes(out, field, eti__buffer_text(message));
    out->failed |= message->failed;
    message->size = 0;
}

/* Begins a packet, with the size of the fields that are written before its end. */
static void begin_packet(perfetto *p, size_t size) {
    eti__protobuf_add_number(&p->packet, OF_PACKET_SEQUENCE, SEQUENCE);
    eti__protobuf_add_number(&p->packet, OF_PACKET_FLAGS, p->has_begun ? FLAGS_NEXT : FLAGS_FIRST);
    p->has_begun = true;
    if (p->texts.size > 0)
        take_message(&p->packet, OF_PACKET_TEXTS, &p->texts);
    eti__protobuf_begin_bytes(&p->text, OF_TRACE_PACKET, size + p->packet.size);
}

static void end_packet(perfetto *p) {
    eti__buffer_add_text(&p->text, eti__buffer_text(&p->packet));
    p->text.failed |= p->packet.failed;
    p->packet.size = 0;
    if (p->text.size > MOST_AT_ONCE)
        flush(p);
}

/* Adds a text, which the format requires to be UTF-8. */
static void add_text(eti_buffer *out, uint32_t field, eti_text text) {
    ETI_EXPECT_UTF8(text);
    eti__protobuf_add_bytes(out, field, text);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Writes a text that is new with the next packet. */
static void intern(perfetto *p, uint32_t field, uint64_t id, eti_text text) {
    p->entry.size = 0;
    eti__protobuf_add_number(&p->entry, 1, id);
    add_text(&p->entry, 2, text);
    take_message(&p->texts, field, &p->entry);
}

/* Returns the id of a text; 0: out of memory. Borrows the text only if `is_lasting`. */
static uint64_t text_id(perfetto *p, eti_text_table *table, uint32_t field, eti_text text,
                        bool is_lasting) {
    uint32_t number;
    size_t n_known = table->count;
    if (!eti__text_table_add(table, text, is_lasting ? NULL : &p->arena, &number))
        return 0;
    if (number == n_known)
        intern(p, field, (uint64_t)number + 1, text);
    return (uint64_t)number + 1;
}

static uint64_t category_id(perfetto *p, const eti_slice_event *event) {
    size_t number = eti__slice_category_number(event);
    if (!(p->categories & 1u << number))
        intern(p, OF_TEXTS_CATEGORY, number + 1, eti__text_of(eti__slice_category(event)));
    p->categories |= 1u << number;
    return number + 1;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool add_arg(perfetto *p, eti_buffer *out, const eti_slice_arg *arg) {
    enum { NAME = 1, BOOL = 2, UINT = 3, INT = 4, VALUE = 17 };
    uint64_t name = text_id(p, &p->arg_names, OF_TEXTS_ARG, eti__text_of(arg->name), true),
             value = 1;
    eti__protobuf_add_number(&p->arg, NAME, name);
    if (arg->kind == ETI_ARG_TEXT) {
        value = text_id(p, &p->values, OF_TEXTS_VALUE, arg->as_text, arg->is_lasting);
        eti__protobuf_add_number(&p->arg, VALUE, value);
    } else if (arg->kind == ETI_ARG_INT) {
        eti__protobuf_add_number(&p->arg, INT, (uint64_t)arg->as_int);
    } else {
        eti__protobuf_add_number(&p->arg, arg->kind == ETI_ARG_UINT ? UINT : BOOL,
                                 arg->kind == ETI_ARG_UINT ? arg->as_uint : 1);
    }
    take_message(out, OF_EVENT_ARG, &p->arg);
    return name != 0 && value != 0;
}

/* Adds what all slices of an Event, or the slice of a run, have in common. */
static bool add_shared(perfetto *p, eti_buffer *out, const eti_slice_event *event, eti_text name) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    uint64_t id = text_id(p, &p->names, OF_TEXTS_NAME, name, event != NULL);
    eti_buffer texts = {0}; /* of args */
    eti__protobuf_add_number(out, OF_EVENT_CATEGORY, category_id(p, event));
    eti__protobuf_add_number(out, OF_EVENT_NAME, id);
    size_t n = event ? eti__event_args(p->source, event, &texts, args) : 0;
    bool is_added = id != 0;
    for (size_t i = 0; i < n && is_added; i++)
        is_added = add_arg(p, out, &args[i]);
    is_added = is_added && !texts.failed && !out->failed;
    eti__buffer_free(&texts);
    return is_added;
}

static bool make_event(perfetto *p, size_t number) {
    const eti_slice_event *event = &p->source->events[number];
    eti_buffer made = {0};
    bool is_made = add_shared(p, &made, event, eti__slice_name(event)) &&
                   eti__arena_copy_text(&p->arena, eti__buffer_text(&made), &p->events[number]);
    eti__buffer_free(&made);
    return is_made;
}

/* Returns the id of a track. Tracks and counters have alternate numbers, because each run may add more of both. */
static uint64_t track_uuid(const perfetto *p, uint32_t track) {
    return p->source->n_dumps + 1 + 2 * (uint64_t)track;
}

static uint64_t counter_uuid(const perfetto *p, uint32_t counter) {
    return p->source->n_dumps + 2 + 2 * (uint64_t)counter;
}

/* Makes the fields with the run in which an event was recorded. False: out of memory. */
static bool begin_run(perfetto *p, const eti_sliced_run *run) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    bool is_made = true;
    size_t n = eti__run_args(p->source, run, args);
    p->run_fields.size = 0;
    for (size_t i = 0; i < n && is_made; i++)
        is_made = add_arg(p, &p->run_fields, &args[i]);
    return is_made && !p->run_fields.failed;
}

/* Writes a packet with an event; `parts` are its fields besides type and track. */
static void add_event(perfetto *p, unsigned type, uint64_t uuid, uint64_t time,
                      const eti_text *parts, size_t n_parts) {
    char place[4 * ETI_MOST_VARINT], *place_end = place;
    place_end = eti__protobuf_put_key(place_end, OF_EVENT_TYPE, ETI_WIRE_VARINT);
    place_end = eti__protobuf_put_varint(place_end, type);
    place_end = eti__protobuf_put_key(place_end, OF_EVENT_TRACK, ETI_WIRE_VARINT);
    place_end = eti__protobuf_put_varint(place_end, uuid);
    size_t n_place = (size_t)(place_end - place), size = n_place;
    for (size_t i = 0; i < n_parts; i++)
        size += parts[i].size;
    char head[4 * ETI_MOST_VARINT], *end = head;
    end = eti__protobuf_put_key(end, OF_PACKET_TIME, ETI_WIRE_VARINT);
    end = eti__protobuf_put_varint(end, time);
    end = eti__protobuf_put_key(end, OF_PACKET_EVENT, ETI_WIRE_BYTES);
    end = eti__protobuf_put_varint(end, size);
    begin_packet(p, (size_t)(end - head) + size);
    eti__buffer_add(&p->text, head, (size_t)(end - head));
    eti__buffer_add(&p->text, place, n_place);
    for (size_t i = 0; i < n_parts; i++)
        eti__buffer_add(&p->text, parts[i].data, parts[i].size);
    end_packet(p);
}

/* Makes the fields that only this slice has; `*shared` are the fields of its Event. */
static bool make_slice(perfetto *p, const eti_sliced_run *run, const eti_slice *slice,
                       eti_text *shared) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    bool is_made = true;
    if (slice->event == ETI_NO_EVENT) {
        p->name.size = 0;
        eti__slice_run_add_name(p->source, run->run, &p->name);
        is_made = add_shared(p, &p->fields, NULL, eti__buffer_text(&p->name)) && !p->name.failed;
    } else {
        size_t number = p->source->first_event[run->run->block] + slice->event;
        is_made = p->events[number].data || make_event(p, number);
        *shared = p->events[number];
    }
    size_t n = eti__slice_args(p->source, run, slice, &p->name, args);
    for (size_t i = 0; i < n && is_made; i++)
        is_made = add_arg(p, &p->fields, &args[i]);
    if (slice->flow)
        eti__protobuf_add_fixed64(
            &p->fields, slice->flags & ETI_SLICE_FLOW_BEGINS ? OF_EVENT_FLOW : OF_EVENT_LAST_FLOW,
            slice->flow);
    return is_made && !p->name.failed && !p->fields.failed;
}

/* Writes the begin of a slice, or a time that the program marked. */
static bool begin_slice(perfetto *p, const eti_sliced_run *run, const eti_slice *slice) {
    eti_text shared = {0};
    if (!make_slice(p, run, slice, &shared))
        return false;
    const eti_text parts[] = {shared, eti__buffer_text(&p->fields),
                              eti__buffer_text(&p->run_fields)};
    size_t n_parts = slice->event == ETI_NO_EVENT ? 2 : 3;
    add_event(p, slice->flags & ETI_SLICE_MARK ? TYPE_INSTANT : TYPE_BEGIN,
              track_uuid(p, slice->track), slice->start, parts, n_parts);
    p->fields.size = 0; /* cleared, because the next message may be a track */
    return true;
}

/* Ends the innermost slices, until `n_left` are open. */
static void end_slices(perfetto *p, size_t n_left) {
    while (p->n_open > n_left) {
        const eti_slice *slice = p->open[--p->n_open];
        add_event(p, TYPE_END, track_uuid(p, slice->track), slice->end, NULL, 0);
    }
}

static bool add_slice(perfetto *p, const eti_sliced_run *run, const eti_slice *slice) {
    bool is_same_track = p->n_open > 0 && p->open[p->n_open - 1]->track == slice->track;
    end_slices(p, is_same_track ? slice->depth : 0);
    if (slice->flags & ETI_SLICE_MARK) /* has no end */
        return begin_slice(p, run, slice);
    if (!ETI_GROW(p->open, p->open_capacity, p->n_open + 1))
        return false;
    p->open[p->n_open++] = slice;
    return begin_slice(p, run, slice);
}

static bool add_instant(perfetto *p, const eti_sliced_run *run, const eti_slice_instant *instant) {
    eti_slice_arg args[ETI_MOST_SLICE_ARGS];
    uint64_t name = text_id(p, &p->names, OF_TEXTS_NAME, eti__slice_instant_name(run, instant),
                            true); /* all slices around it are in the file */
    if (!(p->categories & 1u << INSTANT_CATEGORY))
        intern(p, OF_TEXTS_CATEGORY, INSTANT_CATEGORY + 1, eti__text_of(ETI_INSTANT_CATEGORY));
    p->categories |= 1u << INSTANT_CATEGORY;
    eti__protobuf_add_number(&p->fields, OF_EVENT_CATEGORY, INSTANT_CATEGORY + 1);
    eti__protobuf_add_number(&p->fields, OF_EVENT_NAME, name);
    size_t n = eti__instant_args(p->source, run, instant, &p->name, args);
    bool is_made = name != 0;
    for (size_t i = 0; i < n && is_made; i++)
        is_made = add_arg(p, &p->fields, &args[i]);
    const eti_text parts[] = {eti__buffer_text(&p->fields)};
    add_event(p, TYPE_INSTANT, track_uuid(p, instant->track), instant->time, parts, 1);
    p->fields.size = 0;
    return is_made && !p->fields.failed && !p->name.failed;
}

/* Makes the fields that mark a time as inexact. */
static bool make_approximate(perfetto *p) {
    const eti_slice_arg arg = {.name = "approximate", .kind = ETI_ARG_TRUE};
    return p->approximate.size > 0 || (add_arg(p, &p->approximate, &arg) && !p->approximate.failed);
}

static bool add_sample(perfetto *p, const eti_slice_sample *sample) {
    const eti_slice_counter *counter = eti__slices_counter(p->slices, sample->counter);
    bool is_approximate =
        counter->kind == ETI_COUNTER_ALLOCATOR && p->source->args != ETI_ARGS_NONE;
    if (is_approximate && !make_approximate(p))
        return false;
    eti__protobuf_add_number(&p->fields, OF_EVENT_VALUE, (uint64_t)sample->value);
    const eti_text parts[] = {eti__buffer_text(&p->fields), eti__buffer_text(&p->approximate)};
    add_event(p, TYPE_COUNTER, counter_uuid(p, sample->counter), sample->time, parts,
              is_approximate ? 2 : 1);
    p->fields.size = 0;
    return !p->fields.failed;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

enum { OF_TRACK_UUID = 1, OF_TRACK_NAME = 2, OF_TRACK_PROCESS = 3, OF_TRACK_THREAD = 4 };
enum { OF_TRACK_PARENT = 5, OF_TRACK_COUNTER = 8, OF_TRACK_RANK = 12 };
enum {
    OF_TRACK_HELP = 14,
    OF_TRACK_PROCESS_ORDER = 19,
    OF_TRACK_THREAD_ORDER = 20,
    ORDER_BY_RANK = 1
};

/* Writes the track whose fields are made. */
static void end_track(perfetto *p) {
    take_message(&p->packet, OF_PACKET_TRACK, &p->fields);
    begin_packet(p, 0);
    end_packet(p);
}

/* Writes that processes and tracks are ordered by their ranks. */
static void describe_root(perfetto *p) {
    eti__protobuf_add_number(&p->fields, OF_TRACK_UUID, 0);
    eti__protobuf_add_number(&p->fields, OF_TRACK_PROCESS_ORDER, ORDER_BY_RANK);
    eti__protobuf_add_number(&p->fields, OF_TRACK_THREAD_ORDER, ORDER_BY_RANK);
    end_track(p);
}

static void describe_process(perfetto *p, uint32_t dump) {
    enum { PID = 1, NAME = 6 };
    eti_buffer name = {0}, process = {0};
    eti__add_process_name(p->report, p->options, &p->source->dumps[dump], &name);
    eti__protobuf_add_number(&process, PID, (uint64_t)dump + 1);
    add_text(&process, NAME, eti__buffer_text(&name));
    eti__protobuf_add_number(&p->fields, OF_TRACK_UUID, (uint64_t)dump + 1);
    take_message(&p->fields, OF_TRACK_PROCESS, &process);
    eti__protobuf_add_number(&p->fields, OF_TRACK_RANK, dump);
    p->fields.failed |= name.failed;
    end_track(p);
    eti__buffer_free(&name);
    eti__buffer_free(&process);
}

static void describe_track(perfetto *p, uint32_t number) {
    enum { PID = 1, TID = 2, NAME = 5 };
    const eti_slice_track *track = eti__slices_track(p->slices, number);
    const char *help = eti__slice_track_help(track);
    eti_buffer name = {0}, thread = {0};
    eti__slice_track_add_name(p->source, track, &name);
    eti__protobuf_add_number(&thread, PID, (uint64_t)track->dump + 1);
    eti__protobuf_add_number(&thread, TID, (uint64_t)number + 1);
    add_text(&thread, NAME, eti__buffer_text(&name));
    eti__protobuf_add_number(&p->fields, OF_TRACK_UUID, track_uuid(p, number));
    take_message(&p->fields, OF_TRACK_THREAD, &thread);
    eti__protobuf_add_number(&p->fields, OF_TRACK_RANK, eti__slice_track_rank(track));
    if (help)
        eti__protobuf_add_bytes(&p->fields, OF_TRACK_HELP, eti__text_of(help));
    p->fields.failed |= name.failed;
    end_track(p);
    eti__buffer_free(&name);
    eti__buffer_free(&thread);
}

static void describe_counter(perfetto *p, uint32_t number) {
    enum { UNIT = 3, UNIT_NAME = 6, OTHER = 0, NS = 1, COUNT = 2, BYTES = 3 };
    const eti_slice_counter *counter = eti__slices_counter(p->slices, number);
    const char *help = eti__slice_counter_help(counter);
    eti_text name = eti__text_of(eti__counter_unit(p->source, counter));
    uint64_t unit = eti__text_is(name, "bytes")                                           ? BYTES
                    : eti__text_is(name, "ns")                                            ? NS
                    : counter->kind >= ETI_COUNTER_LOGGED && !eti__text_is(name, "count") ? OTHER
                                                                                          : COUNT;
    p->name.size = 0;
    eti__slice_counter_add_name(p->source, counter, &p->name);
    eti__protobuf_add_number(&p->arg, UNIT, unit);
    if (unit == OTHER)
        eti__protobuf_add_bytes(&p->arg, UNIT_NAME, name);
    eti__protobuf_add_number(&p->fields, OF_TRACK_UUID, counter_uuid(p, number));
    add_text(&p->fields, OF_TRACK_NAME, eti__buffer_text(&p->name));
    eti__protobuf_add_number(&p->fields, OF_TRACK_PARENT, (uint64_t)counter->dump + 1);
    take_message(&p->fields, OF_TRACK_COUNTER, &p->arg);
    if (help)
        eti__protobuf_add_bytes(&p->fields, OF_TRACK_HELP, eti__text_of(help));
    p->fields.failed |= p->name.failed;
    end_track(p);
}

/* Describes the process of the track that is described next. */
static void begin_process(perfetto *p, uint32_t dump) {
    if (dump != p->dump)
        describe_process(p, dump);
    p->dump = dump;
}

/* Describes the tracks that are new with the run. */
static void describe_tracks(perfetto *p) {
    for (; p->n_tracks < eti__slices_track_count(p->slices); p->n_tracks++) {
        begin_process(p, eti__slices_track(p->slices, p->n_tracks)->dump);
        describe_track(p, (uint32_t)p->n_tracks);
    }
    for (; p->n_counters < eti__slices_counter_count(p->slices); p->n_counters++) {
        begin_process(p, eti__slices_counter(p->slices, p->n_counters)->dump);
        describe_counter(p, (uint32_t)p->n_counters);
    }
}

/* ---- the trace ------------------------------------------------------------------------------- */

static bool has_failed(const perfetto *p) {
    return p->text.failed || p->texts.failed || p->scratch.failed;
}

/* Writes a run. False: out of memory. */
static bool write_run(perfetto *p, const eti_sliced_run *run) {
    describe_tracks(p);
    bool is_written = begin_run(p, run);
    for (size_t i = 0; i < run->n_slices && is_written; i++)
        is_written = add_slice(p, run, &run->slices[i]);
    end_slices(p, 0); /* slices borrow from the run */
    for (size_t i = 0; i < run->n_instants && is_written; i++)
        is_written = add_instant(p, run, &run->instants[i]);
    for (size_t i = 0; i < run->n_samples && is_written; i++)
        is_written = add_sample(p, &run->samples[i]);
    return is_written && !has_failed(p);
}

static eti_status write_runs(perfetto *p, eti_error *err) {
    eti_sliced_run run;
    describe_root(p);
    for (;;) {
        ETI_TRY(eti__slices_next(p->slices, &run, err));
        if (!run.run || eti__output_failed(p->output))
            return has_failed(p) ? eti_fail_memory(err) : ETI_OK;
        if (!write_run(p, &run))
            return eti_fail_memory(err);
    }
}

static void free_all(perfetto *p) {
    eti_buffer *const buffers[] = {&p->text, &p->scratch,    &p->packet, &p->fields,
                                   &p->arg,  &p->entry,      &p->texts,  &p->run_fields,
                                   &p->name, &p->approximate};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        eti__buffer_free(buffers[i]);
    eti__text_table_free(&p->names);
    eti__text_table_free(&p->values);
    eti__text_table_free(&p->arg_names);
    eti__arena_free(&p->arena);
    free(p->events);
    free((void *)p->open);
}

static eti_status write_perfetto(const eti_report *report, const eti_write_options *options,
                                 eti_output *output, eti_error *err) {
    bool *is_left_out;
    perfetto p = {.report = report,
                  .options = options,
                  .source = report->slices,
                  .output = output,
                  .dump = UINT32_MAX};
    ETI_TRY(eti__report_slices_open(&p.slices, &is_left_out, report, err));
    p.events = calloc(p.source->n_events + 1, sizeof *p.events);
    eti_status status = p.events ? write_runs(&p, err) : eti_fail_memory(err);
    if (status == ETI_OK)
        flush(&p);
    eti__slices_close(p.slices);
    free(is_left_out);
    free_all(&p);
    return status;
}

const eti_writer eti__writer_perfetto = {
    .name = "perfetto",
    .summary = "trace in Perfetto's own format: smaller, and exact for slices of zero length",
    .suffixes = "pftrace,perfetto-trace",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_perfetto,
    .is_file = true,
};
