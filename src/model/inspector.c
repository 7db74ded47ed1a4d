#include "model/model.h"

#include "base/names.h"
#include "model/parts.h"
#include "stats/stats.h"

#include <stdlib.h>

/* ==== inspector =============================================================================== */

static void drop_inspector(void *inspector) {
    eti_inspector_close(inspector);
}

eti_kept eti__inspector_keep(const eti_inspector *inspector) {
    eti__references_add(&inspector->references);
    return (eti_kept){(eti_inspector *)inspector, drop_inspector};
}

void eti_inspector_close(eti_inspector *inspector) {
    if (!inspector || !eti__references_drop(&inspector->references))
        return;
    eti__shared_list_free(&inspector->accounts);
    for (size_t i = 0; i < inspector->n_dumps; i++)
        eti__file_release(&inspector->dump_files[i]);
    for (size_t i = 0; i < inspector->n_programs; i++)
        eti__file_release(&inspector->program_files[i]);
    for (size_t i = 0; i < inspector->n_data_files; i++)
        eti__file_release(&inspector->data_files[i]);
    eti__file_release(&inspector->debug_buffer_file);
    for (size_t i = 0; i < inspector->n_more_debug_buffers; i++)
        eti__file_release(&inspector->more_debug_buffers[i]);
    free(inspector->more_debug_buffers);
    free(inspector->dump_files);
    free(inspector->program_files);
    free(inspector->data_files);
    free(inspector->notes);
    eti_record_close(inspector->opened_record);
    eti__arena_free(&inspector->arena);
    if (inspector->on_free)
        inspector->on_free(inspector->on_free_context);
    free(inspector);
}

void eti_inspector_on_free(eti_inspector *inspector, void (*function)(void *context),
                           void *context) {
    inspector->on_free = function;
    inspector->on_free_context = context;
}

const struct eti_file *eti__inspector_file(const eti_inspector *inspector, size_t i,
                                           const char **kind) {
    *kind = "etdump";
    if (i < inspector->n_dumps)
        return &inspector->dump_files[i];
    i -= inspector->n_dumps;
    *kind = "etrecord";
    if (inspector->record && i-- == 0)
        return &inspector->record_file;
    *kind = "program";
    if (i < inspector->n_programs)
        return &inspector->program_files[i];
    i -= inspector->n_programs;
    *kind = "data";
    if (i < inspector->n_data_files)
        return &inspector->data_files[i];
    i -= inspector->n_data_files;
    *kind = "debug_buffer";
    if (inspector->has_debug_buffer && i-- == 0)
        return &inspector->debug_buffer_file;
    return i < inspector->n_more_debug_buffers ? &inspector->more_debug_buffers[i] : NULL;
}

/* ==== opening ================================================================================= */
/* Opens an inspector: reads its inputs, matches events with the record, and notes what is missing. */

/* ---- options --------------------------------------------------------------------------------- */

eti_status eti__options_check(const eti_options *options, eti_error *err) {
    if (options->clock_hz != 0 && options->source_time_scale != ETI_SCALE_CYCLES)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "clock frequency given, but the source time scale is %s: it applies only to cycles",
            eti_time_scale_name(options->source_time_scale));
    if (!eti__time_scales_fit(options->source_time_scale, options->target_time_scale,
                              options->clock_hz))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "cycles cannot be converted: source and target time scale are %s and %s; "
                        "use cycles for both or neither, or give the clock frequency (%sclock_hz)",
                        eti_time_scale_name(options->source_time_scale),
                        eti_time_scale_name(options->target_time_scale), eti__option_prefix());
    for (size_t i = 0; i < options->n_delegate_time_scales; i++) {
        eti_time_scale scale = options->delegate_time_scales[i].scale;
        if (options->target_time_scale == ETI_SCALE_CYCLES && scale != ETI_SCALE_CYCLES)
            return eti_fail(
                err, ETI_ERROR_USAGE,
                "delegate times in %s cannot be converted to the target time scale cycles",
                eti_time_scale_name(scale));
    }
    return ETI_OK;
}

