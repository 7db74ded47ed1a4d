/*
 * ask.c - the functions of etinspect.h that take a request: each turns the request into the options
 * of a room and passes these on.
 */
#include "account/account.h"
#include "api/api.h"
#include "api/request.h"
#include "base/arena.h"
#include "base/parallel.h"
#include "base/status.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "measure/measure.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "places/places.h"
#include "profile/profile.h"
#include "report/report.h"
#include "series/series.h"
#include "table/table.h"
#include "tensors/tensors.h"
#include "view/view.h"
#include "view_events/view_events.h"
#include "view_numerics/view_numerics.h"
#include "write/write.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the result of `call`; its messages name options with the prefix of the request. */
#define RETURN_ASKED(request, call)                                                                \
    do {                                                                                           \
        const char *before_ = eti__set_option_prefix((request) ? (request)->prefix : "");          \
        eti_status status_ = (call);                                                               \
        eti__set_option_prefix(before_);                                                           \
        return status_;                                                                            \
    } while (0)

eti_status eti_inspector_open(eti_inspector **out, const eti_request *request, eti_error *err) {
    const eti_inputs inputs = eti__request_inputs(request);
    const eti_options options = eti__request_opening(request);
    RETURN_ASKED(request, eti__open_seen_through(out, &inputs, &options, err));
}

eti_status eti_inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                      const eti_request *request, eti_error *err) {
    const eti_view_options options = eti__request_view(request);
    RETURN_ASKED(request, eti__inspector_events_table(out, inspector, &options.table, err));
}

eti_status eti_inspector_modules_table(eti_table **out, const eti_inspector *inspector,
                                       const char *const *names, size_t n_names,
                                       const eti_request *request, eti_error *err) {
    const eti_view_options options = eti__request_view(request);
    RETURN_ASKED(request, eti__view_modules(out, inspector, names, n_names, &options.table, err));
}

eti_status eti_inspector_report(eti_report **out, const eti_inspector *inspector, const char *view,
                                const eti_request *request, eti_error *err) {
    const eti_view_options options = eti__request_view(request);
    RETURN_ASKED(request, eti__inspector_report(out, inspector, view, &options, err));
}

/* ---- the other direction of a comparison ----------------------------------------------------- */

static eti_status make_swapped(eti_report **out, const void *context, eti_error *err);

/* A comparison with its sides exchanged. The report of the other direction holds references to the sides. */
typedef struct swapped_diff {
    const eti_profile *base, *new_side;
    eti_request *request;
    eti_request *selection; /* of rows and columns; NULL: none */
} swapped_diff;

static void free_swapped(void *context) {
    swapped_diff *swapped = context;
    eti_request_free(swapped->request);
    eti_request_free(swapped->selection);
    free(swapped);
}

/* Copies a request without objects of the caller, who may free them before the report. */
static eti_status copy_options(eti_request **out, const eti_request *request, eti_error *err) {
    ETI_TRY(eti_request_copy(out, request, err));
    (*out)->meaning.opening.progress = (eti_progress){0};
    (*out)->meaning.record = NULL;
    return ETI_OK;
}

/* Lets a report make the comparison with its sides exchanged. */
static eti_status allow_swap(eti_report *report, const eti_profile *base,
                             const eti_profile *new_side, const eti_request *request,
                             eti_error *err) {
    swapped_diff *swapped = calloc(1, sizeof *swapped);
    if (!swapped)
        return eti_fail_memory(err);
    *swapped = (swapped_diff){.base = new_side, .new_side = base};
    eti_status status = copy_options(&swapped->request, request, err);
    if (status != ETI_OK) {
        free_swapped(swapped);
        return status;
    }
    eti__report_keep(report, (eti_kept){swapped, free_swapped});
    report->swap = (eti_swap){make_swapped, swapped};
    return ETI_OK;
}

