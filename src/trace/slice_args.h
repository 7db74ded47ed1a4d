/*
 * slice_args.h - lists the arguments of a trace's slices and their categories, the same for all
 * formats.
 */
#ifndef ETI_TRACE_SLICE_ARGS_H
#define ETI_TRACE_SLICE_ARGS_H

#include "base/text.h"
#include "table/table.h"
#include "timeline/timeline.h"
#include "write/write.h"

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

#define ETI_MOST_SLICE_ARGS 12

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

/* Makes an array that says, per report->slices->events, whether the row was left out; NULL: none was. The caller frees it.
 * ETI_ERROR_MEMORY. */
eti_status eti__report_left_out(bool **out, const eti_report *report,
                                eti_error *err) ETI_WARN_UNUSED;

/* Opens the slices of a report, without those of Events whose rows were left out; the caller frees `*is_left_out` once the
 * slices are closed. ETI_ERROR_MEMORY, with nothing left to free. */
eti_status eti__report_slices_open(eti_slices **out, bool **is_left_out, const eti_report *report,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
