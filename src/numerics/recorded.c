#include "numerics/recorded.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== recorded ================================================================================ */

/* Returns whether so many tensors lie outside of the debug buffer that it must belong to another ETDump. */
static inline bool recorded_is_foreign(const eti_recorded_buffer *buffer) {
    return buffer->n_outside > buffer->n_with_bytes / 2;
}

/* Number of elements of a tensor that a thread visits at a time. It does not depend on the number of threads, so the
 * results do not either. */
#define PART ((uint64_t)1 << 18)

/* Data that an Event of a run logged. */
typedef struct logged {
    const eti_event *event;
    const eti_debug_events *of;
} logged;

typedef struct lister {
    eti_recorded *out;
    const eti_inspector *inspector;
    const eti_event_block *block;
    size_t run;
    eti_recorded_buffer *buffer; /* that of the run */
    eti_error *err;
} lister;

/* ---- tensors ---------------------------------------------------------------------------------- */

static bool copy_numbers(eti_arena *arena, const eti_etdump *dump, eti_vector vector,
                         const int64_t **out) {
    int64_t *numbers = eti__arena_alloc(arena, vector.count, sizeof *numbers);
    for (uint32_t i = 0; numbers && i < vector.count; i++)
        numbers[i] = eti__flatbuf_vector_i64(&dump->buffer, vector, i);
    *out = numbers;
    return numbers != NULL;
}

/* Uses the recorded strides if they are those of a dense tensor. */
static bool settle_strides(eti_arena *arena, eti_recorded_tensor *tensor) {
    eti_tensor_values *values = &tensor->values;
    int64_t *strides = eti__arena_alloc(arena, values->n_dims, sizeof *strides);
    if (!strides)
        return false;
    eti__tensor_values_dense_strides(values, false, strides);
    values->strides = strides;
    tensor->is_dense = true;
    if (tensor->n_strides == 0)
        return true;
    eti_tensor_values recorded = *values;
    recorded.strides = tensor->strides;
    if (tensor->n_strides == values->n_dims && eti__elements_are_dense(&recorded))
        values->strides = tensor->strides;
    else
        tensor->has_odd_strides = true;
    return true;
}

/* Finds the bytes; eti__tensor_read() rejects ranges outside the file. */
static void find_bytes(const lister *in, const eti_etdump *dump, eti_position position,
                       eti_recorded_tensor *tensor) {
    eti_tensor_view view;
    if (eti__tensor_read(&view, dump, position, NULL, NULL) != ETI_OK ||
        eti__tensor_values_count(&tensor->values)) {
        tensor->fault = ETI_RECORDED_SHAPE;
        return;
    }
    if (!eti__elements_are_readable(tensor->values.scalar_type)) {
        tensor->fault = ETI_RECORDED_TYPE;
        return;
    }
    if (tensor->values.n_elements > 0 && !eti__tensor_is_recorded(dump, position)) {
        tensor->fault = ETI_RECORDED_CONTENTS;
        return;
    }
    if (!in->buffer->file ||
        eti__tensor_read(&view, dump, position, in->buffer->file, NULL) != ETI_OK) {
        tensor->fault = ETI_RECORDED_OUTSIDE;
        return;
    }
    tensor->values.data = view.data;
}

/* Returns whether the tensor must lie in the debug buffer. */
static bool has_bytes(const eti_recorded_tensor *tensor) {
    return (tensor->fault == ETI_RECORDED_FINE || tensor->fault == ETI_RECORDED_OUTSIDE) &&
           tensor->values.n_elements > 0;
}

/* Counts the tensor that was written at the end of the list. */
static void count_tensor(const lister *in) {
    const eti_recorded_tensor *tensor = &in->out->tensors[in->out->n++];
    eti_recorded_buffer *buffer = in->buffer;
    uint64_t n_bytes = tensor->values.data ? eti__tensor_values_size(&tensor->values) : 0;
    uint64_t left = UINT64_MAX - buffer->n_bytes;
    buffer->n++;
    buffer->n_with_bytes += has_bytes(tensor);
    buffer->n_outside += tensor->fault == ETI_RECORDED_OUTSIDE;
    buffer->n_bytes += n_bytes < left ? n_bytes : left;
}