/* Selects the same in the other direction, when that is made; after a second selection it cannot be made. */
static eti_status keep_selection(eti_report *report, const eti_request *request, eti_error *err) {
    if (report->swap.make != make_swapped)
        return ETI_OK;
    swapped_diff *swapped = report->swap.context;
    if (!swapped->selection)
        return copy_options(&swapped->selection, request, err);
    report->swap.make = NULL;
    return ETI_OK;
}

static eti_status select_rows(eti_report *report, const eti_request *request, eti_error *err) {
    const eti_selection selection = eti__request_selection(request);
    ETI_TRY(eti__report_select(report, &selection, err));
    return keep_selection(report, request, err);
}

eti_status eti_report_select(eti_report *report, const eti_request *request, eti_error *err) {
    RETURN_ASKED(request, select_rows(report, request, err));
}

eti_status eti__report_explain_filter(eti_buffer *out, const eti_report *report,
                                      const eti_request *request, const char *format,
                                      eti_error *err) {
    const eti_section *section = &report->sections[report->selected];
    const eti_writer *writer;
    ETI_TRY(eti__writer_get(&writer, format, err));
    if (!writer->fits_units || section->table->n_compared == 0)
        return ETI_OK;
    const eti_write_options options = eti__request_write(request);
    return eti__section_explain_filter(out, section, report->time_scale, options.keeps_unit,
                                       !options.ascii && eti__locale_has_utf8(), err);
}

void eti__report_explain_sort(eti_buffer *out, const eti_report *report, const eti_request *request,
                              size_t n_before) {
    const eti_selection selection = eti__request_selection(request);
    const char *before = eti__set_option_prefix(request->prefix);
    eti__table_explain_sort(out, report->sections[report->selected].table, &selection, n_before);
    eti__set_option_prefix(before);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The inspector has already left out the runs that the user asked to leave out. */
eti_status eti_profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                      const eti_request *request, eti_error *err) {
    eti_profile_options options = eti__request_profile(request);
    if (inspector->options.keeps_warm_up)
        options.skip_first = 0;
    RETURN_ASKED(request, eti__profile_from_inspector(out, inspector, &options, err));
}

eti_status eti_profile_read(eti_profile **out, const eti_source *source, const eti_request *request,
                            eti_error *err) {
    const eti_options options = eti__request_opening(request);
    RETURN_ASKED(request, eti__profile_read(out, source, &options, err));
}

eti_status eti_profile_save(const eti_profile *profile, const char *path,
                            const eti_request *request, eti_error *err) {
    const eti_baseline_options options = eti__request_baseline(request);
    if (eti__has_foreign_suffix(path))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s: a baseline is a CSV file: choose another file name (.csv)", path);
    RETURN_ASKED(request, eti__profile_save(profile, path, &options, err));
}

eti_status eti_profile_merge(eti_profile **out, const eti_profile *const *profiles, size_t n,
                             const eti_request *request, eti_error *err) {
    const eti_diff_options options = eti__request_diff(request);
    RETURN_ASKED(request, eti__profile_merge(out, profiles, n, options.allow_unlike, err));
}

/* Returns the inspector whose runs recorded tensors that can be compared; NULL: none, or several files. */
static const eti_inspector *recorded_by(const eti_profile *profile) {
    const eti_inspector *inspector = profile->inspector;
    return inspector && inspector->has_debug_buffer && inspector->n_dumps > 0 ? inspector : NULL;
}

/* If only times can be compared, `refusal` says why tensors cannot. */
static eti_status compare_recorded(eti_gaps *out, const eti_profile *base,
                                   const eti_profile *new_side, const eti_view_options *options,
                                   eti_error *refusal) {
    const eti_inspector *of_base = recorded_by(base), *newer = recorded_by(new_side);
    if (!of_base || !newer)
        return ETI_OK;
    eti_status status = of_base->n_dumps + newer->n_dumps > 2
                            ? eti_fail(refusal, ETI_ERROR_USAGE, "a side has several ETDumps")
                            : eti__gaps_between(out, of_base, newer, options, refusal);
    bool is_refused =
        status == ETI_ERROR_USAGE || status == ETI_ERROR_TOO_FEW || status == ETI_ERROR_DATA;
    if (status == ETI_OK || !is_refused)
        return status;
    eti__gaps_free(out);
    return ETI_OK;
}

