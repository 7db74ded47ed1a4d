#include "trace/slice_args.h"

#include "table/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== slice args ============================================================================== */

#define NO_NAME "(no name)"
/* Number of methods that the name of a process lists. */
#define MOST_METHODS 4
/* Number of debug handles that are listed. */
#define MOST_HANDLES 64

typedef struct list {
    eti_slice_arg *args;
    size_t n;
} list;

static void add_text(list *l, const char *name, eti_text text) {
    if (text.size > 0)
        l->args[l->n++] = (eti_slice_arg){.name = name, .kind = ETI_ARG_TEXT, .as_text = text};
}

/* Adds a text that lives as long as the source. */
static void add_lasting(list *l, const char *name, eti_text text) {
    size_t n = l->n;
    add_text(l, name, text);
    if (l->n > n)
        l->args[n].is_lasting = true;
}

static void add_int(list *l, const char *name, int64_t value) {
    l->args[l->n++] = (eti_slice_arg){.name = name, .kind = ETI_ARG_INT, .as_int = value};
}

static void add_uint(list *l, const char *name, uint64_t value) {
    l->args[l->n++] = (eti_slice_arg){.name = name, .kind = ETI_ARG_UINT, .as_uint = value};
}

static void add_true(list *l, const char *name, bool value) {
    if (value)
        l->args[l->n++] = (eti_slice_arg){.name = name, .kind = ETI_ARG_TRUE};
}

/* Number of dimensions of a tensor that are listed. */
#define MOST_DIMS 16

static void add_tensor(eti_buffer *out, const eti_etdump *dump, eti_position position) {
    eti_etdump_tensor tensor = eti__etdump_read_tensor(dump, position);
    int64_t sizes[MOST_DIMS];
    eti__buffer_add_string(out, eti__scalar_type(tensor.scalar_type)->name);
    if (!tensor.has_sizes || tensor.sizes.count > MOST_DIMS)
        return;
    for (uint32_t i = 0; i < tensor.sizes.count; i++)
        sizes[i] = eti__flatbuf_vector_i64(&dump->buffer, tensor.sizes, i);
    eti__buffer_add_char(out, ' ');
    eti__buffer_add_sizes(out, sizes, tensor.sizes.count);
}

/* Adds debug handles as "[3, 4]". */
static void add_handles(list *l, const eti_event *event, eti_buffer *scratch) {
    eti_debug_handles handles = eti_event_debug_handles(event);
    if (handles.n == 0)
        return;
    eti__buffer_add_char(scratch, '[');
    for (size_t i = 0; i < handles.n && i < MOST_HANDLES; i++) {
        eti__buffer_add_string(scratch, i > 0 ? ", " : "");
        eti__buffer_add_i64(scratch, handles.handles[i]);
    }
    eti__buffer_add_string(scratch, handles.n > MOST_HANDLES ? ", ...]" : "]");
    add_text(l, "debug_handles", eti__buffer_text(scratch));
}

size_t eti__event_args(const eti_slice_source *source, const eti_slice_event *event,
                       eti_buffer *scratch, eti_slice_arg out[ETI_MOST_SLICE_ARGS]) {
    list l = {out, 0};
    scratch->size = 0;
    if (source->args == ETI_ARGS_NONE)
        return 0;
    if (event->instruction_id != -1)
        add_int(&l, "instruction_id", event->instruction_id);
    add_lasting(&l, "op_types", event->op_types);
    add_lasting(&l, "module", event->module);
    add_lasting(&l, "source", event->source);
    if (source->args != ETI_ARGS_FULL)
        return l.n;
    add_lasting(&l, "role", eti__role_name((eti_role)event->role));
    add_lasting(&l, "kernel", event->kernel);
    add_lasting(&l, "node", event->node);
    add_lasting(&l, "compute_unit", event->compute_unit);
    add_lasting(&l, "backend", event->backend);
    if (event->event->delegate_id_int != -1)
        add_int(&l, "delegate_debug_id", event->event->delegate_id_int);
    add_lasting(&l, "unit", event->unit);
    add_handles(&l, event->event, scratch);
    return l.n;
}