static eti_status add_tensor(const lister *in, const eti_event *event, uint32_t index,
                             const eti_etdump *dump, eti_position position) {
    eti_recorded *out = in->out;
    eti_etdump_tensor read = eti__etdump_read_tensor(dump, position);
    if (!ETI_GROW(out->tensors, out->capacity, out->n + 1))
        return eti_fail_memory(in->err);
    eti_recorded_tensor *tensor = &out->tensors[out->n];
    *tensor = (eti_recorded_tensor){
        .block = in->block,
        .run = in->run,
        .event = event,
        .index = index,
        .buffer = (uint32_t)(in->buffer - out->buffers),
        .offset = read.offset,
        .n_strides = read.strides.count,
        .values = {.scalar_type = read.scalar_type, .n_dims = read.sizes.count},
    };
    if (!copy_numbers(&out->arena, dump, read.sizes, &tensor->values.sizes) ||
        !copy_numbers(&out->arena, dump, read.strides, &tensor->strides))
        return eti_fail_memory(in->err);
    find_bytes(in, dump, position, tensor);
    if (tensor->fault != ETI_RECORDED_SHAPE && !settle_strides(&out->arena, tensor))
        return eti_fail_memory(in->err);
    count_tensor(in);
    return ETI_OK;
}

/* Adds a copy of the previous tensor: a few bytes may name one tensor a million times. */
static eti_status repeat_tensor(const lister *in, uint32_t index) {
    eti_recorded *out = in->out;
    if (!ETI_GROW(out->tensors, out->capacity, out->n + 1))
        return eti_fail_memory(in->err);
    out->tensors[out->n] = out->tensors[out->n - 1];
    out->tensors[out->n].index = index;
    count_tensor(in);
    return ETI_OK;
}

/* Adds the tensors of a value, starting with the next index. */
static eti_status add_value(const lister *in, const eti_event *event, const eti_etdump *dump,
                            eti_position debug_event, uint32_t *index) {
    eti_etdump_value value =
        eti__etdump_read_value(dump, eti__etdump_debug_value(dump, debug_event));
    if (!value.has_content)
        return ETI_OK;
    if (value.type == ETI_ETDUMP_VALUE_TENSOR)
        return add_tensor(in, event, (*index)++, dump, value.tensor);
    if (value.type != ETI_ETDUMP_VALUE_TENSOR_LIST)
        return ETI_OK;
    eti_position before = 0; /* a position where no tensor can be */
    for (uint32_t i = 0; i < value.tensors.count; i++) {
        eti_position tensor = eti__flatbuf_vector_table(&dump->buffer, value.tensors, i);
        ETI_TRY(tensor == before ? repeat_tensor(in, (*index)++)
                                 : add_tensor(in, event, (*index)++, dump, tensor));
        before = tensor;
    }
    return ETI_OK;
}

static eti_status add_values(const lister *in, const eti_event *event, const uint32_t *events,
                             size_t n) {
    const eti_block_run *run = &in->block->runs[in->run];
    size_t first = in->out->n;
    uint32_t index = 0;
    for (size_t i = 0; i < n; i++)
        ETI_TRY(add_value(in, event, run->dump, eti__block_run_position(run, events[i]), &index));
    for (size_t i = first; i < in->out->n; i++)
        in->out->tensors[i].n_of_event = index;
    return ETI_OK;
}

/* ---- runs ------------------------------------------------------------------------------------- */

static int compare_logged(const void *a, const void *b, void *unused) {
    const logged *x = a, *y = b;
    (void)unused;
    if (x->of->events[0] != y->of->events[0])
        return x->of->events[0] < y->of->events[0] ? -1 : 1;
    if (x->event->is_operator_call != y->event->is_operator_call)
        return x->event->is_operator_call ? 1 : -1;
    return (x->event > y->event) - (x->event < y->event);
}

