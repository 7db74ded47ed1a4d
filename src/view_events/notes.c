
#include "view_events/view_events.h"

#include <inttypes.h>
#include <stdio.h>

/* ==== notes =================================================================================== */

eti_status eti__view_add_inputs(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) {
    const struct eti_file *file;
    const char *kind;
    eti__report_keep(report, eti__inspector_keep(inspector));
    for (size_t i = 0; (file = eti__inspector_file(inspector, i, &kind)); i++)
        ETI_TRY(eti__report_add_source(report, kind, file, err));
    const char *clock = eti__etdumps_clock(inspector->dumps, inspector->n_dumps);
    return clock ? eti__report_add_label(report, "clock", clock, err) : ETI_OK;
}

/* Number of backends that are examined. */
#define MOST_BACKENDS 4
/* Number of blocks that are named, and limit of the bytes of their names. */
#define MOST_BLOCKS 4
#define LONGEST_LIST 400

eti_status eti__view_note_cycles(eti_report *report, const eti_cycle_counts *cycles,
                                 eti_error *err) {
    if (cycles->n == 0)
        return ETI_OK;
    eti_text backend = cycles->backend.size > 0 ? cycles->backend : eti__text_of("a delegate");
    return eti__report_note(report, err,
                            "%.*s counts cycles: the time of a call is divided by them, including "
                            "its overhead; %s%s takes the frequency of %s clock",
                            ETI_TEXT_ARGS(backend), eti__option_prefix(),
                            cycles->has_frequency ? "clock_hz" : "delegate_time_scale",
                            cycles->has_frequency ? "the ETDump's" : "its");
}

eti_status eti__view_note_rounding(eti_report *report, const eti_rounding *rounding,
                                   eti_error *err) {
    double not_logged = eti__wide_as_double(rounding->not_logged);
    if (!rounding->is_known || not_logged == 0)
        return ETI_OK;
    eti_buffer text = {0};
    eti__buffer_add_string(
        &text, "delegates log their operators in whole microseconds, rounded down: up to ");
    eti__add_share(&text, eti__wide_as_double(rounding->most) / not_logged);
    eti__buffer_printf(
        &text, " of the time shown as delegate overhead may belong to them (%" PRIu64 " events)",
        rounding->n_events);
    return eti__report_take_note(report, &text, err);
}

/* Adds a note with "3 of 30 runs of 2 blocks of 3 files"; with one block of one file, "first 5 of 10 runs", or "first of 10
 * runs" for a single run. */
static eti_status note_warm_up(eti_report *report, const eti_inspector *inspector,
                               const eti_run_counts *runs, eti_error *err) {
    size_t n_files = inspector->n_dumps, n = runs->n_warm_up;
    char number[24] = "", blocks[40] = "", files[40] = "";
    bool are_first = runs->n_blocks == 1 && n_files == 1;
    if (n == 0)
        return ETI_OK;
    if (n > 1 || !are_first)
        snprintf(number, sizeof number, "%zu ", n);
    if (runs->n_blocks > 1)
        snprintf(blocks, sizeof blocks, " of %zu blocks", runs->n_blocks);
    if (n_files > 1)
        snprintf(files, sizeof files, " of %zu files", n_files);
    return eti__report_note(report, err,
                            "warm-up: %s%sof %zu runs%s%s left out (%sskip_first 0 keeps %s)",
                            are_first ? "first " : "", number, n + runs->n, blocks, files,
                            eti__option_prefix(), n == 1 ? "it" : "them");
}

static eti_status note_lanes(eti_report *report, const eti_run_counts *runs, eti_error *err) {
    double elapsed = eti__wide_as_double(runs->elapsed);
    if (runs->n_overlapping == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "lanes work at the same time in %zu of %zu runs: together they are "
                            "busy for %.2f times the elapsed time; shares are of the busy time",
                            runs->n_overlapping, runs->n,
                            elapsed > 0 ? eti__wide_as_double(runs->busy) / elapsed : 0);
}

