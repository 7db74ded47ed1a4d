#include "api/request.h"

#include "api/api.h"
#include "api/option_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const eti__meaning defaults = {
    .opening = ETI_OPTIONS_DEFAULT,
    .view = ETI_VIEW_OPTIONS_DEFAULT,
    .profile = ETI_PROFILE_OPTIONS_DEFAULT,
    .diff = ETI_DIFF_OPTIONS_DEFAULT,
    .measure = ETI_MEASURE_OPTIONS_DEFAULT,
    .recording = ETI_RECORDING_OPTIONS_DEFAULT,
    .write = ETI_WRITE_OPTIONS_DEFAULT,
    .page = ETI_PAGE_OPTIONS_DEFAULT,
    .numerics = ETI_NUMERICS_OPTIONS_DEFAULT,
    .failed_status = 1,
    .undecided_status = 6,
};

/* ---- life ------------------------------------------------------------------------------------ */

eti_status eti_request_new(eti_request **out, eti_error *err) {
    *out = calloc(1, sizeof **out);
    if (!*out)
        return eti_fail_memory(err);
    (*out)->prefix = "";
    (*out)->meaning = defaults;
    return ETI_OK;
}

static void free_meaning(eti__meaning *meaning) {
    free(meaning->etdumps.values);
    free(meaning->etrecord.values);
    free(meaning->debug_buffer.values);
    free(meaning->programs.values);
    free(meaning->data.values);
    free(meaning->base_etrecord.values);
    free(meaning->base_program.values);
    free(meaning->budgets.values);
    free(meaning->allowed.values);
    free(meaning->available.values);
    free(meaning->reference.values);
    free(meaning->file_lists.values);
    free(meaning->run_methods.values);
    free((void *)meaning->modules.values);
    free((void *)meaning->rules.values);
    free((void *)meaning->failing.values);
    free(meaning->labels.values);
    free(meaning->source_maps.values);
    free(meaning->scales.values);
}

/* Frees everything that belongs to the request. */
static void free_contents(eti_request *request) {
    free_meaning(&request->meaning);
    free(request->settings);
    eti__arena_free(&request->texts);
    eti__arena_free(&request->parts);
}

/* Takes over whatever is not set by name. */
static void take_rest(eti_request *request, const eti_request *from) {
    request->prefix = from->prefix;
    request->meaning.opening.progress = from->meaning.opening.progress;
    request->meaning.opening.reads_values = from->meaning.opening.reads_values;
    request->meaning.record = from->meaning.record;
}

void eti_request_free(eti_request *request) {
    if (!request)
        return;
    free_contents(request);
    free(request);
}

/* ---- setting --------------------------------------------------------------------------------- */

/* Keeps a setting, whose texts must live as long as the request, and its meaning. ETI_ERROR_USAGE leaves the request
 * unchanged. */
static eti_status keep_setting(eti_request *request, eti__setting setting, eti_error *err) {
    if (!ETI_GROW(request->settings, request->setting_capacity, request->n_settings + 1))
        return eti_fail_memory(err);
    const char *before = eti__set_option_prefix(request->prefix);
    eti_status (*take)(eti__meaning *, eti_arena *, const eti__option *, const char *,
                       const eti_source *, eti_error *) =
        setting.is_by_name ? eti__option_take_by_name : eti__option_take;
    eti_status status = take(&request->meaning, &request->parts, setting.option, setting.value,
                             &setting.source, err);
    eti__set_option_prefix(before);
    if (status == ETI_OK)
        request->settings[request->n_settings++] = setting;
    return status;
}

/* Does the same with copies of the texts. */
static eti_status add_setting(eti_request *request, eti__setting setting, eti_error *err) {
    if (!eti__arena_copy_string(&request->texts, &setting.value))
        return eti_fail_memory(err);
    if (setting.source.path)
        setting.source.path = setting.value;
    return keep_setting(request, setting, err);
}

/* Removes the settings of `name`, and parses all others again, in another request that replaces this one; a failure leaves
 * this one unchanged. The texts stay the same, because eti_request_get() lends them. */
static eti_status unset(eti_request *request, const char *name, eti_error *err) {
    eti_request rest = {.meaning = defaults};
    eti_status status = ETI_OK;
    take_rest(&rest, request);
    for (size_t i = 0; status == ETI_OK && i < request->n_settings; i++) {
        if (strcmp(request->settings[i].option->name, name) != 0)
            status = keep_setting(&rest, request->settings[i], err);
    }
    if (status == ETI_OK) {
        eti_request before = *request;
        rest.texts = before.texts;
        before.texts = (eti_arena){0};
        *request = rest;
        rest = before;
    }
    free_contents(&rest);
    return status;
}

eti_status eti__request_set(eti_request *request, const eti__option *option, const char *value,
                            eti_error *err) {
    return add_setting(request, (eti__setting){.option = option, .value = value}, err);
}