/* Everything that a run logged, in the order of the list. */
typedef struct run_log {
    logged *items;
    size_t n, capacity;
    const eti_event *
        *by_id; /* Events with a log, but not operator calls, in the order of their ids */
    size_t n_events;
    bool *is_listed;          /* per event of the run: an item contains it */
    uint32_t *rest;           /* debug events that are not in the layout */
    eti_debug_events *groups; /* groups of these */
} run_log;

/* Instruction and delegate id of an Event. */
typedef struct event_id {
    int32_t instruction, number;
    eti_delegate_id_kind kind;
    eti_text text;
} event_id;

static event_id id_of(const eti_event *event) {
    event_id id = {.instruction = event->instruction_id,
                   .number = event->delegate_id_int,
                   .kind = event->delegate_id_kind};
    if (id.kind == ETI_DELEGATE_ID_STRING)
        id.text = event->name;
    return id;
}

/* Returns the id of the Event that a debug event belongs to. */
static event_id id_of_read(const eti_etdump_key *key) {
    event_id id = {.instruction = key->instruction_id,
                   .number = key->delegate_id_int,
                   .kind = ETI_DELEGATE_ID_NONE};
    if (key->delegate_id_int != -1) {
        id.kind = ETI_DELEGATE_ID_INT;
    } else if (key->delegate_id_str.size > 0) {
        id.kind = ETI_DELEGATE_ID_STRING;
        id.text = key->delegate_id_str;
    }
    return id;
}

static int compare_ids(const event_id *x, const event_id *y) {
    if (x->instruction != y->instruction)
        return x->instruction < y->instruction ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return eti__text_compare(x->text, y->text);
}

static int compare_events(const void *a, const void *b, void *unused) {
    const eti_event *x = *(const eti_event *const *)a, *y = *(const eti_event *const *)b;
    const event_id x_id = id_of(x), y_id = id_of(y);
    int order = compare_ids(&x_id, &y_id);
    (void)unused;
    return order != 0 ? order : (x > y) - (x < y);
}

/* Returns the first Event with the id of a debug event, or NULL if there is none. */
static const eti_event *find_event(const run_log *log, const eti_etdump_key *key) {
    const event_id wanted = id_of_read(key);
    size_t low = 0, high = log->n_events;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const event_id id = id_of(log->by_id[middle]);
        if (compare_ids(&id, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == log->n_events)
        return NULL;
    const event_id found = id_of(log->by_id[low]);
    return compare_ids(&found, &wanted) == 0 ? log->by_id[low] : NULL;
}

static bool start_log(run_log *log, const lister *in, const eti_block_run *run) {
    size_t n_events = in->block->n_events, n_logged = run->events.count;
    *log = (run_log){
        .items = malloc((n_events + n_logged + 1) * sizeof *log->items),
        .by_id = malloc((n_events + 1) * sizeof *log->by_id),
        .is_listed = calloc(n_logged + 1, sizeof *log->is_listed),
        .rest = malloc((n_logged + 1) * sizeof *log->rest),
        .groups = malloc((n_logged + 1) * sizeof *log->groups),
    };
    return log->items && log->by_id && log->is_listed && log->rest && log->groups;
}

static void end_log(run_log *log) {
    free(log->items);
    free(log->by_id);
    free(log->is_listed);
    free(log->rest);
    free(log->groups);
}

static void list_layout(run_log *log, const lister *in, const eti_run_layout *layout) {
    const eti_event_block *block = in->block;
    for (size_t i = 0; layout->debug_events && i < block->n_events; i++) {
        const eti_debug_events *of = &layout->debug_events[i];
        if (of->n == 0)
            continue;
        log->items[log->n++] = (logged){&block->events[i], of};
        if (!block->events[i].is_operator_call)
            log->by_id[log->n_events++] = &block->events[i];
        if (log->is_listed[of->events[0]])
            continue; /* listed with another Event that shares it */
        for (size_t k = 0; k < of->n; k++)
            log->is_listed[of->events[k]] = true;
    }
    for (size_t i = 0; i < layout->n_outputs; i++)
        log->is_listed[layout->outputs[i]] = true;
    eti__sort(log->by_id, log->n_events, sizeof *log->by_id, compare_events, NULL);
}

/* Lists the debug events that are not in the layout. Of equal Events, for example in two chains, the Inspector keeps
 * the last; tensors of the others are listed with it. */
static void list_rest(run_log *log, const eti_block_run *run) {
    eti_etdump_event before = {.kind = ETI_ETDUMP_NOTHING};
    size_t n_rest = 0, n_groups = 0;
    for (uint32_t i = 0; i < run->events.count; i++) {
        eti_etdump_event read;
        if (log->is_listed[i])
            continue;
        eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, i));
        if (!read.has_debug_event || !read.debug_value || read.is_run_output)
            continue;
        const eti_event *event = find_event(log, &read.key);
        log->rest[n_rest] = i;
        bool goes_on = n_groups > 0 && log->rest[n_rest - 1] + 1 == i &&
                       eti__etdump_keys_equal(&before.key, &read.key);
        before = read;
        n_rest++;
        if (goes_on) {
            log->groups[n_groups - 1].n++;
            continue;
        }
        log->groups[n_groups] = (eti_debug_events){&log->rest[n_rest - 1], 1};
        if (event)
            log->items[log->n++] = (logged){event, &log->groups[n_groups]};
        n_groups++;
    }
}