static size_t list_run_args(const eti_sliced_run *run, eti_slice_arg *out) {
    list l = {out, 0};
    add_uint(&l, "run", run->run->number);
    if (run->block->bundled_input_index != -1)
        add_int(&l, "bundled_input_index", run->block->bundled_input_index);
    add_true(&l, "warm_up", run->run->is_warm_up);
    add_true(&l, "outlier", run->run->is_outlier);
    add_true(&l, "moved_behind_the_run_before", run->run->is_moved);
    return l.n;
}

size_t eti__run_args(const eti_slice_source *source, const eti_sliced_run *run,
                     eti_slice_arg out[ETI_MOST_SLICE_ARGS]) {
    list l = {out, 0};
    if (source->args != ETI_ARGS_NONE)
        add_uint(&l, "run", run->run->number);
    return l.n;
}

size_t eti__slice_args(const eti_slice_source *source, const eti_sliced_run *run,
                       const eti_slice *slice, eti_buffer *scratch,
                       eti_slice_arg out[ETI_MOST_SLICE_ARGS]) {
    list l = {out, 0};
    scratch->size = 0;
    if (source->args == ETI_ARGS_NONE)
        return 0;
    if (slice->event == ETI_NO_EVENT)
        return list_run_args(run, out);
    if (source->args != ETI_ARGS_FULL)
        return l.n;
    const eti_etdump *dump = run->recorded->dump;
    eti_position position = eti__block_run_position(run->recorded, slice->number);
    eti_etdump_event event;
    eti__etdump_read_event(&event, dump, position);
    if (event.key.chain_is_negative)
        add_int(&l, "chain_index", (int64_t)event.key.chain_index);
    else if (event.key.instruction_id != -1)
        add_uint(&l, "chain_index", event.key.chain_index);
    add_uint(&l, "self_ns", slice->self);
    add_uint(&l, "value", slice->value);
    eti_text metadata = eti__etdump_read_stamps(dump, position).metadata;
    if (metadata.size > 0) {
        bool is_long = metadata.size > ETI_MOST_SLICE_METADATA;
        metadata.size = is_long ? ETI_MOST_SLICE_METADATA : metadata.size;
        eti__metadata_add(scratch, metadata, source->metadata_form);
        eti__buffer_add_string(scratch, is_long ? "..." : "");
        add_text(&l, "delegate_metadata", eti__buffer_text(scratch));
    }
    return l.n;
}

/* Adds a logged value: a tensor as "float32 [2, 3]", a number as itself. */
static void add_value(list *l, const eti_etdump *dump, eti_position position, eti_buffer *scratch) {
    eti_etdump_value value = eti__etdump_read_value(dump, position);
    switch ((eti_etdump_value_type)value.type) {
    case ETI_ETDUMP_VALUE_TENSOR:
        if (value.has_content)
            add_tensor(scratch, dump, value.tensor);
        break;
    case ETI_ETDUMP_VALUE_TENSOR_LIST:
        eti__buffer_printf(scratch, "%" PRIu32 " tensors", value.tensors.count);
        break;
    case ETI_ETDUMP_VALUE_INT:
        eti__buffer_add_i64(scratch, value.as_int);
        break;
    case ETI_ETDUMP_VALUE_BOOL:
        eti__buffer_add_string(scratch, value.as_bool ? "true" : "false");
        break;
    case ETI_ETDUMP_VALUE_FLOAT:
    case ETI_ETDUMP_VALUE_DOUBLE:
        eti__buffer_printf(scratch, "%.17g", value.as_double);
        break;
    case ETI_ETDUMP_VALUE_NULL:
    case ETI_ETDUMP_VALUE_STRING:
        break;
    }
    add_text(l, "value", eti__buffer_text(scratch));
}

