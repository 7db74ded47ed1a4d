#include "rollup/rollup.h"
#include "timeline/planned_use.h"
#include "timeline/slices.h"

#include <inttypes.h>

/* Largest number of bytes of names that are repeated in each run, track or sample. */
#define MOST_NAME 256

void eti__slice_run_add_name(const eti_slice_source *source, const eti_slice_run *run,
                             eti_buffer *out) {
    const eti_event_block *block = &source->inspector->blocks.blocks[run->block];
    eti_text name = block->label.size > 0 ? block->label : eti__text_of(ETI_GROUP_NO_NAME);
    eti__buffer_add_cut(out, name, MOST_NAME);
    eti__buffer_printf(out, " #%u", (unsigned)run->number);
}

void eti__slice_track_add_name(const eti_slice_source *source, const eti_slice_track *track,
                               eti_buffer *out) {
    static const char *const suffixes[ETI_N_TRACK_KINDS] = {
        [ETI_TRACK_METHOD] = "",
        [ETI_TRACK_SYNTHETIC] = " (positions synthetic)",
        [ETI_TRACK_OWN_CLOCK] = " (own clock)",
        [ETI_TRACK_NO_CALL] = " (no call)",
        [ETI_TRACK_DEBUG] = "debug events",
    };
    if (track->run != ETI_EVERY_RUN) {
        const eti_slice_run *run = &source->runs[track->run];
        eti__buffer_printf(out, "run %u", (unsigned)run->number);
        eti__buffer_add_string(out, track->kind == ETI_TRACK_METHOD ? "" : ", ");
    } else if (track->kind == ETI_TRACK_METHOD) {
        eti__buffer_add_string(out, "method");
    }
    if (track->kind != ETI_TRACK_METHOD)
        eti__buffer_add_cut(out, track->backend, MOST_NAME);
    eti__buffer_add_string(out, suffixes[track->kind]);
    eti__buffer_add_string(out, track->is_in_cycles ? " (cycles)" : "");
    if (track->lane > 0)
        eti__buffer_printf(out, " (overlap %u)", (unsigned)track->lane + 1);
}

const char *eti__slice_track_help(const eti_slice_track *track) {
    static const char *const help[ETI_N_TRACK_KINDS] = {
        [ETI_TRACK_SYNTHETIC] = "The backend did not record these positions: it lays rounded "
                                "durations end to end. The durations are as recorded.",
        [ETI_TRACK_OWN_CLOCK] =
            "The backend uses its own clock: the first event of each call is placed at the start "
            "of that call. Distances within a call are as recorded.",
        [ETI_TRACK_NO_CALL] = "A delegate logged these events, but no DELEGATE_CALL matches them.",
        [ETI_TRACK_DEBUG] = "Debug events have no time stamps: each is placed after the event "
                            "recorded before it, and not before the start of the event after it.",
    };
    return help[track->kind];
}

/* Begins a name that belongs to only one run. */
static void add_run_number(const eti_slice_source *source, uint32_t run, eti_buffer *out) {
    if (run != ETI_EVERY_RUN)
        eti__buffer_printf(out, "run %u, ", (unsigned)source->runs[run].number);
}

void eti__slice_counter_add_name(const eti_slice_source *source, const eti_slice_counter *counter,
                                 eti_buffer *out) {
    add_run_number(source, counter->run, out);
    switch ((eti_slice_counter_kind)counter->kind) {
    case ETI_COUNTER_RUN_TIME:
        eti__buffer_add_string(out, "run time");
        eti__buffer_add_string(out, source->is_in_cycles ? " (cycles)" : "");
        break;
    case ETI_COUNTER_ALLOCATOR:
        eti__buffer_add_cut(out, counter->name, MOST_NAME);
        if (counter->name.size > MOST_NAME)
            eti__buffer_printf(out, " #%" PRIu32, counter->number);
        break;
    case ETI_COUNTER_ARENA:
        eti__buffer_printf(out, "planned memory %" PRIu32, counter->number);
        if (source->planned->n_plans > 1) {
            eti__buffer_add_string(out, " of ");
            eti__buffer_add_cut(out, counter->name, MOST_NAME);
        }
        break;
    }
}

eti_text eti__slice_instant_name(const eti_sliced_run *run, const eti_slice_instant *instant) {
    eti_etdump_event event;
    eti__etdump_read_event(&event, run->recorded->dump,
                           eti__block_run_position(run->recorded, instant->number));
    eti_text name = event.kind == ETI_ETDUMP_DEBUG ? event.name : (eti_text){0};
    if (name.size == 0 && instant->event != ETI_NO_EVENT)
        name = run->block->events[instant->event].name;
    if (name.size == 0)
        return eti__text_of(event.is_run_output ? "(output)" : ETI_GROUP_NO_NAME);
    name.size = name.size < MOST_NAME ? name.size : MOST_NAME;
    return name;
}

const char *eti__slice_counter_help(const eti_slice_counter *counter) {
    static const char *const help[] = {
        [ETI_COUNTER_ALLOCATOR] =
            "Bytes allocated so far in this run; freed memory is not recorded. Allocations have no "
            "time stamps: each is placed after the event recorded before it, and not before the "
            "start of the event after it.",
        [ETI_COUNTER_ARENA] = "Bytes in use according to the program's memory plan, from the start "
                              "of each instruction.",
        [ETI_COUNTER_RUN_TIME] = NULL,
    };
    return help[counter->kind];
}