static eti_status add_run(lister *in, size_t number) {
    const eti_block_run *run = &in->block->runs[number];
    const eti_run_layout *layout = run->layout;
    eti_status status = ETI_OK;
    run_log log;
    in->run = number;
    in->buffer = &in->out->buffers[in->out->n_buffers > 1 ? run->dump - in->inspector->dumps : 0];
    if (!start_log(&log, in, run)) {
        end_log(&log);
        return eti_fail_memory(in->err);
    }
    list_layout(&log, in, layout);
    list_rest(&log, run);
    eti__sort(log.items, log.n, sizeof *log.items, compare_logged, NULL);
    for (size_t i = 0; i < log.n && status == ETI_OK; i++) {
        const eti_debug_events *of = log.items[i].of;
        if (i == 0 || of->events[0] != log.items[i - 1].of->events[0])
            status = add_values(in, log.items[i].event, of->events, of->n);
    }
    end_log(&log);
    return status == ETI_OK ? add_values(in, NULL, layout->outputs, layout->n_outputs) : status;
}

static eti_status add_block(lister *in, const char *wanted, uint64_t number) {
    const eti_event_block *block = in->block;
    bool is_all = wanted && strcmp(wanted, "all") == 0;
    if (wanted && !is_all)
        return number < block->n_runs ? add_run(in, (size_t)number) : ETI_OK;
    const struct eti_file *of_before = NULL; /* set for ETDumps with debug buffers of their own */
    bool is_done = false;
    for (size_t i = 0; i < block->n_runs; i++) {
        const struct eti_file *of = block->runs[i].dump->debug_buffer;
        size_t n_before = in->out->n;
        if (is_done && !is_all && of == of_before)
            continue;
        ETI_TRY(add_run(in, i));
        is_done = in->out->n > n_before;
        of_before = of;
    }
    return ETI_OK;
}

static eti_status list_tensors(lister *in, const eti_view_options *options) {
    const eti_inspector *inspector = in->inspector;
    uint64_t number = 0;
    size_t n_runs = 0;
    const char *wanted = options->run;
    if (wanted && strcmp(wanted, "all") != 0 &&
        !eti__read_u64(eti__text_of(wanted), SIZE_MAX, &number))
        return eti_fail(in->err, ETI_ERROR_USAGE,
                        "%srun: expected a run number, counting from 0, or all, found '%s'",
                        eti__option_prefix(), wanted);
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        in->block = &inspector->blocks.blocks[b];
        if (!eti__block_is_chosen(options, in->block))
            continue;
        n_runs = in->block->n_runs > n_runs ? in->block->n_runs : n_runs;
        ETI_TRY(add_block(in, wanted, number));
    }
    if (number >= n_runs && number > 0)
        return eti_fail(in->err, ETI_ERROR_USAGE,
                        "%srun: there is no run %" PRIu64 ": the last one is run %zu",
                        eti__option_prefix(), number, n_runs > 0 ? n_runs - 1 : 0);
    return ETI_OK;
}