eti_status eti__view_note_runs(eti_report *report, const eti_inspector *inspector,
                               const eti_run_counts *runs, eti_error *err) {
    ETI_TRY(note_warm_up(report, inspector, runs, err));
    return note_lanes(report, runs, err);
}

eti_status eti__view_note_unsteady(eti_report *report, const eti_rollup *counts, eti_error *err) {
    if (!counts->is_unsteady)
        return ETI_OK;
    return eti__report_note(report, err,
                            "* mean and typical time differ by more than half: runs were "
                            "interrupted or have two speeds (etinspect runs shows which)");
}

static eti_status note_methods(eti_report *report, const eti_summed_methods *methods,
                               eti_error *err) {
    return eti__report_note(report, err,
                            "each method has its own statistics, but shares refer to the time of "
                            "all %zu; %sblock NAME shows one",
                            methods->n, eti__option_prefix());
}

static eti_status note_blocks(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    const eti_blocks *blocks = &inspector->blocks;
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    eti_buffer names = {0};
    size_t n = 0;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (!eti__block_is_summed(options, &blocks->blocks[i], no_loading) || n++ >= MOST_BLOCKS)
            continue;
        eti__buffer_add_string(&names, n > 1 ? ", " : "");
        eti__buffer_add_text(&names, blocks->blocks[i].label);
    }
    eti_status status = ETI_OK;
    if (names.failed)
        status = eti_fail_memory(err);
    else if (n > 1)
        status = eti__report_note(report, err,
                                  "times of %zu blocks together: %.*s%s; %sblock NAME shows one", n,
                                  (int)(names.size < LONGEST_LIST ? names.size : LONGEST_LIST),
                                  names.data, n > MOST_BLOCKS ? " ..." : "", eti__option_prefix());
    eti__buffer_free(&names);
    return status;
}

eti_status eti__view_note_blocks(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    eti_summed_methods methods;
    eti_status status = eti__summed_methods_find(&methods, inspector, options, err);
    if (status == ETI_OK && methods.n > 1)
        status = note_methods(report, &methods, err);
    else if (status == ETI_OK)
        status = note_blocks(report, inspector, options, err);
    eti__summed_methods_free(&methods);
    return status;
}

eti_status eti__view_note_time_faults(eti_report *report, const eti_time_faults *faults,
                                      eti_error *err) {
    for (int kind = 0; kind < ETI_N_TIME_FAULTS; kind++) {
        eti_buffer text = {0};
        if (faults->of[kind].n == 0)
            continue;
        eti__time_faults_describe(faults, (eti_time_fault)kind, &text);
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    return ETI_OK;
}

eti_status eti__view_note_repeated(eti_report *report, const eti_event_times *times,
                                   eti_error *err) {
    uint64_t n_repeated = 0;
    for (size_t i = 0; i < times->n_blocks; i++)
        n_repeated += times->blocks[i].account->n_repeated;
    if (n_repeated == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "an event with several calls in a run has the sum of their times; the "
                            "Inspector's table has the last call");
}

eti_status eti__view_note_record(eti_report *report, const eti_inspector *inspector,
                                 const char *what, eti_error *err) {
    if (eti__uses_record(inspector))
        return ETI_OK;
    return eti__report_note(report, err, "%s are known only with the ETRecord%s", what,
                            inspector->record ? " saved with the .pte that ran" : "");
}

static eti_status note_backend(eti_report *report, const eti_delegate_stamps *stamps, eti_text name,
                               eti_error *err) {
    switch (eti__synthetic_judge(stamps)) {
    case ETI_SYNTHETIC_NOT:
        break;
    case ETI_SYNTHETIC_ALIKE:
        return eti__report_note(
            report, err,
            "times of %.*s look computed (not measured): each of its events takes %" PRIu64
            " ticks",
            ETI_TEXT_ARGS(name), stamps->first_length);
    case ETI_SYNTHETIC_CONSTANT:
        return eti__report_note(report, err,
                                "times of %.*s look computed (not measured): they are the same in "
                                "every run",
                                ETI_TEXT_ARGS(name));
    case ETI_SYNTHETIC_STEPS:
        return eti__report_note(report, err,
                                "durations of %.*s are as recorded (in steps of %" PRIu64
                                " ticks), but it did not record when its events began: they are "
                                "shown back to back",
                                ETI_TEXT_ARGS(name), stamps->step);
    }
    return ETI_OK;
}

eti_status eti__view_note_synthetic(eti_report *report, const eti_synthetic *synthetic,
                                    eti_error *err) {
    for (size_t i = 0; i < synthetic->stamps.count && i < MOST_BACKENDS; i++) {
        const eti_delegate_stamps *stamps = &synthetic->stamps.items[i];
        eti_text name = stamps->backend;
        if (name.size == 0)
            name = eti__text_of("a delegate");
        ETI_TRY(note_backend(report, stamps, name, err));
    }
    return ETI_OK;
}

/* ==== group row =============================================================================== */

#define DEFINE_SETTER(name, value)                                                                 \
    bool eti__set_group_##name(void *context, eti_cell *cell) {                                    \
        eti_group_row *row = context;                                                              \
        if (row->group)                                                                            \
            *cell = (value);                                                                       \
        return true;                                                                               \
    }

