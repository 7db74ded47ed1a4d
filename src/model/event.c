#include "model/parts.h"

#include "base/names.h"
#include "base/python.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <stdlib.h>

/* ==== event =================================================================================== */

/* Up to this number of samples, an event is summarized at each request; above it, the summary is kept. */
#define ETI_FEW_SAMPLES 32

/* Implements the accessors of etinspect.h, which other rooms use too. */

eti_text eti__attribution_name(uint8_t attribution) {
    static const char *const names[] = {
        [ETI_ATTRIBUTION_NONE] = NULL,           [ETI_ATTRIBUTION_RECORDED] = "recorded",
        [ETI_ATTRIBUTION_EXACT] = "exact",       [ETI_ATTRIBUTION_ALIGNED] = "aligned",
        [ETI_ATTRIBUTION_INFERRED] = "inferred", [ETI_ATTRIBUTION_CALL] = "call",
    };
    return eti__text_of(names[attribution]);
}

void eti__attribution_add_words(eti_buffer *out, uint8_t attribution) {
    eti_text name = eti__attribution_name(attribution);
    if (!eti__add_words(out, eti__text_of("attribution"), name))
        eti__buffer_add_text(out, name);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

eti_text eti_event_block_name(const eti_event_block *block) {
    return block->name;
}

eti_text eti_event_block_label(const eti_event_block *block) {
    return block->label;
}

int32_t eti_event_block_bundled_input_index(const eti_event_block *block) {
    return block->bundled_input_index;
}

size_t eti_event_block_run_count(const eti_event_block *block) {
    return block->n_runs;
}

size_t eti_event_block_event_count(const eti_event_block *block) {
    return block->n_events;
}

const eti_event *eti_event_block_event(const eti_event_block *block, size_t i) {
    return i < block->n_events ? &block->events[i] : NULL;
}

size_t eti_event_block_run_output_count(const eti_event_block *block) {
    return block->n_run_outputs;
}

const eti_value *eti_event_block_run_output(const eti_event_block *block, size_t i) {
    return i < block->n_run_outputs ? &block->run_outputs[i] : NULL;
}

size_t eti_event_block_reference_output_count(const eti_event_block *block) {
    return block->n_reference_outputs;
}

const eti_value *eti_event_block_reference_output(const eti_event_block *block, size_t i) {
    return i < block->n_reference_outputs ? &block->reference_outputs[i] : NULL;
}

/* ---- kinds of events ------------------------------------------------------------------------- */

/* Returns the event's index in its block. */
static size_t number_of(const eti_event *event) {
    return (size_t)(event - event->block->events);
}

eti_text eti_event_name(const eti_event *event) {
    return event->name;
}

int32_t eti_event_instruction_id(const eti_event *event) {
    return event->instruction_id;
}

bool eti_event_is_delegated_op(const eti_event *event) {
    return event->is_delegated_op;
}

bool eti_event_is_timed_by_delegate(const eti_event *event) {
    return event->is_timed_as_delegated;
}

eti_delegate_id eti_event_delegate_debug_identifier(const eti_event *event) {
    eti_delegate_id id = {
        (eti_delegate_id_kind)event->delegate_id_kind, event->delegate_id_int, {NULL, 0}};
    if (id.kind == ETI_DELEGATE_ID_STRING)
        id.string_id = event->name;
    return id;
}

eti_text eti_event_delegate_backend_name(const eti_event *event) {
    return event->record->backend_name;
}

eti_debug_handles eti_event_debug_handles(const eti_event *event) {
    return event->record->handles;
}

int64_t eti_event_num_outputs(const eti_event *event) {
    return event->record->num_outputs;
}

size_t eti_event_op_type_count(const eti_event *event) {
    return event->record->n_op_types;
}

eti_text eti_event_op_type(const eti_event *event, size_t i) {
    return i < event->record->n_op_types ? event->record->op_types[i] : (eti_text){NULL, 0};
}

size_t eti_event_op_node_count(const eti_event *event) {
    return event->record->n_op_nodes;
}

const eti_op_node *eti_event_op_node(const eti_event *event, size_t i) {
    return i < event->record->n_op_nodes ? event->record->op_nodes[i] : NULL;
}

/* ---- recorded data of events ----------------------------------------------------------------- */

size_t eti_event_sample_count(const eti_event *event) {
    return event->is_timed ? event->block->n_runs : 0;
}

const double *eti_event_raw(const eti_event *event) {
    return event->is_timed ? event->block->raw + number_of(event) * event->block->n_runs : NULL;
}

const uint64_t *eti_event_start_time(const eti_event *event) {
    return event->is_timed ? event->block->start_time + number_of(event) * event->block->n_runs
                           : NULL;
}

/* Not *out = *found: the caller's struct may be smaller. */
static void store_summary(eti_summary *out, const eti_summary *found) {
    out->p10 = found->p10;
    out->p50 = found->p50;
    out->p90 = found->p90;
    out->avg = found->avg;
    out->min = found->min;
    out->max = found->max;
}

bool eti_event_summary(const eti_event *event, eti_summary *out) {
    if (!event->is_timed)
        return false;
    double scratch[ETI_FEW_SAMPLES];
    eti_summary found = event->block->summaries
                            ? event->block->summaries[number_of(event)]
                            : eti__summarize(eti_event_raw(event), event->block->n_runs, scratch);
    store_summary(out, &found);
    return true;
}

eti_status eti_summarize(eti_summary *out, const double *samples, size_t n, eti_error *err) {
    if (n == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no samples: statistics need at least one");
    double *scratch = calloc(n, sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    eti_summary found = eti__summarize(samples, n, scratch);
    store_summary(out, &found);
    free(scratch);
    return ETI_OK;
}

/* Returns the stamps that the i-th run recorded for a timed event. */
static eti_etdump_stamps stamps_of(const eti_event *event, size_t i) {
    const eti_block_run *run = &event->block->runs[i];
    uint32_t number = run->layout->profile_events[number_of(event)];
    return eti__etdump_read_stamps(run->dump, eti__block_run_position(run, number));
}

bool eti_event_end_time(const eti_event *event, size_t i, uint64_t *out) {
    if (i >= eti_event_sample_count(event))
        return false;
    *out = stamps_of(event, i).end_time;
    return true;
}

size_t eti_event_delegate_debug_metadata_count(const eti_event *event) {
    return event->has_metadata ? eti_event_sample_count(event) : 0;
}

eti_text eti_event_delegate_debug_metadata(const eti_event *event, size_t i) {
    if (i >= eti_event_delegate_debug_metadata_count(event))
        return (eti_text){NULL, 0};
    return stamps_of(event, i).metadata;
}

eti_text eti__event_metadata(const eti_event *event) {
    eti_text metadata = {NULL, 0};
    size_t n = eti_event_delegate_debug_metadata_count(event);
    for (size_t i = 0; i < n && metadata.size == 0; i++)
        metadata = eti_event_delegate_debug_metadata(event, i);
    return metadata;
}

static const eti_values *debug_data_of(const eti_event *event) {
    const eti_event_block *block = event->block;
    return block->debug_data ? block->debug_data[number_of(event)] : NULL;
}

size_t eti_event_debug_data_count(const eti_event *event) {
    const eti_values *values = debug_data_of(event);
    return values ? values->n : 0;
}

const eti_value *eti_event_debug_data(const eti_event *event, size_t i) {
    return i < eti_event_debug_data_count(event) ? &debug_data_of(event)->values[i] : NULL;
}

/* ==== samples ================================================================================= */

const eti_delegate_time_scale *eti__delegate_time_scale_for(const eti_options *options,
                                                            eti_text backend) {
    const eti_delegate_time_scale *own = NULL, *general = NULL;
    for (size_t i = 0; i < options->n_delegate_time_scales; i++) {
        const eti_delegate_time_scale *entry = &options->delegate_time_scales[i];
        if (!entry->backend)
            general = entry;
        else if (eti__text_is(backend, entry->backend))
            own = entry;
    }
    return own ? own : general;
}

const eti_delegate_time_scale *eti__event_own_time_scale(const eti_event *event,
                                                         const eti_options *options) {
    return event->is_timed_as_delegated
               ? eti__delegate_time_scale_for(options, event->record->backend_name)
               : NULL;
}

double eti__event_hz(const eti_event *event, const eti_options *options) {
    if (!event->logged && !event->is_timed_as_delegated)
        return 0;
    eti_text backend = event->record->backend_name;
    if (backend.size == 0 && event->logged)
        backend = eti__backend_id((eti_backend)event->logged->backend);
    const eti_delegate_time_scale *own = eti__delegate_time_scale_for(options, backend);
    return own ? own->hz : 0;
}

typedef bool (*eti_elapsed_function)(uint64_t start, uint64_t end, double factor, double *out);

/* Number of runs that are read together: as many samples as fit into a cache line. */
#define RUNS_AT_ONCE 8

/* Converts an event's stamps to times. */
typedef struct eti_time_rule {
    eti_elapsed_function elapsed;
    double factor;
} eti_time_rule;

double eti__event_factor(const eti_event *event, const eti_options *options) {
    const eti_delegate_time_scale *own = eti__event_own_time_scale(event, options);
    if (own) /* clock_hz is that of another clock */
        return eti__time_scale_factor(own->scale, options->target_time_scale, own->hz);
    return eti__time_scale_factor(options->source_time_scale, options->target_time_scale,
                                  options->clock_hz);
}

static eti_time_rule rule_for(const eti_event *event, const eti_options *options) {
    bool is_scaled_first = event->is_timed_as_delegated && !options->exact_time;
    return (eti_time_rule){is_scaled_first ? eti__elapsed_scaled : eti__elapsed_exact,
                           eti__event_factor(event, options)};
}

static eti_status fail_backwards(const eti_block_run *run, const eti_event *event,
                                 const eti_etdump_stamps *stamps, eti_error *err) {
    return eti_fail(err, ETI_ERROR_DATA,
                    "%s: run %u: event %.*s: start_time %" PRIu64 " is after end_time %" PRIu64
                    ", and only 32-bit clocks (up to 4294967295) can wrap around",
                    run->dump->file_name, run->index, ETI_TEXT_ARGS(event->name),
                    stamps->start_time, stamps->end_time);
}

/* Fills the event's samples of the runs [first, end). */
static eti_status fill_event(eti_event_block *block, size_t number, size_t first, size_t end,
                             eti_time_rule rule, eti_error *err) {
    eti_event *event = &block->events[number];
    size_t at = number * block->n_runs;
    for (size_t i = first; i < end; i++) {
        const eti_block_run *run = &block->runs[i];
        eti_position position = eti__block_run_position(run, run->layout->profile_events[number]);
        eti_etdump_stamps stamps = eti__etdump_read_stamps(run->dump, position);
        block->start_time[at + i] = stamps.start_time;
        if (!rule.elapsed(stamps.start_time, stamps.end_time, rule.factor, &block->raw[at + i]))
            return fail_backwards(run, event, &stamps, err);
        if (stamps.metadata.size > 0)
            event->has_metadata = true;
    }
    return ETI_OK;
}

/* Parts of a block's events, each of which one thread fills. */
typedef struct eti_filling {
    eti_event_block *block;
    const eti_options *options;
    size_t n_parts;
    eti_status status[ETI_MAX_THREADS];
    eti_error *err; /* that of the calling thread */
} eti_filling;

/* Fills samples a few runs at a time, so that the file is read from front to back; reading all runs of one event, then
 * the next, would jump all over the file. */
static eti_status fill_samples(const eti_filling *filling, size_t first_event, size_t end_event,
                               eti_error *err) {
    eti_event_block *block = filling->block;
    for (size_t first = 0; first < block->n_runs; first += RUNS_AT_ONCE) {
        if (first_event == 0) /* only in the calling thread */
            ETI_TRY(
                eti__tell(&filling->options->progress, "reading times", first, block->n_runs, err));
        size_t left = block->n_runs - first;
        size_t end = first + (left < RUNS_AT_ONCE ? left : RUNS_AT_ONCE);
        for (size_t i = first_event; i < end_event; i++) {
            if (block->events[i].is_timed)
                ETI_TRY(fill_event(block, i, first, end,
                                   rule_for(&block->events[i], filling->options), err));
        }
    }
    return ETI_OK;
}

static eti_status fill_summaries(eti_event_block *block, size_t first, size_t end, eti_error *err) {
    size_t n = block->n_runs;
    double *scratch = malloc(n * sizeof *scratch);
    if (!scratch)
        return eti_fail_memory(err);
    for (size_t i = first; i < end; i++) {
        if (block->events[i].is_timed)
            block->summaries[i] = eti__summarize(block->raw + i * n, n, scratch);
    }
    free(scratch);
    return ETI_OK;
}

static eti_status fill_part(const eti_filling *filling, size_t part, eti_error *err) {
    size_t first, end;
    eti__parallel_part(filling->block->n_events, filling->n_parts, part, &first, &end);
    ETI_TRY(fill_samples(filling, first, end, err));
    return filling->block->summaries ? fill_summaries(filling->block, first, end, err) : ETI_OK;
}

static void fill_part_in_thread(void *context, size_t part) {
    eti_filling *filling = context;
    filling->status[part] = fill_part(filling, part, part == 0 ? filling->err : NULL);
}

/* Fills the samples, on several threads if there are many. After an error, one thread repeats all the work, so that the
 * report does not depend on threads; after a cancellation nothing is repeated. */
static eti_status fill_all(eti_event_block *block, const eti_options *options, eti_error *err) {
    eti_filling filling = {.block = block, .options = options, .n_parts = 1, .err = err};
    if (block->n_events * block->n_runs * sizeof *block->raw >= ETI_PARALLEL_BYTES / 4)
        filling.n_parts =
            options->n_threads < block->n_events ? options->n_threads : block->n_events;
    if (filling.n_parts < 2) {
        filling.n_parts = 1;
        return fill_part(&filling, 0, err);
    }
    eti__parallel(filling.n_parts, fill_part_in_thread, &filling);
    if (filling.status[0] == ETI_ERROR_CANCELLED)
        return ETI_ERROR_CANCELLED;
    for (size_t i = 0; i < filling.n_parts; i++) {
        if (filling.status[i] != ETI_OK) {
            filling.n_parts = 1;
            return fill_part(&filling, 0, err);
        }
    }
    return ETI_OK;
}

static bool has_timed_events(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed)
            return true;
    }
    return false;
}

/* Either all runs of a block timed an event, or none did, because that is part of the event's identity. */
eti_status eti__samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                             eti_error *err) {
    if (block->n_runs == 0 || !has_timed_events(block))
        return ETI_OK;
    block->raw = eti__arena_alloc(arena, block->n_events, block->n_runs * sizeof *block->raw);
    block->start_time =
        eti__arena_alloc(arena, block->n_events, block->n_runs * sizeof *block->start_time);
    if (!block->raw || !block->start_time)
        return eti_fail_memory(err);
    if (block->n_runs > ETI_FEW_SAMPLES) {
        block->summaries = eti__arena_alloc(arena, block->n_events, sizeof *block->summaries);
        if (!block->summaries)
            return eti_fail_memory(err);
    }
    return fill_all(block, options, err);
}