/* Copies the options, because the caller's need not outlive the call. */
static bool copy_options(eti_inspector *inspector, const eti_options *options) {
    eti_options *copy = &inspector->options;
    *copy = *options;
    copy->n_threads = eti__thread_count(options->n_threads);
    size_t n = options->n_delegate_time_scales;
    eti_delegate_time_scale *scales = eti__arena_alloc(&inspector->arena, n, sizeof *scales);
    if (!scales || !eti__arena_copy_string(&inspector->arena, &copy->method) ||
        !eti__arena_copy_string(&inspector->arena, &copy->reference_graph) ||
        !eti__arena_copy_string(&inspector->arena, &copy->run_methods))
        return false;
    for (size_t i = 0; i < n; i++) {
        scales[i] = options->delegate_time_scales[i];
        if (!eti__arena_copy_string(&inspector->arena, &scales[i].backend))
            return false;
    }
    copy->delegate_time_scales = scales;
    return true;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool reserve_dumps(eti_inspector *inspector, size_t n) {
    return ETI_GROW(inspector->dump_files, inspector->dump_capacity, inspector->n_dumps + n);
}

/* Takes the ETDumps of a log, and its debug buffer if that belongs to only one of them. */
static eti_status take_log(eti_inspector *inspector, const struct eti_file *file, eti_error *err) {
    eti_runner_log log;
    ETI_TRY(eti__runner_log_read(&log, file, err));
    eti_status status = reserve_dumps(inspector, log.n_dumps) ? ETI_OK : eti_fail_memory(err);
    for (size_t i = 0; i < log.n_dumps && status == ETI_OK; i++)
        status = eti__input_expect(&log.dumps[i], ETI_FILE_ETDUMP, err);
    if (status != ETI_OK) {
        eti__runner_log_free(&log);
        return status;
    }
    for (size_t i = 0; i < log.n_dumps; i++) {
        inspector->dump_files[inspector->n_dumps++] = log.dumps[i];
        log.dumps[i] = (struct eti_file){.name = NULL};
    }
    inspector->n_printed_debug_buffers += log.n_debug_buffers;
    inspector->n_events_lost += log.n_events_lost;
    if (log.n_debug_buffers > 0 && !inspector->debug_buffer_file.name) {
        inspector->debug_buffer_file = log.debug_buffers[0];
        log.debug_buffers[0] = (struct eti_file){.name = NULL};
    }
    eti__runner_log_free(&log);
    return ETI_OK;
}

static eti_status open_dump_file(eti_inspector *inspector, const eti_source *source,
                                 eti_error *err) {
    if (!reserve_dumps(inspector, 1))
        return eti_fail_memory(err);
    struct eti_file *file = &inspector->dump_files[inspector->n_dumps];
    ETI_TRY(eti__input_open(file, source, ETI_FILE_ETDUMP, err));
    if (file->kind != ETI_FILE_RUNNER_LOG) {
        inspector->n_dumps++;
        return ETI_OK;
    }
    struct eti_file log = *file;
    eti_status status = take_log(inspector, &log, err);
    eti__file_release(&log);
    return status;
}

static eti_status open_dumps(eti_inspector *inspector, const eti_inputs *inputs, eti_error *err) {
    if (inputs->n_etdumps + inputs->n_programs + inputs->n_data == 0 && !inputs->etrecord &&
        !inputs->record)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "neither an ETDump, nor an ETRecord, nor a program was given");
    for (size_t i = 0; i < inputs->n_etdumps; i++)
        ETI_TRY(open_dump_file(inspector, &inputs->etdumps[i], err));
    size_t n = inspector->n_dumps;
    inspector->dumps = eti__arena_alloc_zero(&inspector->arena, n, sizeof *inspector->dumps);
    if (!inspector->dumps)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        ETI_TRY(eti__tell(&inspector->options.progress, "verifying", i, n > 1 ? n : 0, err));
        ETI_TRY(eti__etdump_open(&inspector->dumps[i], &inspector->dump_files[i],
                                 inspector->options.n_threads, err));
        inspector->dumps[i].merges_ids = inspector->options.merges_ids;
    }
    return ETI_OK;
}