/* ---- statistics ------------------------------------------------------------------------------- */

typedef struct part {
    eti_recorded_tensor *tensor;
    uint64_t first, n;
    eti_tensor_statistics statistics;
} part;

typedef struct counting {
    part *parts;
    size_t n;
    size_t n_tasks;
} counting;

/* Counts parts of tensors; the tasks take parts alternately, because tensors differ in size. */
static void count_parts(void *context, size_t i) {
    const counting *in = context;
    for (size_t at = i; at < in->n; at += in->n_tasks) {
        part *p = &in->parts[at];
        eti__statistics_add(&p->statistics, &p->tensor->values, p->tensor->is_dense, p->first,
                            p->n);
    }
}

static size_t list_parts(const eti_recorded *recorded, part *parts) {
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++) {
        eti_recorded_tensor *tensor = &recorded->tensors[i];
        uint64_t n_elements = tensor->values.data ? tensor->values.n_elements : 0;
        for (uint64_t first = 0; first < n_elements; first += PART) {
            uint64_t left = n_elements - first;
            if (parts)
                parts[n] = (part){tensor, first, left < PART ? left : PART, {0}};
            n++;
        }
    }
    return n;
}

static eti_status check_bytes(const eti_recorded *recorded, eti_error *err) {
    for (size_t i = 0; i < recorded->n_buffers; i++) {
        const eti_recorded_buffer *buffer = &recorded->buffers[i];
        if (buffer->file && buffer->n_bytes > eti__tensors_most_read(buffer->file->size))
            return eti_fail(err, ETI_ERROR_LIMIT,
                            "%s: the recorded tensors overlap so much that all of them together "
                            "would take more than %d times the size of the debug buffer",
                            buffer->file->name, ETI_TENSORS_READ_RATIO);
    }
    return ETI_OK;
}

static eti_status count_all(eti_recorded *recorded, const eti_inspector *inspector,
                            eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < recorded->n_buffers; i++)
        n_bytes += recorded->buffers[i].n_bytes;
    counting in = {.n_tasks = 1};
    in.n = list_parts(recorded, NULL);
    in.parts = malloc((in.n + 1) * sizeof *in.parts);
    if (!in.parts)
        return eti_fail_memory(err);
    (void)list_parts(recorded, in.parts);
    if (n_bytes >= ETI_PARALLEL_BYTES)
        in.n_tasks = eti__thread_count(inspector->options.n_threads);
    eti__parallel(in.n_tasks, count_parts, &in);
    for (size_t i = 0; i < in.n; i++)
        eti__statistics_join(&in.parts[i].tensor->statistics, &in.parts[i].statistics);
    free(in.parts);
    return ETI_OK;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Fails if more than half of the tensors of a debug buffer, which is that of `dump`, lie outside of it. */
static eti_status check_foreign(const eti_recorded_buffer *buffer, const eti_etdump *dump,
                                eti_error *err) {
    if (!recorded_is_foreign(buffer))
        return ETI_OK;
    return eti_fail(
        err, ETI_ERROR_DATA,
        "%s: does not belong to this ETDump: %zu of the %zu tensors of %s lie beyond its end at "
        "byte %zu; give the complete debug buffer written with the ETDump (%sdebug_buffer_path)",
        buffer->file->name, buffer->n_outside, buffer->n_with_bytes, dump->file_name,
        buffer->file->size, eti__option_prefix());
}

static eti_status check_buffers(const eti_recorded *recorded, const eti_inspector *inspector,
                                eti_error *err) {
    const char *dump = inspector->n_dumps > 0 ? inspector->dumps[0].file_name : "";
    if (recorded->n_with_bytes == 0)
        return ETI_OK;
    if (!inspector->has_debug_buffer)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s: the ETDump does not contain the recorded values: give the debug "
                        "buffer written with it (%sdebug_buffer_path)",
                        dump, eti__option_prefix());
    for (size_t i = 0; i < recorded->n_buffers; i++)
        ETI_TRY(check_foreign(&recorded->buffers[i], &inspector->dumps[i], err));
    return ETI_OK;
}

