#include "model/debug_data.h"

#include "base/text.h"
#include "model/tensor.h"

#include <math.h>

/* What all functions here need. */
typedef struct eti_inflater {
    eti_arena *arena;
    const struct eti_file *debug_buffer;
    eti_error *err;
} eti_inflater;

/* A recorded value where it lies. */
typedef struct eti_value_place {
    const eti_etdump *dump;
    eti_position event; /* a debug event */
} eti_value_place;

static const eti_value_kind kind_of_type[] = {
    [ETI_ETDUMP_VALUE_NULL] = ETI_VALUE_NONE,
    [ETI_ETDUMP_VALUE_INT] = ETI_VALUE_INT,
    [ETI_ETDUMP_VALUE_BOOL] = ETI_VALUE_BOOL,
    [ETI_ETDUMP_VALUE_FLOAT] = ETI_VALUE_FLOAT,
    [ETI_ETDUMP_VALUE_DOUBLE] = ETI_VALUE_DOUBLE,
    [ETI_ETDUMP_VALUE_TENSOR] = ETI_VALUE_TENSOR,
    [ETI_ETDUMP_VALUE_TENSOR_LIST] = ETI_VALUE_TENSOR_LIST,
    [ETI_ETDUMP_VALUE_STRING] = ETI_VALUE_NONE, /* the format has no place for its text */
};

static const char *const type_names[] = {
    [ETI_VALUE_INT] = "Int",       [ETI_VALUE_BOOL] = "Bool",
    [ETI_VALUE_FLOAT] = "Float",   [ETI_VALUE_DOUBLE] = "Double",
    [ETI_VALUE_TENSOR] = "Tensor", [ETI_VALUE_TENSOR_LIST] = "TensorList",
};