/* Opens the record, or uses one that is already open. */
static eti_status open_record(eti_inspector *inspector, const eti_inputs *inputs, eti_error *err) {
    inspector->method = ETI_NO_METHOD;
    if (!inputs->record && !inputs->etrecord)
        return ETI_OK;
    if (inputs->record)
        inspector->opened_record = eti__record_keep(inputs->record);
    else
        ETI_TRY(eti_record_open(&inspector->opened_record, inputs->etrecord, err));
    inspector->record_file = inspector->opened_record->file;
    inspector->record = inspector->opened_record->maps;
    return ETI_OK;
}

/* Opens `n` files of a kind; `*n_open` is the number of files opened so far. */
static eti_status open_files(struct eti_file **files, size_t *n_open, const eti_source *sources,
                             size_t n, eti_file_kind expected, eti_error *err) {
    *files = n > 0 ? calloc(n, sizeof **files) : NULL;
    if (n > 0 && !*files)
        return eti_fail_memory(err);
    for (; *n_open < n; ++*n_open)
        ETI_TRY(eti__input_open(&(*files)[*n_open], &sources[*n_open], expected, err));
    return ETI_OK;
}

static eti_status open_programs(eti_inspector *inspector, const eti_inputs *inputs,
                                eti_error *err) {
    ETI_TRY(open_files(&inspector->program_files, &inspector->n_programs, inputs->programs,
                       inputs->n_programs, ETI_FILE_PROGRAM, err));
    ETI_TRY(open_files(&inspector->data_files, &inspector->n_data_files, inputs->data,
                       inputs->n_data, ETI_FILE_DATA, err));
    inspector->programs =
        eti__arena_alloc_zero(&inspector->arena, inputs->n_programs, sizeof *inspector->programs);
    if (!inspector->programs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < inputs->n_programs; i++)
        ETI_TRY(eti__pte_open(&inspector->programs[i], &inspector->arena,
                              &inspector->program_files[i], err));
    return ETI_OK;
}

/* Opens the debug buffers of further ETDumps, one for each. */
static eti_status open_more_debug_buffers(eti_inspector *inspector, const eti_inputs *inputs,
                                          eti_error *err) {
    size_t n = inputs->n_more_debug_buffers;
    if (n == 0)
        return ETI_OK;
    if (n + 1 != inspector->n_dumps)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sdebug_buffer_path: debug buffers: %zu, ETDumps: %zu: give one debug "
                        "buffer per ETDump, in the same order",
                        eti__option_prefix(), n + 1, inspector->n_dumps);
    inspector->more_debug_buffers = calloc(n, sizeof *inspector->more_debug_buffers);
    if (!inspector->more_debug_buffers)
        return eti_fail_memory(err);
    inspector->dumps[0].debug_buffer = &inspector->debug_buffer_file;
    for (size_t i = 0; i < n; i++) {
        struct eti_file *file = &inspector->more_debug_buffers[i];
        ETI_TRY(eti__input_open_debug_buffer(file, &inputs->more_debug_buffers[i], err));
        inspector->n_more_debug_buffers++;
        inspector->dumps[i + 1].debug_buffer = file;
        inspector->debug_totals.n_more_bytes += file->size;
    }
    return ETI_OK;
}

static eti_status open_debug_buffers(eti_inspector *inspector, const eti_inputs *inputs,
                                     eti_error *err) {
    const eti_source *source = inputs->debug_buffer;
    if (source) {
        eti__file_release(&inspector->debug_buffer_file); /* that of a log */
        ETI_TRY(eti__input_open_debug_buffer(&inspector->debug_buffer_file, source, err));
        inspector->has_debug_buffer = true;
    } else {
        inspector->has_debug_buffer =
            inspector->n_printed_debug_buffers == 1 && inspector->n_dumps == 1;
    }
    return open_more_debug_buffers(inspector, inputs, err);
}

#define MOST_LABEL_BYTES ((size_t)16 << 20)