static eti_status report_diff(eti_report **out, const eti_profile *base,
                              const eti_profile *new_side, const eti_request *request,
                              eti_gaps *gaps, eti_error *err) {
    eti_diff_options options = eti__request_diff(request);
    const eti_view_options view = eti__request_view(request);
    eti_error refusal = ETI_ERROR_INIT;
    eti_status status = compare_recorded(gaps, base, new_side, &view, &refusal);
    if (status != ETI_OK) {
        eti__error_copy(err, &refusal);
        return status;
    }
    options.has_gaps = gaps->is_asked;
    options.gaps = gaps->of;
    options.n_gaps = gaps->n;
    ETI_TRY(eti__diff_report(out, base, new_side, &options, err));
    status =
        refusal.status != ETI_OK
            ? eti__report_note(*out, err, "recorded tensors are not compared: %s", refusal.message)
            : eti__gaps_note(gaps, *out, err);
    if (status == ETI_OK)
        return ETI_OK;
    eti_report_free(*out);
    *out = NULL;
    return status;
}

static eti_status diff_report(eti_report **out, const eti_profile *base,
                              const eti_profile *new_side, const eti_request *request,
                              eti_error *err) {
    eti_gaps gaps = {.n = 0};
    *out = NULL;
    eti_status status = report_diff(out, base, new_side, request, &gaps, err);
    eti__gaps_free(&gaps);
    return status;
}

static eti_status make_swapped(eti_report **out, const void *context, eti_error *err) {
    const swapped_diff *of = context;
    ETI_TRY(diff_report(out, of->base, of->new_side, of->request, err));
    if (!of->selection)
        return ETI_OK;
    const eti_selection selection = eti__request_selection(of->selection);
    eti_status status = eti__report_select(*out, &selection, err);
    if (status == ETI_OK)
        return ETI_OK;
    eti_report_free(*out);
    *out = NULL;
    return status;
}

static eti_status diff_both_ways(eti_report **out, const eti_profile *base,
                                 const eti_profile *new_side, const eti_request *request,
                                 eti_error *err) {
    ETI_TRY(diff_report(out, base, new_side, request, err));
    eti_status status = allow_swap(*out, base, new_side, request, err);
    if (status == ETI_OK)
        return ETI_OK;
    eti_report_free(*out);
    *out = NULL;
    return status;
}

eti_status eti_diff_report(eti_report **out, const eti_profile *base, const eti_profile *new_side,
                           const eti_request *request, eti_error *err) {
    RETURN_ASKED(request, diff_both_ways(out, base, new_side, request, err));
}

eti_status eti_profile_report(eti_report **out, const eti_profile *profile,
                              const eti_request *request, eti_error *err) {
    const eti_view_options options = eti__request_view(request);
    RETURN_ASKED(request, eti__profile_report(out, profile, options.table.include_units, err));
}

eti_status eti_noise_report(eti_report **out, const eti_profile *profile,
                            const eti_request *request, eti_error *err) {
    const eti_diff_options options = eti__request_diff(request);
    RETURN_ASKED(request, eti__noise_report(out, profile, &options, err));
}

eti_status eti_trend_report(eti_report **out, const eti_profile *profile,
                            const eti_request *request, eti_error *err) {
    const eti_trend_options options = eti__request_trend(request);
    RETURN_ASKED(request, eti__trend_report(out, profile, &options, err));
}

