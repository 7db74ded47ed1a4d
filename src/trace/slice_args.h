/*
 * slice_args.h - lists the arguments of a trace's slices and their categories, the same for all
 * formats.
 */
#ifndef ETI_TRACE_SLICE_ARGS_H
#define ETI_TRACE_SLICE_ARGS_H

#include "base/text.h"
#include "etinspect.h"
#include "timeline/timeline.h"
#include "write/write.h"

/* ==== slice args ============================================================================== */

typedef enum eti_slice_arg_kind {
    ETI_ARG_TEXT,
    ETI_ARG_INT,
    ETI_ARG_UINT,
    ETI_ARG_TRUE,
} eti_slice_arg_kind;

typedef struct eti_slice_arg {
    const char *name;
    eti_text as_text;
    int64_t as_int;
    uint64_t as_uint;
    eti_slice_arg_kind kind;
    bool is_lasting; /* as_text lives as long as the source */
} eti_slice_arg;

#define ETI_MOST_SLICE_ARGS 16

/* List args, with source->args; texts may be in `scratch`, which is emptied. The first function lists the args that all
 * slices of an Event share, the second those that the slices of all Events of a run share, the third the others, or all args
 * of the slice of a run. Return the number of args. */
size_t eti__event_args(const eti_slice_source *source, const eti_slice_event *event,
                       eti_buffer *scratch, eti_slice_arg out[ETI_MOST_SLICE_ARGS]);
size_t eti__run_args(const eti_slice_source *source, const eti_sliced_run *run,
                     eti_slice_arg out[ETI_MOST_SLICE_ARGS]);
size_t eti__slice_args(const eti_slice_source *source, const eti_sliced_run *run,
                       const eti_slice *slice, eti_buffer *scratch,
                       eti_slice_arg out[ETI_MOST_SLICE_ARGS]);

/* Lists the args of an instant in the same way; texts may be in `scratch`. */
size_t eti__instant_args(const eti_slice_source *source, const eti_sliced_run *run,
                         const eti_slice_instant *instant, eti_buffer *scratch,
                         eti_slice_arg out[ETI_MOST_SLICE_ARGS]);

/* Returns the unit of a counter, which is the name of its argument: "bytes", "ns". */
const char *eti__counter_unit(const eti_slice_source *source, const eti_slice_counter *counter);

/* Returns the category of an Event's slices; NULL stands for the slice of a run. */
const char *eti__slice_category(const eti_slice_event *event);
#define ETI_N_SLICE_CATEGORIES 6
/* Returns the number of the category. */
size_t eti__slice_category_number(const eti_slice_event *event);

/* Returns the name of an Event; "(no name)" for an empty name, which viewers treat as none. */
eti_text eti__slice_name(const eti_slice_event *event);

/* Appends the name of a process: the name of its file, the methods that ran in brackets, and the labels of the report and of
 * the user. "run.etdp [forward] (device=pixel8)". */
void eti__add_process_name(const eti_report *report, const eti_write_options *options,
                           const eti_slice_dump *dump, eti_buffer *out);

#define ETI_INSTANT_CATEGORY "debug"

/* Returns the position of a track among those of its ETDump. */
uint32_t eti__slice_track_rank(const eti_slice_track *track);

/* Opens the slices of a report, without those of Events whose rows were left out; the caller frees `*is_left_out` once the
 * slices are closed. ETI_ERROR_MEMORY, with nothing left to free. */
eti_status eti__report_slices_open(eti_slices **out, bool **is_left_out, const eti_report *report,
                                   eti_error *err) ETI_WARN_UNUSED;

/* ==== protobuf ================================================================================ */
/* Appends fields of Protocol Buffers messages. A nested message is first built in its own buffer
 * and then appended as the bytes of a field. */

enum { ETI_WIRE_VARINT = 0, ETI_WIRE_FIXED64 = 1, ETI_WIRE_BYTES = 2 };

#define ETI_MOST_VARINT 10 /* bytes */

/* Writes a number at `at`, where there must be room for ETI_MOST_VARINT bytes; returns the end. */
static inline char *eti__protobuf_put_varint(char *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = (char)((value & 0x7f) | 0x80);
    *at++ = (char)value;
    return at;
}

/* Writes the key of a field in the same way; the caller then writes a number, or the size of the field's bytes. */
static inline char *eti__protobuf_put_key(char *at, uint32_t field, unsigned wire) {
    return eti__protobuf_put_varint(at, (uint64_t)field << 3 | wire);
}

/* Appends a number to a packed field. */
void eti__protobuf_add_varint(eti_buffer *out, uint64_t value);
/* Appends a field with a number; a negative one is stored as its 64-bit two's complement. */
void eti__protobuf_add_number(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with a fixed-width 64-bit number. */
void eti__protobuf_add_fixed64(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with bytes: a string, a message or packed numbers. */
void eti__protobuf_add_bytes(eti_buffer *out, uint32_t field, eti_text bytes);
/* Appends the key and the size of such a field; the caller appends the bytes. */
void eti__protobuf_begin_bytes(eti_buffer *out, uint32_t field, size_t size);

/* ==== report stacks =========================================================================== */
/* Turns the report of a trace into its stacks. */

/* Makes the stacks of a report, without Events whose rows were left out. Errors are those of eti__stacks_make(); free `out`
 * in any case. */
eti_status eti__report_stacks_make(eti_stacks *out, const eti_report *report,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of a profile: the path of the first ETDump. */
eti_text eti__report_etdump_name(const eti_report *report);

#endif