/* Takes over the labels of runs, from the options or from their file. */
static eti_status read_run_methods(eti_inspector *inspector, const eti_inputs *inputs,
                                   eti_error *err) {
    const char *option = inspector->options.run_methods;
    inspector->run_methods = eti__text_of(option);
    if (!option && !inputs->run_methods)
        return ETI_OK;
    if (option && inputs->run_methods)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%srun_methods and %srun_methods_from exclude each other",
                        eti__option_prefix(), eti__option_prefix());
    if (inspector->options.method)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%smethod is the method of all runs: leave it out to label runs with "
                        "%srun_methods",
                        eti__option_prefix(), eti__option_prefix());
    if (!inspector->record && inspector->n_programs == 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%srun_methods: give the ETRecord or the program (.pte) that has the "
                        "methods",
                        eti__option_prefix());
    if (option)
        return ETI_OK;
    struct eti_file file = {.name = NULL};
    ETI_TRY(eti__file_open_small(&file, inputs->run_methods, MOST_LABEL_BYTES, err));
    eti_text text = {(const char *)file.data, file.size};
    inspector->run_methods_file = file.name;
    eti_status status = ETI_OK;
    if (file.size > MOST_LABEL_BYTES)
        status = eti_fail(err, ETI_ERROR_LIMIT, "%s: labels of runs have more than %zu bytes",
                          file.name, MOST_LABEL_BYTES);
    else if (!eti__arena_copy_string(&inspector->arena, &inspector->run_methods_file) ||
             !eti__arena_copy_text(&inspector->arena, text, &inspector->run_methods))
        status = eti_fail_memory(err);
    eti__file_release(&file);
    return status;
}

/* ---- the record's method --------------------------------------------------------------------- */

static size_t find_method(const eti_etrecord *record, const char *name) {
    for (size_t i = 0; i < eti__etrecord_method_count(record); i++) {
        if (eti__text_is(eti__etrecord_method_name(record, i), name))
            return i;
    }
    return ETI_NO_METHOD;
}

static eti_status fail_method(const eti_inspector *inspector, eti_error *err) {
    const eti_etrecord *record = inspector->record;
    const char *wanted = inspector->options.method;
    eti_buffer names = {0};
    eti_text nearest = {NULL, 0};
    size_t least = ETI_TOO_FAR;
    for (size_t i = 0; i < eti__etrecord_method_count(record); i++) {
        if (eti__text_is_nearer(eti__etrecord_method_name(record, i), eti__text_of(wanted), &least))
            nearest = eti__etrecord_method_name(record, i);
        eti__buffer_add_string(&names, i ? ", " : "");
        eti__buffer_add_text(&names, eti__etrecord_method_name(record, i));
    }
    eti_text all = eti__buffer_text(&names);
    bool is_near = nearest.data != NULL;
    eti_status status =
        names.failed
            ? eti_fail_memory(err)
            : eti_fail(err, ETI_ERROR_USAGE, "%s: has no method %s%s%.*s%s; it has: %.*s",
                       inspector->record_file.name, wanted, is_near ? " (did you mean " : "",
                       (int)nearest.size, is_near ? nearest.data : "", is_near ? "?)" : "",
                       ETI_TEXT_ARGS(all));
    eti__buffer_free(&names);
    return status;
}

/* Chooses the requested method, or else "forward", or else the first one. */
static eti_status choose_method(eti_inspector *inspector, eti_error *err) {
    const char *wanted = inspector->options.method;
    inspector->method = find_method(inspector->record, wanted ? wanted : "forward");
    if (inspector->method != ETI_NO_METHOD)
        return ETI_OK;
    if (wanted)
        return fail_method(inspector, err);
    if (eti__etrecord_method_count(inspector->record) > 0)
        inspector->method = 0;
    return ETI_OK;
}

/* Returns whether the Inspector fails on the record: it requires one edge program, and a debug_handle_map of forward. */
static bool is_refused_by_inspector(const eti_etrecord *record) {
    size_t forward = find_method(record, "forward"), n_graphs = 0;
    for (size_t i = 0; i < eti__etrecord_method_count(record); i++)
        n_graphs += eti__etrecord_method_has_graph(record, i);
    return n_graphs > 1 || forward == ETI_NO_METHOD ||
           !eti__etrecord_method_has_handle_map(record, forward);
}