eti_status eti_gate_report(eti_report **out, eti_gate_outcome *outcome, const eti_profile *base,
                           const eti_profile *new_side, const eti_request *request,
                           eti_error *err) {
    const eti_gate_options options = eti__request_gate(request);
    RETURN_ASKED(request, eti__gate_report(out, outcome, base, new_side, &options, err));
}

/* ---- numbers --------------------------------------------------------------------------------- */

eti_status eti_numerics_report(eti_report **out, const eti_inspector *base,
                               const eti_inspector *new_side, const eti_request *request,
                               eti_error *err) {
    const eti_numerics_options options = eti__request_numerics(request);
    RETURN_ASKED(request, eti__numerics_report(out, base, new_side, &options, err));
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Files of a side that is a program. */
typedef struct measured_files {
    eti_source program, etrecord;
    eti__companions beside;
} measured_files;

/* Lets layers of a side that is a program have names: from the program itself, and the ETRecord beside it. */
static eti_status find_measured(measured_files *files, eti_measure_request *asked,
                                eti_measured_side side, eti_error *err) {
    const char *path = files->program.path;
    if (!path || !eti__is_program(path))
        return ETI_OK;
    ETI_TRY(eti__companions_beside(&files->beside, path, err));
    files->etrecord = (eti_source){.path = files->beside.etrecord};
    if (!asked->programs[side])
        asked->programs[side] = &files->program;
    if (!asked->etrecords[side] && files->etrecord.path)
        asked->etrecords[side] = &files->etrecord;
    return ETI_OK;
}

eti_status eti_measure(eti_report **out, eti_gate_outcome *outcome, const eti_request *request,
                       eti_write_function log, void *log_context, eti_error *err) {
    eti_measure_request asked = eti__request_measure(request);
    eti_recording_options recording = request->meaning.recording;
    measured_files files[ETI_N_MEASURED_SIDES] = {{.program.path = asked.measure.base},
                                                  {.program.path = asked.measure.new_side}};
    asked.log = log;
    asked.log_context = log_context;
    recording.method = request->meaning.opening.method;
    asked.measure.recording = &recording;
    const char *before = eti__set_option_prefix(request->prefix);
    eti_status status = ETI_OK;
    for (size_t i = 0; i < ETI_N_MEASURED_SIDES && status == ETI_OK; i++)
        status = find_measured(&files[i], &asked, (eti_measured_side)i, err);
    if (status == ETI_OK)
        status = eti__measure(out, outcome, &asked, err);
    else
        *out = NULL;
    for (size_t i = 0; i < ETI_N_MEASURED_SIDES; i++)
        eti__companions_free(&files[i].beside);
    eti__set_option_prefix(before);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static const char *asked_format(const eti_request *request) {
    return request ? request->meaning.format : NULL;
}

eti_status eti__record_program(eti_recording_result *out, const char *program,
                               const eti_request *request, eti_write_function log,
                               void *log_context, eti_error *err) {
    const eti__meaning *meaning = &request->meaning;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is a request */
    RETURN_ASKED(request, eti__record(out, program, &meaning->recording, meaning->opening.progress,
                                      log, log_context, err));
}

eti_status eti_format_choose(const char **out, const eti_request *request, const char *path,
                             const char *standard, eti_error *err) {
    RETURN_ASKED(request, eti__format_choose(out, asked_format(request), path, standard, err));
}

/* Returns the parts of the reports of a command, apart from tables. Measurements and numerics may end with a gate. */
static unsigned parts_of(unsigned command) {
    if (command & ETI__FOR_TRACE)
        return ETI_TAKES_SLICES;
    if (command & ETI__FOR_GRAPH)
        return ETI_TAKES_GRAPH;
    return command & (ETI__FOR_GATE | ETI__FOR_MEASURE | ETI__FOR_NUMERICS) ? ETI_TAKES_GATE : 0;
}

static eti_status check_format(const char *format, unsigned command, eti_error *err) {
    const eti_writer *writer;
    const char *standard = command & ETI__FOR_TRACE ? "chrome" : "text";
    ETI_TRY(eti__format_choose(&format, format, "-", standard, err));
    ETI_TRY(eti__writer_get(&writer, format, err));
    return eti__writer_check_parts(writer, parts_of(command), err);
}

eti_status eti__format_check(const eti_request *request, const char *format, unsigned command,
                             eti_error *err) {
    RETURN_ASKED(request, check_format(format, command, err));
}

/* ---- outputs of recordings ------------------------------------------------------------------- */

/* Files that a recording reads. */
typedef struct recorded_files {
    const eti_recording_options *options;
    const char *program, *etrecord;
    eti__companions beside;
} recorded_files;

/* An eti__is_input_function. */
static bool is_recorded(const void *context, const char *output) {
    const recorded_files *files = context;
    const eti_recording_options *o = files->options;
    const char *const inputs[] = {files->program, files->etrecord, files->beside.etrecord,
                                  o->data_path,   o->runner,       o->python};
    bool is_input = eti__inputs_name(o->inputs, output, eti__is_same_input);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        is_input = is_input || (inputs[i] && eti__is_same_input(output, inputs[i]));
    return is_input;
}

/* Checks the outputs of a recording. */
static eti_status check_outputs(const eti_request *request, const char *program,
                                const char *etrecord, const char *const outputs[], size_t n,
                                eti_error *err) {
    recorded_files files = {&request->meaning.recording, program, etrecord, {0}};
    ETI_TRY(eti__companions_beside(&files.beside, program, err));
    eti_status status = eti__check_outputs(outputs, n, is_recorded, &files, err);
    eti__companions_free(&files.beside);
    return status;
}

eti_status eti__report_target_parse(eti__report_target *out, const char *value, eti_error *err) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || equals[1] == '\0')
        return eti_fail(err, ETI_ERROR_USAGE, "%sreport: expected FORMAT=FILE, found '%s'",
                        eti__option_prefix(), value);
    *out = (eti__report_target){strndup(value, (size_t)(equals - value)), equals + 1};
    return out->format ? ETI_OK : eti_fail_memory(err);
}