/* Summarizes the sums of the runs once for all statistics of a row. False: out of memory. */
static bool summarize(eti_group_row *row) {
    if (row->is_summarized || row->group->n_runs == 0)
        return true;
    double *scratch = eti__arena_alloc(row->arena, 2 * row->rollup->most_runs, sizeof *scratch);
    if (scratch)
        row->is_summarized = eti__rollup_summarize(
            row->rollup, (size_t)(row->group - row->rollup->groups), scratch, &row->times);
    return scratch != NULL;
}

static double typical_of(const eti_group_row *row) {
    return row->is_of_block ? eti__rollup_typical_in_blocks(row->rollup, row->group)
                            : eti__rollup_typical(row->rollup, &row->group->time);
}

#define DEFINE_STATISTIC(name)                                                                     \
    bool eti__set_group_##name(void *context, eti_cell *cell) {                                    \
        eti_group_row *row = context;                                                              \
        if (row->group && !summarize(row))                                                         \
            return false;                                                                          \
        if (row->is_summarized)                                                                    \
            *cell = eti__double_cell(row->times.name);                                             \
        return true;                                                                               \
    }

bool eti__set_group_method(void *context, eti_cell *cell) {
    const eti_group_row *row = context;
    *cell = eti__text_or_none(row->method);
    return true;
}

DEFINE_SETTER(events, eti__count_cell(row->group->n_events))
DEFINE_SETTER(calls, eti__count_cell(row->group->n_calls))
DEFINE_SETTER(total, eti__double_cell(eti__rollup_time(row->rollup, row->group->time.total)))
DEFINE_SETTER(typical, eti__double_cell(typical_of(row)))
DEFINE_SETTER(share, eti__double_cell(eti__time_sum_share(&row->group->time, row->whole)))
DEFINE_SETTER(share_mean, eti__double_cell(eti__time_sum_share_mean(&row->group->time, row->whole)))
DEFINE_SETTER(unsteady, eti__bool_cell(eti__time_sum_is_unsteady(&row->group->time, row->whole)))
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)

/* ==== source cell ============================================================================= */

void eti__add_place_line(eti_buffer *out, const eti_places *places, const eti_place *place) {
    const eti_stack_frame *frame = &eti__places_frame(places, place->frame)->frame;
    eti__add_source_line(out, frame->file, frame->line);
}

bool eti__set_place_source(eti_row *row, const eti_places *places, const eti_place *place,
                           eti_cell *cell) {
    if (eti__place_has_line(place)) {
        eti__add_place_line(&row->scratch, places, place);
        return eti__row_take_cell(row, ETI_CELL_TEXT, cell);
    }
    if (place->has_frames)
        eti__cell_put(cell, eti__string_cell(ETI_GROUP_SEVERAL_LINES));
    return true;
}