/* Lists the debug buffers of the ETDumps, or the one for all of them. */
static eti_status list_buffers(eti_recorded *out, const eti_inspector *inspector, eti_error *err) {
    size_t n = inspector->n_more_debug_buffers + 1;
    out->buffers = eti__arena_alloc(&out->arena, n, sizeof *out->buffers);
    if (!out->buffers)
        return eti_fail_memory(err);
    out->n_buffers = n;
    out->buffers[0] = (eti_recorded_buffer){
        .file = inspector->has_debug_buffer ? &inspector->debug_buffer_file : NULL};
    for (size_t i = 1; i < n; i++)
        out->buffers[i] = (eti_recorded_buffer){.file = &inspector->more_debug_buffers[i - 1]};
    return ETI_OK;
}

eti_status eti__recorded_find(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    *out = (eti_recorded){.n = 0};
    lister in = {.out = out, .inspector = inspector, .err = err};
    ETI_TRY(list_buffers(out, inspector, err));
    ETI_TRY(list_tensors(&in, options));
    for (size_t i = 0; i < out->n_buffers; i++) {
        out->n_with_bytes += out->buffers[i].n_with_bytes;
        out->n_outside += out->buffers[i].n_outside;
    }
    return ETI_OK;
}

/* Checks the debug buffers by the tensors of all runs, because those of a few runs may lie in any file. */
static eti_status check_by_all_runs(const eti_recorded *listed, const eti_inspector *inspector,
                                    eti_error *err) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_recorded all;
    options.run = "all";
    if (!inspector->has_debug_buffer)
        return check_buffers(listed, inspector, err);
    eti_status status = eti__recorded_find(&all, inspector, &options, err);
    if (status == ETI_OK)
        status = check_buffers(&all, inspector, err);
    eti__recorded_free(&all);
    return status;
}

eti_status eti__recorded_list(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    ETI_TRY(eti__recorded_find(out, inspector, options, err));
    ETI_TRY(check_by_all_runs(out, inspector, err));
    return check_bytes(out, err);
}

eti_status eti__recorded_read(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    ETI_TRY(eti__recorded_list(out, inspector, options, err));
    return count_all(out, inspector, err);
}

void eti__recorded_free(eti_recorded *recorded) {
    eti__arena_free(&recorded->arena);
    free(recorded->tensors);
    *recorded = (eti_recorded){.n = 0};
}

/* ==== recorded notes ========================================================================== */

static eti_status note_outside(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                               eti_error *err) {
    eti_buffer text = {0};
    if (buffer->n_outside == 0)
        return ETI_OK;
    eti__buffer_printf(&text, "%s: %zu of %zu recorded tensors lie beyond its end at byte %zu: ",
                       buffer->file->name, buffer->n_outside, buffer->n_with_bytes,
                       buffer->file->size);
    if (recorded_is_foreign(buffer))
        eti__buffer_add_string(
            &text, "it does not belong to this ETDump: give the debug buffer written with it");
    else
        eti__buffer_add_string(
            &text,
            "it was cut short, or does not belong to this ETDump: copy it from the device again");
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
}

/* ---- bytes between tensors -------------------------------------------------------------------- */

/* Wider gaps are not padding; other data was stored there. */
#define MOST_PADDING 63

/* Bytes of a tensor in a debug buffer. */
typedef struct stored {
    size_t buffer, start, end;
} stored;

typedef struct gaps {
    size_t n, n_used;
} gaps;

static int compare_stored(const void *a, const void *b, void *unused) {
    const stored *x = a, *y = b;
    (void)unused;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_zero(const uint8_t *data, size_t start, size_t end) {
    while (start < end && data[start] == 0)
        start++;
    return start == end;
}

/* Lists the bytes of the tensors in all debug buffers, in order; returns their number. */
static size_t list_stored(stored *out, const eti_recorded *recorded) {
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[i];
        if (tensor->fault != ETI_RECORDED_FINE || !tensor->values.data)
            continue;
        size_t start = (size_t)(tensor->values.data - recorded->buffers[tensor->buffer].file->data);
        out[n++] = (stored){tensor->buffer, start,
                            start + (size_t)eti__tensor_values_size(&tensor->values)};
    }
    eti__sort(out, n, sizeof *out, compare_stored, NULL);
    return n;
}