static eti_status check_output_of(const eti__report_target *report, eti_error *err) {
    const char *format = report->format;
    if (strcmp(format, "html") != 0 && check_format(format, ETI__FOR_SUMMARY, NULL) != ETI_OK &&
        check_format(format, ETI__FOR_TRACE, NULL) != ETI_OK)
        return eti_fail(err, ETI_ERROR_USAGE, "%sreport: record cannot write the format %s",
                        eti__option_prefix(), format);
    if (strcmp(report->path, "-") == 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreport: name a file: standard output has the summary",
                        eti__option_prefix());
    return eti__check_writable(report->path, err);
}

static eti_status check_record(const eti_request *request, const char *program,
                               const char *etrecord, const char *output,
                               const eti__report_target *reports, size_t n_reports,
                               eti_error *err) {
    char *dump, *debug;
    size_t n = 0;
    const char **outputs = malloc((n_reports + 3) * sizeof *outputs);
    eti_status status =
        eti__recording_targets(&dump, &debug, program, &request->meaning.recording, err);
    for (size_t i = 0; status == ETI_OK && i < n_reports; i++)
        status = check_output_of(&reports[i], err);
    if (status == ETI_OK)
        status = eti__companions_check(dump, err);
    if (status == ETI_OK && !outputs)
        status = eti_fail_memory(err);
    if (status == ETI_OK) {
        outputs[n++] = dump;
        outputs[n++] = debug;
        outputs[n++] = output;
        for (size_t i = 0; i < n_reports; i++)
            outputs[n++] = reports[i].path;
        if (eti__is_program(program)) /* otherwise nothing runs */
            status = check_outputs(request, program, etrecord, outputs, n, err);
    }
    free(outputs);
    free(dump);
    free(debug);
    return status;
}