/* ==== metadata ================================================================================ */

static const char digits[] = "0123456789abcdef";

static void add_utf8(eti_buffer *out, eti_text entry) {
    eti__python_add_str(out, entry);
}

static void add_hex(eti_buffer *out, eti_text entry) {
    eti__buffer_add_char(out, '\'');
    for (size_t i = 0; i < entry.size; i++) {
        unsigned char byte = (unsigned char)entry.data[i];
        eti__buffer_add(out, (char[]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
    eti__buffer_add_char(out, '\'');
}

/* Appends a list of bytes; a missing entry is an empty str. */
static void add_bytes(eti_buffer *out, eti_text entry) {
    if (entry.size == 0)
        eti__buffer_add_string(out, "''");
    else
        eti__python_add_bytes(out, entry);
}

static bool is_json(eti_text text) {
    eti_json json;
    eti__json_open_text(&json, text);
    json.refuses_nan = true;
    json.is_silent = true;
    eti__json_skip(&json);
    return eti__json_close(&json, NULL) == ETI_OK;
}

static void add_json_string(eti_buffer *out, eti_text text) {
    eti__buffer_add_char(out, '"');
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (character == '"' || character == '\\')
            eti__buffer_add(out, (char[]){'\\', (char)character}, 2);
        else if (character == 0xfffd)
            eti__buffer_add(out, "\\ufffd", 6);
        else if (character < 0x20)
            eti__buffer_add(
                out, (char[]){'\\', 'u', '0', '0', digits[character >> 4], digits[character & 15]},
                6);
        else
            eti__buffer_add(out, text.data + at, length);
        at += length;
    }
    eti__buffer_add_char(out, '"');
}

/* Appends JSON without its line breaks, which can only be white space there. */
static void add_on_one_line(eti_buffer *out, eti_text json) {
    for (size_t i = 0; i < json.size; i++) {
        bool is_break = json.data[i] == '\n' || json.data[i] == '\r';
        eti__buffer_add(out, is_break ? " " : json.data + i, 1);
    }
}

/* Appends JSON; other text becomes a JSON string. */
static void add_json(eti_buffer *out, eti_text entry) {
    if (entry.size == 0)
        eti__buffer_add_string(out, "null");
    else if (is_json(entry))
        add_on_one_line(out, entry);
    else
        add_json_string(out, entry);
}

void eti__metadata_add(eti_buffer *out, eti_text entry, eti_metadata_form form) {
    static void (*const add[])(eti_buffer * out, eti_text entry) = {
        [ETI_METADATA_BYTES] = add_bytes,
        [ETI_METADATA_UTF8] = add_utf8,
        [ETI_METADATA_HEX] = add_hex,
        [ETI_METADATA_JSON] = add_json,
    };
    add[form](out, entry);
}

/* ==== value =================================================================================== */

int8_t eti_tensor_scalar_type(const eti_tensor *tensor) {
    return tensor->scalar_type;
}

const char *eti_tensor_dtype(const eti_tensor *tensor) {
    return tensor->dtype;
}

size_t eti_tensor_dimension_count(const eti_tensor *tensor) {
    return tensor->n_dims;
}

const int64_t *eti_tensor_sizes(const eti_tensor *tensor) {
    return tensor->sizes;
}

int64_t eti_tensor_offset(const eti_tensor *tensor) {
    return tensor->offset;
}

const uint8_t *eti_tensor_data(const eti_tensor *tensor) {
    return tensor->data;
}

size_t eti_tensor_byte_count(const eti_tensor *tensor) {
    return tensor->n_bytes;
}

eti_value_kind eti_value_kind_of(const eti_value *value) {
    return value->kind;
}

int64_t eti_value_as_int(const eti_value *value) {
    return value->as_int;
}

bool eti_value_as_bool(const eti_value *value) {
    return value->as_bool;
}

double eti_value_as_double(const eti_value *value) {
    return value->as_double;
}

size_t eti_value_tensor_count(const eti_value *value) {
    return value->n_tensors;
}

const eti_tensor *eti_value_tensor(const eti_value *value, size_t i) {
    return i < value->n_tensors ? &value->tensors[i] : NULL;
}