/* Finds an option; messages name options with the prefix of the request. */
static eti_status find_option(const eti__option **out, const eti_request *request, const char *name,
                              eti_error *err) {
    const char *before = eti__set_option_prefix(request->prefix);
    eti_status status = eti__option_find(out, name, err);
    eti__set_option_prefix(before);
    return status;
}

eti_status eti_request_set(eti_request *request, const char *name, const char *value,
                           eti_error *err) {
    const eti__option *option;
    ETI_TRY(find_option(&option, request, name, err));
    const eti__setting setting = {.option = option, .value = value, .is_by_name = true};
    return value ? add_setting(request, setting, err) : unset(request, option->name, err);
}

eti_status eti_request_add_input(eti_request *request, const char *name, const eti_source *source,
                                 eti_error *err) {
    const eti__option *option;
    ETI_TRY(find_option(&option, request, name, err));
    if (!option->is_input)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s does not take an input", request->prefix,
                        option->name);
    if (!source->path && !source->data)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s: the source has neither a path nor data",
                        request->prefix, option->name);
    const char *path = source->path ? source->path : "(memory)";
    eti__setting setting = {.option = option, .value = path, .source = *source};
    setting.source.path = path;
    return add_setting(request, setting, err);
}

eti_status eti_request_copy(eti_request **out, const eti_request *request, eti_error *err) {
    eti_request *copy;
    *out = NULL;
    ETI_TRY(eti_request_new(&copy, err));
    if (!request) {
        *out = copy;
        return ETI_OK;
    }
    take_rest(copy, request);
    eti_status status = ETI_OK;
    for (size_t i = 0; status == ETI_OK && i < request->n_settings; i++)
        status = add_setting(copy, request->settings[i], err);
    if (status == ETI_OK)
        *out = copy;
    else
        eti_request_free(copy);
    return status;
}

const char *eti_request_get(const eti_request *request, const char *name) {
    for (size_t i = request->n_settings; i > 0; i--) {
        if (eti__option_is_called(request->settings[i - 1].option, name))
            return request->settings[i - 1].value;
    }
    return NULL;
}

void eti_request_set_progress(eti_request *request, eti_progress_function tell, void *context) {
    request->meaning.opening.progress = (eti_progress){tell, context};
}

void eti__request_read_values(eti_request *request) {
    request->meaning.opening.reads_values = true;
}

void eti_request_set_record(eti_request *request, eti_record *record) {
    request->meaning.record = record;
}