size_t eti__instant_args(const eti_slice_source *source, const eti_sliced_run *run,
                         const eti_slice_instant *instant, eti_buffer *scratch,
                         eti_slice_arg out[ETI_MOST_SLICE_ARGS]) {
    list l = {out, 0};
    eti_etdump_event event;
    scratch->size = 0;
    if (source->args == ETI_ARGS_NONE)
        return 0;
    eti__etdump_read_event(&event, run->recorded->dump,
                           eti__block_run_position(run->recorded, instant->number));
    add_uint(&l, "run", run->run->number);
    if (event.key.instruction_id != -1 && !event.is_run_output)
        add_int(&l, "instruction_id", event.key.instruction_id);
    if (event.debug_value)
        add_value(&l, run->recorded->dump, event.debug_value, scratch);
    add_true(&l, "output", event.is_run_output);
    add_true(&l, "approximate", true);
    return l.n;
}

/* ---- names ----------------------------------------------------------------------------------- */

size_t eti__slice_category_number(const eti_slice_event *event) {
    static const uint8_t numbers[ETI_N_ROLES] = {
        [ETI_ROLE_KERNEL] = 1,        [ETI_ROLE_DELEGATED] = 2,     [ETI_ROLE_DEVICE] = 2,
        [ETI_ROLE_TRANSFER] = 2,      [ETI_ROLE_OVERHEAD] = 2,      [ETI_ROLE_PROFILING] = 2,
        [ETI_ROLE_COUNTER] = 2,       [ETI_ROLE_DELEGATE_CALL] = 3, [ETI_ROLE_NOT_LOGGED] = 3,
        [ETI_ROLE_OPERATOR_CALL] = 4, [ETI_ROLE_INSTRUCTION] = 4,   [ETI_ROLE_EXECUTE] = 4,
        [ETI_ROLE_LOAD] = 5,          [ETI_ROLE_UNTIMED] = 4,
    };
    return event ? numbers[event->role] : 0;
}

const char *eti__slice_category(const eti_slice_event *event) {
    static const char *const names[ETI_N_SLICE_CATEGORIES] = {
        "run", "operator", "delegated", "delegate_call", "framework", "loading",
    };
    return names[eti__slice_category_number(event)];
}

const char *eti__counter_unit(const eti_slice_source *source, const eti_slice_counter *counter) {
    if (counter->kind == ETI_COUNTER_LOGGED)
        return counter->unit.size > 0 ? counter->unit.data : "ticks"; /* units are strings */
    if (counter->kind == ETI_COUNTER_COUNTED)
        return counter->unit.size > 0 ? counter->unit.data : "count";
    if (counter->kind != ETI_COUNTER_RUN_TIME)
        return "bytes";
    return source->is_in_cycles ? "cycles" : "ns";
}

eti_text eti__slice_name(const eti_slice_event *event) {
    eti_text name = eti__event_label(event->event);
    return name.size > 0 ? name : eti__text_of(NO_NAME);
}

static void add_labels(const eti_report *report, const eti_write_options *options,
                       eti_buffer *out) {
    size_t n = report->n_labels + options->n_labels;
    for (size_t i = 0; i < n; i++) {
        const eti_label *label =
            i < report->n_labels ? &report->labels[i] : &options->labels[i - report->n_labels];
        eti__buffer_add_string(out, i == 0 ? " (" : ", ");
        eti__buffer_add_string(out, label->key);
        eti__buffer_add_char(out, '=');
        eti__buffer_add_string(out, label->value);
    }
    eti__buffer_add_string(out, n > 0 ? ")" : "");
}

void eti__add_process_name(const eti_report *report, const eti_write_options *options,
                           const eti_slice_dump *dump, eti_buffer *out) {
    const eti_slice_source *source = report->slices;
    const eti_event_block *blocks = source->inspector->blocks.blocks;
    eti_text seen[MOST_METHODS];
    size_t n = 0;
    const char *file = dump->dump->file_name;
    eti__buffer_add_utf8(out,
                         eti__text_of(file && *file ? file : NO_NAME)); /* a path is any bytes */
    for (size_t i = 0; i < dump->n_runs && n < MOST_METHODS; i++) {
        eti_text method = blocks[source->runs[dump->first + i].block].method_name;
        size_t k = 0;
        while (k < n && !eti__text_equal(seen[k], method))
            k++;
        if (method.size == 0 || k < n)
            continue;
        eti__buffer_add_string(out, n == 0 ? " [" : ", ");
        eti__buffer_add_text(out, method);
        seen[n++] = method;
    }
    eti__buffer_add_string(out, n > 0 ? "]" : "");
    add_labels(report, options, out);
}