static eti_status read_value(const eti_inflater *inflater, eti_value_place place,
                             eti_etdump_value *out, eti_value_kind *kind) {
    eti_etdump_event event = eti_etdump_read_event(place.dump, place.event);
    *out = eti_etdump_read_value(place.dump, event.debug_value);
    *kind = ETI_VALUE_NONE;
    if (out->type < 0 || out->type > ETI_ETDUMP_VALUE_STRING)
        return eti_fail(inflater->err, ETI_ERROR_MALFORMED, "a debug value has the unknown type %d",
                        out->type);
    *kind = kind_of_type[out->type];
    if (*kind != ETI_VALUE_NONE && !out->has_content)
        return eti_fail(inflater->err, ETI_ERROR_MALFORMED,
                        "a debug event has no %s value, though it says so", type_names[*kind]);
    return ETI_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static eti_status tensors_match(const eti_inflater *inflater, const eti_etdump *dump_a,
                                eti_position a, const eti_etdump *dump_b, eti_position b,
                                bool *match) {
    eti_tensor_view view_a, view_b;
    ETI_TRY(eti_tensor_read(&view_a, dump_a, a, inflater->debug_buffer, inflater->err));
    ETI_TRY(eti_tensor_read(&view_b, dump_b, b, inflater->debug_buffer, inflater->err));
    *match = eti_tensors_equal(&view_a, &view_b);
    return ETI_OK;
}

/* Lists match when they do up to the length of the shorter one. */
static eti_status lists_match(const eti_inflater *inflater, const eti_etdump *dump_a, eti_vector a,
                              const eti_etdump *dump_b, eti_vector b, bool *match) {
    *match = true;
    for (uint32_t i = 0; *match && i < a.count && i < b.count; i++)
        ETI_TRY(tensors_match(inflater, dump_a, eti_flatbuf_vector_table(&dump_a->buffer, a, i),
                              dump_b, eti_flatbuf_vector_table(&dump_b->buffer, b, i), match));
    return ETI_OK;
}

static double as_number(const eti_etdump_value *value, eti_value_kind kind) {
    if (kind == ETI_VALUE_INT)
        return (double)value->as_int;
    return kind == ETI_VALUE_BOOL ? (double)value->as_bool : value->as_double;
}

/* As in Python, 1 == 1.0 == True. NaN matches NaN. */
static bool scalars_match(const eti_etdump_value *a, eti_value_kind kind_a,
                          const eti_etdump_value *b, eti_value_kind kind_b) {
    if (kind_a == ETI_VALUE_INT && kind_b == ETI_VALUE_INT)
        return a->as_int == b->as_int;
    double x = as_number(a, kind_a), y = as_number(b, kind_b);
    return x == y || (isnan(x) && isnan(y));
}

static bool is_scalar(eti_value_kind kind) {
    return kind >= ETI_VALUE_INT && kind <= ETI_VALUE_DOUBLE;
}

static eti_status values_match(const eti_inflater *inflater, eti_value_place place_a,
                               eti_value_place place_b, bool *match) {
    eti_etdump_value a, b;
    eti_value_kind kind_a, kind_b;
    ETI_TRY(read_value(inflater, place_a, &a, &kind_a));
    ETI_TRY(read_value(inflater, place_b, &b, &kind_b));
    *match = false;
    if (is_scalar(kind_a) && is_scalar(kind_b))
        *match = scalars_match(&a, kind_a, &b, kind_b);
    else if (kind_a == kind_b && kind_a == ETI_VALUE_TENSOR)
        return tensors_match(inflater, place_a.dump, a.tensor, place_b.dump, b.tensor, match);
    else if (kind_a == kind_b && kind_a == ETI_VALUE_TENSOR_LIST)
        return lists_match(inflater, place_a.dump, a.tensors, place_b.dump, b.tensors, match);
    else
        *match = kind_a == kind_b;
    return ETI_OK;
}

/* ---- making values --------------------------------------------------------------------------- */

static eti_status make_tensor(const eti_inflater *inflater, const eti_etdump *dump,
                              eti_position position, eti_tensor *out) {
    eti_tensor_view view;
    ETI_TRY(eti_tensor_read(&view, dump, position, inflater->debug_buffer, inflater->err));
    size_t n_dims = view.tensor.sizes.count;
    int64_t *sizes = eti_arena_alloc(inflater->arena, n_dims, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(inflater->err);
    for (size_t i = 0; i < n_dims; i++)
        sizes[i] = eti_flatbuf_vector_i64(&dump->buffer, view.tensor.sizes, (uint32_t)i);
    *out = (eti_tensor){
        .scalar_type = view.tensor.scalar_type,
        .dtype = eti_scalar_type_name(view.tensor.scalar_type),
        .sizes = sizes,
        .n_dims = n_dims,
        .offset = view.tensor.offset,
        .data = view.data,
        .n_bytes = view.n_bytes,
    };
    return ETI_OK;
}

static eti_status make_value(const eti_inflater *inflater, eti_value_place place, eti_value *out) {
    eti_etdump_value value;
    eti_value_kind kind;
    ETI_TRY(read_value(inflater, place, &value, &kind));
    *out = (eti_value){
        .kind = kind,
        .as_int = value.as_int,
        .as_bool = value.as_bool,
        .as_double = value.as_double,
        .n_tensors = kind == ETI_VALUE_TENSOR ? 1 : value.tensors.count,
    };
    if (out->n_tensors == 0)
        return ETI_OK;
    eti_tensor *tensors = eti_arena_alloc(inflater->arena, out->n_tensors, sizeof *tensors);
    if (!tensors)
        return eti_fail_memory(inflater->err);
    for (size_t i = 0; i < out->n_tensors; i++) {
        eti_position tensor =
            kind == ETI_VALUE_TENSOR
                ? value.tensor
                : eti_flatbuf_vector_table(&place.dump->buffer, value.tensors, (uint32_t)i);
        ETI_TRY(make_tensor(inflater, place.dump, tensor, &tensors[i]));
    }
    out->tensors = tensors;
    return ETI_OK;
}

static eti_status make_values(const eti_inflater *inflater, const eti_etdump *dump,
                              const eti_position *events, size_t n, eti_value **out) {
    *out = eti_arena_alloc(inflater->arena, n, sizeof **out);
    if (!*out)
        return eti_fail_memory(inflater->err);
    for (size_t i = 0; i < n; i++)
        ETI_TRY(make_value(inflater, (eti_value_place){dump, events[i]}, &(*out)[i]));
    return ETI_OK;
}

/* ---- events and runs ------------------------------------------------------------------------- */

static eti_status check_later_run(const eti_inflater *inflater, const eti_block_run *first,
                                  const eti_block_run *later, size_t event) {
    const eti_debug_events *a = &first->debug_events[event];
    const eti_debug_events *b = &later->debug_events[event];
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        bool match = false;
        ETI_TRY(values_match(inflater, (eti_value_place){first->dump, a->events[i]},
                             (eti_value_place){later->dump, b->events[i]}, &match));
        if (!match)
            return eti_fail(
                inflater->err, ETI_ERROR_DATA,
                "debug data: run %u recorded other debug values than run %u: runs of the same "
                "name and events must have the same inputs to be inspected together",
                later->index, first->index);
    }
    return ETI_OK;
}

/* The first run with values gives them; the others are only compared. */
static eti_status fill_event(const eti_inflater *inflater, eti_event_block *block, size_t number) {
    eti_event *event = &block->events[number];
    const eti_block_run *first = NULL;
    for (size_t i = 0; i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        if (!run->debug_events || run->debug_events[number].n == 0)
            continue;
        if (first) {
            ETI_TRY(check_later_run(inflater, first, run, number));
            continue;
        }
        first = run;
        event->n_debug_data = run->debug_events[number].n;
        ETI_TRY(make_values(inflater, run->dump, run->debug_events[number].events,
                            event->n_debug_data, &event->debug_data));
    }
    return ETI_OK;
}

/* Stricter than values_match(): lists are as long, and a later value has the type of the first, or
 * one that Python derives it from (a bool is an int). */
static eti_status outputs_match(const eti_inflater *inflater, eti_value_place first,
                                eti_value_place later, bool *match) {
    eti_etdump_value a, b;
    eti_value_kind kind_a, kind_b;
    ETI_TRY(read_value(inflater, first, &a, &kind_a));
    ETI_TRY(read_value(inflater, later, &b, &kind_b));
    bool are_floats = (kind_a == ETI_VALUE_FLOAT || kind_a == ETI_VALUE_DOUBLE) &&
                      (kind_b == ETI_VALUE_FLOAT || kind_b == ETI_VALUE_DOUBLE);
    bool is_bool_as_int = kind_a == ETI_VALUE_BOOL && kind_b == ETI_VALUE_INT;
    *match = false;
    if ((kind_a != kind_b && !are_floats && !is_bool_as_int) || a.tensors.count != b.tensors.count)
        return ETI_OK;
    return values_match(inflater, first, later, match);
}

static eti_status check_later_outputs(const eti_inflater *inflater, const eti_block_run *first,
                                      const eti_block_run *later) {
    if (first->n_outputs != later->n_outputs)
        return eti_fail(inflater->err, ETI_ERROR_DATA,
                        "run outputs: run %u has %zu outputs, run %u of the same name and events "
                        "has %zu",
                        first->index, first->n_outputs, later->index, later->n_outputs);
    for (size_t i = 0; i < first->n_outputs; i++) {
        bool match = false;
        ETI_TRY(outputs_match(inflater, (eti_value_place){first->dump, first->outputs[i]},
                              (eti_value_place){later->dump, later->outputs[i]}, &match));
        if (!match)
            return eti_fail(inflater->err, ETI_ERROR_DATA,
                            "run outputs: output %zu of run %u differs from that of run %u: runs "
                            "of the same name and events must have the same inputs to be "
                            "inspected together",
                            i, later->index, first->index);
    }
    return ETI_OK;
}

static eti_status fill_run_outputs(const eti_inflater *inflater, eti_event_block *block) {
    const eti_block_run *first = NULL;
    for (size_t i = 0; i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        if (first) {
            ETI_TRY(check_later_outputs(inflater, first, run));
        } else if (run->n_outputs > 0) {
            first = run;
            block->n_run_outputs = run->n_outputs;
            ETI_TRY(make_values(inflater, run->dump, run->outputs, run->n_outputs,
                                &block->run_outputs));
        }
    }
    return ETI_OK;
}

static bool has_debug_events(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_runs; i++) {
        if (block->runs[i].debug_events)
            return true;
    }
    return false;
}

eti_status eti_debug_data_fill(eti_event_block *block, eti_arena *arena,
                               const struct eti_file *debug_buffer, eti_error *err) {
    eti_inflater inflater = {arena, debug_buffer, err};
    eti_status status = fill_run_outputs(&inflater, block);
    bool needed = status == ETI_OK && has_debug_events(block);
    for (size_t i = 0; needed && status == ETI_OK && i < block->n_events; i++)
        status = fill_event(&inflater, block, i);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti_error_prefix(err, "%s: block %.*s", block->runs[0].dump->file_name,
                         ETI_TEXT_ARGS(block->name));
    return status;
}