/* Counts the gaps between tensors per debug buffer, and those that are not all zeros. */
static eti_status count_gaps(gaps *out, const eti_recorded *recorded, eti_error *err) {
    stored *all = malloc((recorded->n + 1) * sizeof *all);
    if (!all)
        return eti_fail_memory(err);
    size_t n = list_stored(all, recorded);
    for (size_t i = 1; i < n; i++) {
        size_t of = all[i].buffer, from = all[i - 1].end, to = all[i].start;
        if (all[i - 1].buffer != of || to <= from || to - from > MOST_PADDING)
            continue;
        out[of].n++;
        out[of].n_used += !is_zero(recorded->buffers[of].file->data, from, to);
    }
    free(all);
    return ETI_OK;
}

/* Adds a note if most padding bytes are not zeros. A writer fills the bytes before a tensor with zeros, up to its
 * alignment; other bytes show that the described tensors are not the stored ones. */
static eti_status note_padding(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                               const gaps *between, eti_error *err) {
    eti_buffer text = {0};
    if (!recorded_is_foreign(buffer) && between->n_used > between->n / 2)
        eti__buffer_printf(
            &text,
            "%s: %zu of %zu gaps between recorded tensors are not zero, but the runtime writes "
            "zeros there: it does not belong to this ETDump; give the debug buffer written with it",
            buffer->file->name, between->n_used, between->n);
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
}

/* ---- all -------------------------------------------------------------------------------------- */

static eti_status note_empty(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                             eti_error *err) {
    eti_buffer text = {0};
    if (buffer->n == 0)
        eti__buffer_printf(&text,
                           "%s: a debug buffer, but it contains no tensors: turn on logging of "
                           "intermediate outputs, or of program outputs",
                           buffer->file->name);
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

static eti_status note_types(eti_inspector *inspector, const eti_recorded *recorded,
                             eti_error *err) {
    eti_buffer text = {0};
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++)
        n += recorded->tensors[i].fault == ETI_RECORDED_TYPE;
    if (n > 0)
        eti__buffer_printf(&text, "%zu recorded tensor%s of a type whose elements cannot be read",
                           n, n == 1 ? " is" : "s are");
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

static eti_status note_buffers(eti_inspector *inspector, const eti_recorded *recorded,
                               const gaps *between, eti_error *err) {
    size_t n = recorded->n_with_bytes;
    eti_buffer text = {0};
    if (n > 0 && recorded->n_outside == 0)
        eti__buffer_printf(&text, "%zu recorded tensor%s in the debug buffer%s", n,
                           n == 1 ? " lies" : "s lie", recorded->n_buffers == 1 ? "" : "s");
    ETI_TRY(eti__notes_add(inspector, ETI_NOTE_INFO, &text, err));
    for (size_t i = 0; i < recorded->n_buffers; i++) {
        const eti_recorded_buffer *buffer = &recorded->buffers[i];
        ETI_TRY(note_empty(inspector, buffer, err));
        ETI_TRY(note_outside(inspector, buffer, err));
        ETI_TRY(note_padding(inspector, buffer, &between[i], err));
    }
    return note_types(inspector, recorded, err);
}

static eti_status note_all(eti_inspector *inspector, const eti_recorded *recorded, eti_error *err) {
    gaps *between = calloc(recorded->n_buffers + 1, sizeof *between);
    if (!between)
        return eti_fail_memory(err);
    eti_status status = count_gaps(between, recorded, err);
    if (status == ETI_OK)
        status = note_buffers(inspector, recorded, between, err);
    free(between);
    return status;
}

eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_recorded recorded = {.n = 0};
    options.run = "all";
    if (!inspector->has_debug_buffer)
        return ETI_OK;
    eti_status status = eti__recorded_find(&recorded, inspector, &options, err);
    if (status == ETI_OK)
        status = note_all(inspector, &recorded, err);
    eti__recorded_free(&recorded);
    return status;
}