#define LANES_RANKED 1024
#define LANES_OF_THREAD 64

uint32_t eti__slice_track_rank(const eti_slice_track *track) {
    uint64_t wanted = (uint64_t)track->thread * LANES_OF_THREAD + track->lane;
    uint32_t lane = wanted < LANES_RANKED ? (uint32_t)wanted : LANES_RANKED - 1;
    uint32_t of_kind = track->kind * LANES_RANKED + lane;
    uint32_t run = track->run == ETI_EVERY_RUN ? 0 : track->run;
    return run > INT32_MAX / (ETI_N_TRACK_KINDS * LANES_RANKED) - 1
               ? INT32_MAX
               : run * ETI_N_TRACK_KINDS * LANES_RANKED + of_kind;
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Makes an array that says, per report->slices->events, whether the row was left out; NULL: none was. The caller frees it.
 * ETI_ERROR_MEMORY. */
static eti_status report_left_out(bool **out, const eti_report *report, eti_error *err) {
    size_t n = eti__report_chosen_count(report), n_events = report->slices->n_events;
    *out = NULL;
    if (n == n_events)
        return ETI_OK;
    *out = malloc(n_events * sizeof **out);
    if (!*out)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n_events; i++)
        (*out)[i] = true;
    for (size_t i = 0; i < n; i++)
        (*out)[eti__report_chosen(report, i)] = false;
    return ETI_OK;
}

eti_status eti__report_slices_open(eti_slices **out, bool **is_left_out, const eti_report *report,
                                   eti_error *err) {
    ETI_TRY(report_left_out(is_left_out, report, err));
    eti_status status = eti__slices_open(out, report->slices, *is_left_out, err);
    if (status != ETI_OK)
        free(*is_left_out);
    return status;
}

/* ==== report stacks =========================================================================== */

eti_status eti__report_stacks_make(eti_stacks *out, const eti_report *report, eti_error *err) {
    eti_stack_source source = *report->stacks;
    bool *is_left_out;
    *out = (eti_stacks){.n = 0};
    ETI_TRY(report_left_out(&is_left_out, report, err));
    source.is_left_out = is_left_out;
    source.first_event = report->slices->first_event;
    eti_status status = eti__stacks_make(out, &source, err);
    free(is_left_out);
    return status;
}

eti_text eti__report_etdump_name(const eti_report *report) {
    for (size_t i = 0; i < report->n_sources; i++) {
        if (strcmp(report->sources[i].kind, "etdump") == 0)
            return report->sources[i].path;
    }
    return eti__text_of("etdump");
}

/* ==== protobuf ================================================================================ */

void eti__protobuf_add_varint(eti_buffer *out, uint64_t value) {
    if (eti__buffer_reserve(out, ETI_MOST_VARINT))
        out->size = (size_t)(eti__protobuf_put_varint(out->data + out->size, value) - out->data);
}

static void add_key(eti_buffer *out, uint32_t field, unsigned wire) {
    eti__protobuf_add_varint(out, (uint64_t)field << 3 | wire);
}

void eti__protobuf_add_number(eti_buffer *out, uint32_t field, uint64_t value) {
    add_key(out, field, ETI_WIRE_VARINT);
    eti__protobuf_add_varint(out, value);
}

void eti__protobuf_add_fixed64(eti_buffer *out, uint32_t field, uint64_t value) {
    char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(value >> (8 * i));
    add_key(out, field, ETI_WIRE_FIXED64);
    eti__buffer_add(out, bytes, sizeof bytes);
}

void eti__protobuf_begin_bytes(eti_buffer *out, uint32_t field, size_t size) {
    add_key(out, field, ETI_WIRE_BYTES);
    eti__protobuf_add_varint(out, size);
}

void eti__protobuf_add_bytes(eti_buffer *out, uint32_t field, eti_text bytes) {
    eti__protobuf_begin_bytes(out, field, bytes.size);
    eti__buffer_add(out, bytes.data, bytes.size);
}
