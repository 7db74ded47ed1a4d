#include "api/api.h"

#include "rollup/rollup.h"
#include "view/view.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <stdlib.h>

/* ==== etinspect =============================================================================== */
/* The functions of etinspect.h that only pass on results of the rooms; no other file includes all
 * rooms. */

/* ---- inspector ------------------------------------------------------------------------------- */

/* Makes a check that was not made yet. If it fails, its notes are removed, and the next call makes it again. */
static eti_status check_once(eti_inspector *inspector, bool *is_made,
                             eti_status (*check)(eti_inspector *inspector, eti_error *err),
                             eti_error *err) {
    size_t n_notes = inspector->n_notes;
    if (*is_made)
        return ETI_OK;
    eti_status status = check(inspector, err);
    *is_made = status == ETI_OK;
    if (!*is_made)
        inspector->n_notes = n_notes;
    return status;
}

static eti_status note_faults(eti_inspector *inspector, const eti_time_faults *faults,
                              eti_error *err) {
    eti_status status = ETI_OK;
    for (int kind = 0; kind < ETI_N_TIME_FAULTS && status == ETI_OK; kind++) {
        eti_buffer text = {0};
        if (faults->of[kind].n == 0)
            continue;
        bool is_serious = eti__time_fault_is_serious((eti_time_fault)kind);
        eti__time_faults_describe(faults, (eti_time_fault)kind, &text);
        status =
            eti__notes_add(inspector, is_serious ? ETI_NOTE_WARNING : ETI_NOTE_INFO, &text, err);
    }
    return status;
}

static eti_status check_times(eti_inspector *inspector, eti_error *err) {
    eti_time_faults faults = {0};
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        const eti_account *account;
        if (!block->raw)
            continue;
        ETI_TRY(eti__account_of(&account, inspector, block, err));
        eti__time_faults_join(&faults, &account->faults);
    }
    return note_faults(inspector, &faults, err);
}

eti_status eti_inspector_check_times(eti_inspector *inspector, eti_error *err) {
    return check_once(inspector, &inspector->are_times_checked, check_times, err);
}

/* Adds the hint of the view "summary" that a program would show more. */
static eti_status note_program_hint(eti_inspector *inspector, eti_error *err) {
    static const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_overview data;
    eti_buffer text = {0};
    eti_status status = eti__overview_make(&data, inspector, &options, err);
    if (status == ETI_OK) {
        eti__program_hint(&text, inspector, &data.rollup.attributed, false);
        status = eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
    }
    eti__overview_free(&data);
    return status;
}

/* Warns about notes behind ETDumps that cannot be read. */
static eti_status note_damaged_notes(eti_inspector *inspector, eti_error *err) {
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        const eti_etdump *dump = &inspector->dumps[i];
        eti_buffer text = {0};
        if (dump->note.fault[0])
            eti__buffer_printf(&text,
                               "%s: the note that etinspect record wrote at its end is damaged, so "
                               "its clock is unknown: %s",
                               dump->file_name, dump->note.fault);
        ETI_TRY(eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err));
    }
    return ETI_OK;
}

static eti_status check_plans(eti_inspector *inspector, eti_error *err) {
    ETI_TRY(note_damaged_notes(inspector, err));
    ETI_TRY(eti__programs_note(inspector, err));
    ETI_TRY(eti__handles_note(inspector, err));
    if (inspector->n_programs == 0 && inspector->n_dumps > 0)
        ETI_TRY(note_program_hint(inspector, err));
    ETI_TRY(eti__plan_faults_note(inspector, err));
    ETI_TRY(eti__test_case_faults_note(inspector, err));
    return eti__data_faults_note(inspector, err);
}

eti_status eti_inspector_check_plans(eti_inspector *inspector, eti_error *err) {
    return check_once(inspector, &inspector->are_plans_checked, check_plans, err);
}

eti_status eti_inspector_check_tensors(eti_inspector *inspector, eti_error *err) {
    return check_once(inspector, &inspector->are_tensors_checked, eti__recorded_note, err);
}

size_t eti_inspector_note_count(const eti_inspector *inspector) {
    return inspector->n_notes;
}