void eti_request_set_option_prefix(eti_request *request, const char *prefix) {
    request->prefix = prefix;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const eti__meaning *meaning_of(const eti_request *request) {
    return request ? &request->meaning : &defaults;
}

static bool is_set(const eti_request *request, const char *name) {
    return request && eti_request_get(request, name);
}

eti_inputs eti__request_inputs(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    const eti_source *buffers = meaning->debug_buffer.values;
    size_t n_buffers = meaning->debug_buffer.n;
    return (eti_inputs){
        .etdumps = meaning->etdumps.values,
        .n_etdumps = meaning->etdumps.n,
        .etrecord = meaning->etrecord.n ? meaning->etrecord.values : NULL,
        .record = meaning->record,
        .debug_buffer = n_buffers > 0 ? buffers : NULL,
        .more_debug_buffers = n_buffers > 1 ? buffers + 1 : NULL,
        .n_more_debug_buffers = n_buffers > 1 ? n_buffers - 1 : 0,
        .programs = meaning->programs.values,
        .n_programs = meaning->programs.n,
        .data = meaning->data.values,
        .n_data = meaning->data.n,
        .run_methods = meaning->run_methods.n ? meaning->run_methods.values : NULL,
    };
}

/* If a clock frequency is given, the times are cycles. */
eti_options eti__request_opening(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_options options = meaning->opening;
    options.delegate_time_scales = meaning->scales.values;
    options.n_delegate_time_scales = meaning->scales.n;
    if (options.clock_hz > 0 && !is_set(request, "source_time_scale"))
        options.source_time_scale = ETI_SCALE_CYCLES;
    options.keeps_warm_up = is_set(request, "skip_first");
    return options;
}

/* Returns whether programs read the format that was asked for: JSON, a database, or tables that are not laid out. */
static bool is_for_programs(const char *format) {
    const eti_writer *writer;
    if (!format || eti__writer_get(&writer, format, NULL) != ETI_OK)
        return false;
    return writer->is_for_programs || (writer->write_table && !writer->is_for_people);
}

/* The lines of a tree are drawn only for people, and only if all rows are shown in their own order. If rows are sorted or
 * filtered, the view must make all of them. Programs get a row for each module unless they ask for less. */
eti_view_options eti__request_view(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    const eti_selection *selection = &meaning->selection;
    eti_view_options options = meaning->view;
    bool is_drawn = meaning->format &&
                    (strcmp(meaning->format, "text") == 0 || strcmp(meaning->format, "table") == 0);
    bool is_reordered = selection->sort || selection->filter;
    options.lines = is_drawn && !is_reordered;
    options.top = is_reordered ? SIZE_MAX : selection->top;
    options.modules = meaning->modules.values;
    options.n_modules = meaning->modules.n;
    options.available = meaning->available.n > 0 ? meaning->available.values : NULL;
    options.reference = meaning->reference.n > 0 ? meaning->reference.values : NULL;
    options.match = meaning->numerics.match;
    options.shows_files = is_set(request, "context");
    if (is_for_programs(meaning->format) && !is_set(request, "fold"))
        options.fold = 0;
    if (is_set(request, "delegate_metadata"))
        options.table.include_delegate_debug_data = true;
    return options;
}

eti_selection eti__request_selection(const eti_request *request) {
    return meaning_of(request)->selection;
}

static eti_source_paths source_paths(const eti__meaning *meaning) {
    return (eti_source_paths){
        .root = meaning->view.source_root,
        .maps = meaning->source_maps.values,
        .n_maps = meaning->source_maps.n,
    };
}

eti_numerics_options eti__request_numerics(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_numerics_options options = meaning->numerics;
    options.view = meaning->view;
    options.references = meaning->reference.values;
    options.n_references = meaning->reference.n;
    options.fail_on = meaning->failing.values;
    options.n_fail_on = meaning->failing.n;
    options.source_paths = source_paths(meaning);
    return options;
}

eti_profile_options eti__request_profile(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_profile_options options = meaning->profile;
    if (is_set(request, "skip_first"))
        options.skip_first = meaning->opening.skip_first;
    options.block = meaning->view.block;
    options.origins = true;
    options.allow_unlike = meaning->diff.allow_unlike;
    options.labels = meaning->labels.values;
    options.n_labels = meaning->labels.n;
    return options;
}

eti_baseline_options eti__request_baseline(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_baseline_options options = meaning->baseline;
    options.samples = meaning->view.samples;
    options.appends = meaning->write.append;
    options.no_sync = meaning->write.no_sync;
    options.allow_unlike = meaning->diff.allow_unlike;
    return options;
}

eti_diff_options eti__request_diff(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_diff_options options = meaning->diff;
    options.group = meaning->view.group;
    options.include_units = meaning->view.table.include_units;
    return options;
}

eti_trend_options eti__request_trend(const eti_request *request) {
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.diff = eti__request_diff(request);
    options.n_threads = meaning_of(request)->opening.n_threads;
    options.by = meaning_of(request)->trend_by;
    options.allowed = meaning_of(request)->allowed.values;
    options.n_allowed = meaning_of(request)->allowed.n;
    if (is_set(request, "seed"))
        options.seed = meaning_of(request)->measure.seed;
    return options;
}

eti_gate_options eti__request_gate(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    return (eti_gate_options){
        .diff = eti__request_diff(request),
        .allows_failed = meaning->failed_status == 0,
        .allows_undecided = meaning->undecided_status == 0,
        .rules = meaning->rules.values,
        .n_rules = meaning->rules.n,
        .budgets = meaning->budgets.values,
        .n_budgets = meaning->budgets.n,
        .allowed = meaning->allowed.values,
        .n_allowed = meaning->allowed.n,
        .source_paths = source_paths(meaning),
        .now = is_set(request, "now") ? (int64_t)meaning->now : (int64_t)time(NULL),
    };
}

/* The order of the commands is drawn anew each time, unless a seed is given. */
eti_measure_request eti__request_measure(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_measure_request asked = {
        .measure = meaning->measure,
        .opening = eti__request_opening(request),
        .profile = eti__request_profile(request),
        .gate = eti__request_gate(request),
    };
    const eti_source *both = eti__request_inputs(request).etrecord;
    asked.etrecords[ETI_MEASURED_NEW] = both;
    asked.etrecords[ETI_MEASURED_BASE] =
        meaning->base_etrecord.n ? meaning->base_etrecord.values : both;
    const eti_source *program = meaning->programs.n ? meaning->programs.values : NULL;
    asked.programs[ETI_MEASURED_NEW] = program;
    asked.programs[ETI_MEASURED_BASE] =
        meaning->base_program.n ? meaning->base_program.values : program;
    asked.measure.has_seed = is_set(request, "seed");
    asked.output_tolerance =
        is_set(request, "output_tolerance") ? meaning->output_tolerance : (double)NAN;
    return asked;
}

eti_write_options eti__request_write(const eti_request *request) {
    const eti__meaning *meaning = meaning_of(request);
    eti_write_options options = meaning->write;
    options.labels = meaning->labels.values;
    options.n_labels = meaning->labels.n;
    options.progress = meaning->opening.progress;
    options.keeps_unit = is_set(request, "target_time_scale");
    return options;
}

eti_page_options eti__request_page(const eti_request *request) {
    return meaning_of(request)->page;
}