/* Returns whether the Inspector's columns have the methods that are found, because the Inspector has no values for them
 * and the user chose none. */
static bool shows_found_methods(const eti_inspector *inspector) {
    size_t n_methods = eti__etrecord_method_count(inspector->record);
    return n_methods > 1 && n_methods <= ETI_METHODS_COMPARED && !inspector->options.method &&
           !inspector->options.reference_graph && is_refused_by_inspector(inspector->record);
}

static eti_status read_graph(eti_inspector *inspector, eti_error *err) {
    const char *reference = inspector->options.reference_graph;
    if (!inspector->record)
        return ETI_OK;
    ETI_TRY(choose_method(inspector, err));
    inspector->shows_found_methods = shows_found_methods(inspector);
    if (reference)
        ETI_TRY(eti__record_graph(inspector->opened_record, ETI_READ_REFERENCE, inspector->method,
                                  reference, &inspector->reference_graph, NULL, err));
    if (inspector->method == ETI_NO_METHOD)
        return ETI_OK;
    eti_graph_reading reading = !eti__finds_methods(inspector)    ? ETI_READ_EDGE
                                : inspector->options.reads_values ? ETI_READ_VALUES
                                                                  : ETI_READ_LOWERED;
    return eti__record_graph(inspector->opened_record, reading, inspector->method, NULL,
                             &inspector->graph, NULL, err);
}

/* Makes all blocks belong to one method, as the Inspector does. */
static void settle_records(eti_inspector *inspector) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        block->method = inspector->method;
        for (size_t i = 0; i < block->n_events; i++)
            block->events[i].record = block->events[i].known;
    }
}

static eti_status associate(eti_inspector *inspector, const eti_graph *graph, bool as_inspector,
                            eti_error *err) {
    if (inspector->method == ETI_NO_METHOD)
        return ETI_OK;
    return eti__associate(&inspector->blocks, &inspector->arena, inspector->record,
                          inspector->method, graph, as_inspector, NULL, NULL, err);
}

/* Derives data that the Inspector does not have. */
static eti_status find_methods(eti_inspector *inspector, eti_error *err) {
    ETI_TRY(eti__methods_find(inspector, err));
    bool done = !eti__has_several_methods(inspector) ||
                eti__blocks_label(&inspector->blocks, true, &inspector->arena);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status match_events(eti_inspector *inspector, eti_error *err) {
    bool has_reference = inspector->options.reference_graph != NULL;
    const eti_graph *graph = has_reference ? &inspector->reference_graph : &inspector->graph;
    eti_status status = associate(inspector, graph, true, err);
    settle_records(inspector);
    /* all other views show the edge program, with operators by names of our own */
    if (status == ETI_OK && (has_reference || inspector->graph.has_functional))
        status = associate(inspector, &inspector->graph, false, err);
    if (status == ETI_OK)
        status = find_methods(inspector, err);
    if (status == ETI_ERROR_LIMIT)
        eti__error_prefix(err, "%s", inspector->record_file.name);
    return status;
}

/* ---- profile and graph ----------------------------------------------------------------------- */

static eti_status read_profile(eti_inspector *inspector, const eti_inputs *inputs, eti_error *err) {
    ETI_TRY(open_dumps(inspector, inputs, err));
    ETI_TRY(open_debug_buffers(inspector, inputs, err));
    ETI_TRY(eti__tell(&inspector->options.progress, "reading runs", 0, 0, err));
    ETI_TRY(eti__blocks_build(&inspector->blocks, &inspector->arena, inspector->dumps,
                              inspector->n_dumps, inspector->options.n_threads, err));
    return eti__blocks_label(&inspector->blocks, false, &inspector->arena) ? ETI_OK
                                                                           : eti_fail_memory(err);
}

typedef struct reading {
    eti_inspector *inspector;
    const eti_inputs *inputs;
    eti_status statuses[2];
    eti_error errors[2];
} reading;

static void read_part(void *context, size_t i) {
    reading *in = context;
    in->statuses[i] = i == 0 ? read_profile(in->inspector, in->inputs, &in->errors[i])
                             : read_graph(in->inspector, &in->errors[i]);
}

/* Reads the profile and the graph, which do not depend on each other, in parallel; if both fail, the profile's error is
 * reported. */
static eti_status read_inputs(eti_inspector *inspector, const eti_inputs *inputs, eti_error *err) {
    if (inspector->options.n_threads == 1 || inputs->n_etdumps == 0 || inputs->record ||
        inspector->record_file.size < ETI_PARALLEL_BYTES) {
        ETI_TRY(read_profile(inspector, inputs, err));
        ETI_TRY(eti__tell(&inspector->options.progress, "reading the graph", 0, 0, err));
        return read_graph(inspector, err);
    }
    reading in = {
        .inspector = inspector, .inputs = inputs, .errors = {ETI_ERROR_INIT, ETI_ERROR_INIT}};
    eti__parallel(2, read_part, &in);
    size_t failed = in.statuses[0] == ETI_OK;
    if (in.statuses[failed] != ETI_OK && err)
        eti__error_copy(err, &in.errors[failed]);
    return in.statuses[failed];
}

/* ---- opening --------------------------------------------------------------------------------- */

static eti_status fill_blocks(eti_inspector *inspector, eti_error *err) {
    const struct eti_file *buffer =
        inspector->has_debug_buffer ? &inspector->debug_buffer_file : NULL;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        eti_event_block *block = &inspector->blocks.blocks[i];
        ETI_TRY(eti__samples_fill(block, &inspector->arena, &inspector->options, err));
        if (!inspector->options.no_debug_data)
            ETI_TRY(eti__debug_data_fill(block, &inspector->arena, buffer, &inspector->debug_totals,
                                         err));
    }
    return ETI_OK;
}