eti_status eti__record_check(const eti_request *request, const char *program, const char *etrecord,
                             const char *output, const eti__report_target *reports,
                             size_t n_reports, eti_error *err) {
    RETURN_ASKED(request,
                 check_record(request, program, etrecord, output, reports, n_reports, err));
}

eti_status eti__measure_check(const eti_request *request, const char *const outputs[], size_t n,
                              eti_error *err) {
    const eti_measure_options asked = eti__request_measure(request).measure;
    const char *const sides[] = {asked.base, asked.new_side};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        if (sides[i] && eti__is_program(sides[i]))
            ETI_TRY(check_outputs(request, sides[i], NULL, outputs, n, err));
    }
    return ETI_OK;
}

eti_status eti_report_write(const eti_report *report, const char *format,
                            const eti_request *request, eti_write_function write, void *context,
                            eti_error *err) {
    const eti_write_options options = eti__request_write(request);
    if (!format)
        format = asked_format(request);
    RETURN_ASKED(request, eti__report_write(report, format ? format : "text", &options, write,
                                            context, err));
}

eti_status eti_report_save(const eti_report *report, const char *format, const char *path,
                           const eti_request *request, eti_error *err) {
    const eti_write_options options = eti__request_write(request);
    if (!format)
        ETI_TRY(eti_format_choose(&format, request, path, "text", err));
    RETURN_ASKED(request, eti__report_save(report, format, path, &options, err));
}

/* Adds all notes of etinspect check, for the page. */
static eti_status check_all(eti_inspector *inspector, eti_error *err) {
    ETI_TRY(eti_inspector_check_times(inspector, err));
    ETI_TRY(eti_inspector_check_plans(inspector, err));
    return eti_inspector_check_tensors(inspector, err);
}

static eti_status save_page(eti_inspector *inspector, const char *path, const eti_request *request,
                            eti_error *err) {
    const eti_view_options view = eti__request_view(request);
    const eti_page_options page = eti__request_page(request);
    const eti_write_options write = eti__request_write(request);
    const eti_numerics_options numerics = eti__request_numerics(request);
    eti_report *compared = NULL;
    ETI_TRY(check_all(inspector, err));
    if (numerics.n_references > 0)
        ETI_TRY(eti__numerics_report(&compared, NULL, inspector, &numerics, err));
    eti_status status =
        eti__inspector_page_save(inspector, path, &view, &page, &write, compared, err);
    eti_report_free(compared);
    return status;
}

eti_status eti_inspector_page_save(eti_inspector *inspector, const char *path,
                                   const eti_request *request, eti_error *err) {
    RETURN_ASKED(request, save_page(inspector, path, request, err));
}

static eti_status save_tensors(const eti_saved_tensors *saved, const char *path, bool replaces,
                               eti_error *err) {
    if (saved->n > 0)
        return eti__tensors_save(path, saved->tensors, saved->n, replaces, err);
    if (saved->n_without_node > 0)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%s: cannot save tensors by handle: no tensor has a debug handle; give the ETRecord",
            path);
    return eti_fail(err, ETI_ERROR_USAGE, "%s: there are no tensors to save", path);
}

eti_status eti_report_save_tensors(const eti_report *report, const char *path, size_t *n_saved,
                                   const eti_request *request, eti_error *err) {
    const char *before = eti__set_option_prefix(request ? request->prefix : "");
    eti_saved_tensors saved;
    eti_status status = eti__view_tensors_saved(
        &saved, report, request ? request->meaning.tensor_key : ETI_SAVED_BY_EVENT, err);
    if (status == ETI_OK)
        status = save_tensors(&saved, path, request && request->meaning.write.replaces, err);
    if (n_saved)
        *n_saved = status == ETI_OK ? saved.n : 0;
    eti__saved_tensors_free(&saved);
    eti__set_option_prefix(before);
    return status;
}