eti_note_kind eti_inspector_note_kind(const eti_inspector *inspector, size_t i) {
    return i < inspector->n_notes ? inspector->notes[i].kind : ETI_NOTE_INFO;
}

eti_text eti_inspector_note_text(const eti_inspector *inspector, size_t i) {
    return i < inspector->n_notes ? inspector->notes[i].text : (eti_text){NULL, 0};
}

size_t eti_inspector_block_count(const eti_inspector *inspector) {
    return inspector->blocks.n_blocks;
}

const eti_event_block *eti_inspector_block(const eti_inspector *inspector, size_t i) {
    return i < inspector->blocks.n_blocks ? &inspector->blocks.blocks[i] : NULL;
}

eti_time_scale eti_inspector_source_time_scale(const eti_inspector *inspector) {
    return inspector->options.source_time_scale;
}

eti_time_scale eti_inspector_target_time_scale(const eti_inspector *inspector) {
    return inspector->options.target_time_scale;
}

size_t eti_inspector_method_count(const eti_inspector *inspector) {
    return inspector->record ? eti__etrecord_method_count(inspector->record) : 0;
}

eti_text eti_inspector_method_name(const eti_inspector *inspector, size_t i) {
    return i < eti_inspector_method_count(inspector)
               ? eti__etrecord_method_name(inspector->record, i)
               : (eti_text){NULL, 0};
}

size_t eti_inspector_graph_node_count(const eti_inspector *inspector) {
    return inspector->graph.n_nodes;
}

const eti_graph_node *eti_inspector_graph_node(const eti_inspector *inspector, size_t i) {
    return i < inspector->graph.n_nodes ? &inspector->graph.nodes[i] : NULL;
}

/* ---- formats --------------------------------------------------------------------------------- */

eti_status eti_inspector_samples_arrow_stream(struct ArrowArrayStream *out,
                                              const eti_inspector *inspector, eti_error *err) {
    eti_table *samples;
    out->release = NULL;
    ETI_TRY(eti__view_samples(&samples, inspector, err));
    eti_status status = eti_table_arrow_stream(out, samples, err);
    eti_table_free(samples); /* the stream keeps it */
    return status;
}

const char *eti_format_name(size_t i) {
    const eti_writer *writer = eti__writer_at(i);
    return writer ? writer->name : NULL;
}

eti_gate_outcome eti__report_outcome(const eti_report *report) {
    return report->outcome;
}

eti_text eti__inspector_mismatch(const eti_inspector *inspector) {
    return inspector->mismatch;
}

eti_text eti__report_mismatch(const eti_report *report) {
    return report->mismatch;
}

eti_status eti__file_check_zip(const eti_file *file, const char *expected, eti_error *err) {
    return eti__input_check_zip(file, expected, err);
}

eti_file_kind eti__file_kind(const eti_file *file) {
    return file->kind;
}

/* ==== numbers ================================================================================= */
/* Statistics for numbers from another source, such as a database. */

eti_status eti_mann_whitney(double *p, uint64_t n_new, uint64_t n_base, double rank_sum,
                            double tie_term, eti_error *err) {
    eti_rank_sum ranks = {n_new, n_base, rank_sum, tie_term};
    if (!eti__rank_sum_is_possible(&ranks))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "samples of %" PRIu64 " and %" PRIu64
                        " values cannot have the rank sum %.17g and the tie term %.17g",
                        n_new, n_base, rank_sum, tie_term);
    *p = eti__mann_whitney(&ranks);
    return ETI_OK;
}

eti_status eti_holm_adjust(double *p, size_t n, eti_error *err) {
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0.0 && p[i] <= 1.0))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "p-value %zu is %.17g: expected a number from 0 to 1", i, p[i]);
    }
    if (n == 0)
        return ETI_OK;
    double *scratch = n <= SIZE_MAX / 2 ? calloc(2 * n, sizeof *scratch) : NULL;
    if (!scratch)
        return eti_fail_memory(err);
    eti__holm_adjust(p, n, scratch);
    free(scratch);
    return ETI_OK;
}