/* Repairs names. A byte becomes at most three, so only overlapping strings can need more. */
static eti_status repair_names(eti_inspector *inspector, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < inspector->n_dumps; i++)
        n_bytes += inspector->dump_files[i].size;
    return eti__names_repair(&inspector->blocks, &inspector->arena, 3 * n_bytes,
                             &inspector->n_repaired_names, err);
}

static eti_status open_inspector(eti_inspector *inspector, const eti_inputs *inputs,
                                 eti_error *err) {
    ETI_TRY(eti__options_check(&inspector->options, err));
    ETI_TRY(open_record(inspector, inputs, err));
    ETI_TRY(open_programs(inspector, inputs, err));
    ETI_TRY(read_run_methods(inspector, inputs, err));
    ETI_TRY(read_inputs(inspector, inputs, err));
    ETI_TRY(eti__tell(&inspector->options.progress, "matching events", 0, 0, err));
    ETI_TRY(match_events(inspector, err));
    ETI_TRY(eti__blocks_skip_first(&inspector->blocks, inspector->options.skip_first,
                                   &inspector->n_skipped_runs, err));
    ETI_TRY(repair_names(inspector, err));
    ETI_TRY(fill_blocks(inspector, err));
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        ETI_TRY(eti__delegate_events_read(&inspector->blocks.blocks[i], &inspector->arena, err));
    if (!eti__shared_list_init(&inspector->accounts, inspector->blocks.n_blocks))
        return eti_fail_memory(err);
    return eti__notes_collect(inspector, err);
}

eti_status eti__inspector_open(eti_inspector **out, const eti_inputs *inputs,
                               const eti_options *options, eti_error *err) {
    static const eti_options defaults = ETI_OPTIONS_DEFAULT;
    *out = NULL;
    eti_inspector *inspector = calloc(1, sizeof *inspector);
    if (!inspector)
        return eti_fail_memory(err);
    eti_status status = copy_options(inspector, options ? options : &defaults)
                            ? open_inspector(inspector, inputs, err)
                            : eti_fail_memory(err);
    if (status != ETI_OK) {
        eti_inspector_close(inspector);
        return status;
    }
    *out = inspector;
    return ETI_OK;
}
