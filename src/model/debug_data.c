#include "model/parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== tensor ================================================================================== */

/* The offset of a tensor whose contents were not recorded. */
enum { NO_CONTENTS = -1 };

static eti_status count_elements(eti_tensor_view *view, eti_error *err) {
    const eti_etdump_tensor *tensor = &view->tensor;
    if (!tensor->has_sizes)
        return eti_fail(err, ETI_ERROR_MALFORMED, "Tensor.sizes is missing");
    bool empty = false;
    uint64_t product = 1;
    for (uint32_t i = 0; i < tensor->sizes.count; i++) {
        int64_t size = eti__flatbuf_vector_i64(&view->dump->buffer, tensor->sizes, i);
        if (size < 0)
            return eti_fail(err, ETI_ERROR_MALFORMED, "a tensor has size %" PRId64, size);
        empty = empty || size == 0;
        if (size > 0 && product > INT64_MAX / 16 / (uint64_t)size)
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "the product of the sizes of a tensor exceeds 64 bits");
        product *= size > 0 ? (uint64_t)size : 1;
    }
    view->n_elements = empty ? 0 : product;
    return ETI_OK;
}

/* Finds the bytes of a tensor. The offset works like the start of a Python slice: a negative one counts from the end. */
static eti_status find_bytes(eti_tensor_view *view, const struct eti_file *buffer, uint64_t n_bytes,
                             eti_error *err) {
    int64_t offset = view->tensor.offset;
    uint64_t size = buffer->size;
    uint64_t start = (uint64_t)offset;
    if (offset == NO_CONTENTS)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the %" PRIu64 " bytes of a tensor were not recorded (its offset is -1), "
                        "because the debug buffer was full",
                        n_bytes);
    if (offset < 0) {
        uint64_t back = 0 - (uint64_t)offset;
        start = back > size ? UINT64_MAX : size - back;
    }
    if (start > size || n_bytes > size - start)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "a tensor's %" PRIu64 " bytes at offset %" PRId64
                        " lie outside the debug buffer %s of %zu bytes (is it the one that was "
                        "written with this ETDump?)",
                        n_bytes, offset, buffer->name, buffer->size);
    view->data = buffer->data + start;
    view->n_bytes = (size_t)n_bytes;
    return ETI_OK;
}

bool eti__tensor_is_recorded(const eti_etdump *dump, eti_position tensor) {
    return eti__etdump_read_tensor(dump, tensor).offset != NO_CONTENTS;
}

eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) {
    *out = (eti_tensor_view){.dump = dump, .tensor = eti__etdump_read_tensor(dump, tensor)};
    ETI_TRY(count_elements(out, err));
    uint64_t n_bytes = out->n_elements * eti__scalar_type(out->tensor.scalar_type)->width;
    if (!debug_buffer || n_bytes == 0)
        return ETI_OK;
    return find_bytes(out, dump->debug_buffer ? dump->debug_buffer : debug_buffer, n_bytes, err);
}

static bool shapes_equal(const eti_tensor_view *a, const eti_tensor_view *b) {
    if (a->tensor.sizes.count != b->tensor.sizes.count)
        return false;
    for (uint32_t i = 0; i < a->tensor.sizes.count; i++) {
        if (eti__flatbuf_vector_i64(&a->dump->buffer, a->tensor.sizes, i) !=
            eti__flatbuf_vector_i64(&b->dump->buffer, b->tensor.sizes, i))
            return false;
    }
    return true;
}

/* Loads up to eight bytes, lowest first. */
static uint64_t load_word(const uint8_t *bytes, size_t n) {
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Returns whether floats with different bits are equal, which only zeros of either sign are. `low` has the lowest bit of
 * each element in the word. */
static bool floats_equal(uint64_t a, uint64_t b, uint64_t low, size_t width) {
    uint64_t signs = low << (8 * width - 1);
    uint64_t magnitudes = a & ~signs;
    uint64_t not_zero =
        (magnitudes + (signs - low)) & signs; /* no carry reaches the next element */
    return ((a ^ b) & ~signs) == 0 && ((a ^ b) & not_zero) == 0;
}

/* Sets the highest bit of each byte that is not zero. */
static uint64_t truths(uint64_t word) {
    const uint64_t rest = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return (((word & rest) + rest) | word) & ~rest;
}

/* Returns whether elements with different bits are equal: zeros of either sign, or two representations of true. Compares
 * words of eight bytes, because all elements may be such. */
static bool elements_equal(const uint8_t *a, const uint8_t *b, size_t n_bytes,
                           const eti_scalar_type *type) {
    static const uint64_t lowest_bits[] = {
        [1] = UINT64_C(0x0101010101010101),
        [2] = UINT64_C(0x0001000100010001),
        [4] = UINT64_C(0x0000000100000001),
        [8] = 1,
    };
    bool is_bool = type->kind == ETI_ELEMENT_TRUTH;
    if (!is_bool && !type->is_float)
        return false;
    for (size_t at = 0; at < n_bytes; at += 8) {
        size_t n = n_bytes - at < 8 ? n_bytes - at : 8;
        uint64_t x = load_word(a + at, n), y = load_word(b + at, n);
        if (is_bool ? truths(x) != truths(y)
                    : !floats_equal(x, y, lowest_bits[type->width], type->width))
            return false;
    }
    return true;
}

bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b) {
    if (a->tensor.scalar_type != b->tensor.scalar_type || !shapes_equal(a, b))
        return false;
    if (!a->data || !b->data || a->data == b->data || memcmp(a->data, b->data, a->n_bytes) == 0)
        return true;
    return elements_equal(a->data, b->data, a->n_bytes, eti__scalar_type(a->tensor.scalar_type));
}

/* ==== debug data ============================================================================== */

/* Arrays of debug events of an event in the block's first run and in another run. */
typedef struct eti_twin {
    const uint32_t *in_first, *in_later;
    uint32_t event; /* the first event that has both */
} eti_twin;

/* For each event, the first event of the block with the same arrays of debug events both in the block's first run and in
 * runs with this layout; the event itself if no earlier one has them. Most runs share a layout. */
typedef struct eti_twins {
    const eti_run_layout *layout;
    uint32_t *of_events;
    size_t capacity;
    ETI_INTERN_OF(eti_twin) pairs;
} eti_twins;

/* Data that all functions here use. */
typedef struct eti_inflater {
    eti_arena *arena;
    const struct eti_file *debug_buffer;
    eti_text block_name;
    eti_twins *twins;
    eti_debug_totals *totals;
    eti_error *err;
} eti_inflater;

/* The place of a recorded value. */
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
    [ETI_ETDUMP_VALUE_STRING] = ETI_VALUE_NONE, /* the format has no field for its text */
};

static const char *const type_names[] = {
    [ETI_VALUE_INT] = "Int",       [ETI_VALUE_BOOL] = "Bool",
    [ETI_VALUE_FLOAT] = "Float",   [ETI_VALUE_DOUBLE] = "Double",
    [ETI_VALUE_TENSOR] = "Tensor", [ETI_VALUE_TENSOR_LIST] = "TensorList",
};

static eti_status read_value(const eti_inflater *inflater, eti_value_place place,
                             eti_etdump_value *out, eti_value_kind *kind) {
    *out = eti__etdump_read_value(place.dump, eti__etdump_debug_value(place.dump, place.event));
    *kind = ETI_VALUE_NONE;
    if (out->type < 0 || out->type > ETI_ETDUMP_VALUE_STRING)
        return eti_fail(inflater->err, ETI_ERROR_MALFORMED, "a debug value has the unknown type %d",
                        out->type);
    *kind = kind_of_type[out->type];
    if (*kind != ETI_VALUE_NONE && !out->has_content)
        return eti_fail(inflater->err, ETI_ERROR_MALFORMED,
                        "a debug event says that it has a %s value, but has none",
                        type_names[*kind]);
    return ETI_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static eti_status count_compared(const eti_inflater *inflater, size_t n_bytes) {
    uint64_t allowed =
        eti__tensors_most_read(inflater->debug_buffer->size + inflater->totals->n_more_bytes);
    if (n_bytes > allowed - inflater->totals->n_compared)
        return eti_fail(inflater->err, ETI_ERROR_LIMIT,
                        "the recorded tensors overlap so much that comparing them would read more "
                        "than %d times the size of the debug buffer",
                        ETI_TENSORS_READ_RATIO);
    inflater->totals->n_compared += n_bytes;
    return ETI_OK;
}

/* Reads a tensor; its contents are missing if the writer had no room for them. */
static eti_status read_tensor(const eti_inflater *inflater, eti_tensor_view *out,
                              const eti_etdump *dump, eti_position position) {
    bool is_recorded = eti__tensor_is_recorded(dump, position);
    return eti__tensor_read(out, dump, position, is_recorded ? inflater->debug_buffer : NULL,
                            inflater->err);
}

static eti_status tensors_match(const eti_inflater *inflater, const eti_etdump *dump_a,
                                eti_position a, const eti_etdump *dump_b, eti_position b,
                                bool *match) {
    eti_tensor_view view_a, view_b;
    ETI_TRY(read_tensor(inflater, &view_a, dump_a, a));
    ETI_TRY(read_tensor(inflater, &view_b, dump_b, b));
    if (view_a.data && view_b.data && view_a.data != view_b.data)
        ETI_TRY(count_compared(inflater, view_a.n_bytes));
    *match = eti__tensors_equal(&view_a, &view_b);
    return ETI_OK;
}

/* Compares lists up to the length of the shorter one. */
static eti_status lists_match(const eti_inflater *inflater, const eti_etdump *dump_a, eti_vector a,
                              const eti_etdump *dump_b, eti_vector b, bool *match) {
    *match = true;
    for (uint32_t i = 0; *match && i < a.count && i < b.count; i++)
        ETI_TRY(tensors_match(inflater, dump_a, eti__flatbuf_vector_table(&dump_a->buffer, a, i),
                              dump_b, eti__flatbuf_vector_table(&dump_b->buffer, b, i), match));
    return ETI_OK;
}

static double as_number(const eti_etdump_value *value, eti_value_kind kind) {
    if (kind == ETI_VALUE_INT)
        return (double)value->as_int;
    return kind == ETI_VALUE_BOOL ? (double)value->as_bool : value->as_double;
}

/* Compares as Python does: 1 == 1.0 == True. NaN equals NaN. */
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

static eti_value_place place_in(const eti_block_run *run, uint32_t event) {
    return (eti_value_place){run->dump, eti__block_run_position(run, event)};
}

/* ---- making values --------------------------------------------------------------------------- */

static eti_contents contents_of(const eti_tensor_view *view, bool is_recorded) {
    if (view->n_elements == 0 || eti__scalar_type(view->tensor.scalar_type)->width == 0)
        return ETI_CONTENTS_NONE;
    return is_recorded ? ETI_CONTENTS_IN_BUFFER : ETI_CONTENTS_NOT_RECORDED;
}

static eti_status make_tensor(const eti_inflater *inflater, const eti_etdump *dump,
                              eti_position position, eti_tensor *out, eti_contents *contents) {
    eti_tensor_view view;
    ETI_TRY(read_tensor(inflater, &view, dump, position));
    *contents = contents_of(&view, eti__tensor_is_recorded(dump, position));
    size_t n_dims = view.tensor.sizes.count;
    int64_t *sizes = eti__arena_alloc(inflater->arena, n_dims, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(inflater->err);
    for (size_t i = 0; i < n_dims; i++)
        sizes[i] = eti__flatbuf_vector_i64(&dump->buffer, view.tensor.sizes, (uint32_t)i);
    int64_t *strides = NULL;
    if (n_dims > 0 && view.tensor.strides.count == n_dims) {
        strides = eti__arena_alloc(inflater->arena, n_dims, sizeof *strides);
        if (!strides)
            return eti_fail_memory(inflater->err);
        for (size_t i = 0; i < n_dims; i++)
            strides[i] = eti__flatbuf_vector_i64(&dump->buffer, view.tensor.strides, (uint32_t)i);
    }
    *out = (eti_tensor){
        .scalar_type = view.tensor.scalar_type,
        .dtype = eti__scalar_type(view.tensor.scalar_type)->name,
        .sizes = sizes,
        .n_dims = n_dims,
        .offset = view.tensor.offset,
        .data = view.data,
        .n_bytes = view.n_bytes,
        .strides = strides,
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
    eti_tensor *tensors = eti__arena_alloc(inflater->arena, out->n_tensors, sizeof *tensors);
    if (!tensors)
        return eti_fail_memory(inflater->err);
    eti_position before = 0; /* no tensor can be at position 0 */
    eti_contents contents = ETI_CONTENTS_NONE;
    for (size_t i = 0; i < out->n_tensors; i++) {
        eti_position tensor =
            kind == ETI_VALUE_TENSOR
                ? value.tensor
                : eti__flatbuf_vector_table(&place.dump->buffer, value.tensors, (uint32_t)i);
        if (tensor == before) /* a few bytes may refer to the same tensor a million times */
            tensors[i] = tensors[i - 1];
        else
            ETI_TRY(make_tensor(inflater, place.dump, tensor, &tensors[i], &contents));
        inflater->totals->n_tensors[contents]++;
        before = tensor;
    }
    out->tensors = tensors;
    return ETI_OK;
}

static eti_status make_values(const eti_inflater *inflater, const eti_block_run *run,
                              const uint32_t *events, size_t n, const eti_value **out) {
    eti_value *values = eti__arena_alloc(inflater->arena, n, sizeof *values);
    if (!values)
        return eti_fail_memory(inflater->err);
    for (size_t i = 0; i < n; i++)
        ETI_TRY(make_value(inflater, place_in(run, events[i]), &values[i]));
    *out = values;
    return ETI_OK;
}

#define SAME_INPUTS                                                                                \
    "runs of the same name and events must have the same inputs to be inspected together; "        \
    "etinspect --no_debug_data ignores their tensors"

/* The end of "run 0 of first.etdp": names the file of a run, unless the message starts with it. */
#define OF_FILE "%s%s"
#define OF_FILE_ARGS(run, named)                                                                   \
    (run)->dump == (named)->dump ? "" : " of ",                                                    \
        (run)->dump == (named)->dump ? "" : (run)->dump->file_name

/* Adds the place of a fault found while `run` was compared with the first run, which was read before and so cannot be the
 * faulty one. */
static eti_status in_run(const eti_inflater *inflater, const eti_block_run *run,
                         eti_status status) {
    if (status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT)
        eti__error_prefix(inflater->err, "%s: run %u: block %.*s", run->dump->file_name, run->index,
                          ETI_TEXT_ARGS(inflater->block_name));
    else if (status == ETI_ERROR_DATA) /* the message names both runs */
        eti__error_prefix(inflater->err, "%s: block %.*s", run->dump->file_name,
                          ETI_TEXT_ARGS(inflater->block_name));
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

static eti_status check_event(const eti_inflater *inflater, const eti_block_run *first,
                              const eti_block_run *later, size_t number) {
    const eti_debug_events *a = &first->layout->debug_events[number];
    const eti_debug_events *b = &later->layout->debug_events[number];
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        bool match = false;
        ETI_TRY(values_match(inflater, place_in(first, a->events[i]), place_in(later, b->events[i]),
                             &match));
        if (!match)
            return eti_fail(inflater->err, ETI_ERROR_DATA,
                            "debug data: run %u recorded other debug values than run %u" OF_FILE
                            ": " SAME_INPUTS,
                            later->index, first->index, OF_FILE_ARGS(first, later));
    }
    return ETI_OK;
}

static bool find_twin(eti_twins *twins, const eti_run_layout *first, uint32_t number) {
    static const eti_intern_kind twin_kind = {.item_size = sizeof(eti_twin),
                                              .key_size = offsetof(eti_twin, event)};
    const eti_twin twin = {first->debug_events[number].events,
                           twins->layout->debug_events[number].events, number};
    uint32_t pair;
    if (!eti__intern_add(&twins->pairs.table, &twin_kind, &twin, &pair))
        return false;
    twins->of_events[number] = twins->pairs.items[pair].event;
    return true;
}

/* Returns false if memory runs out. */
static bool find_twins(eti_twins *twins, const eti_event_block *block,
                       const eti_run_layout *layout) {
    if (twins->layout == layout)
        return true;
    twins->layout = layout;
    eti__intern_free(&twins->pairs.table);
    if (!ETI_GROW(twins->of_events, twins->capacity, block->n_events))
        return false;
    for (uint32_t i = 0; i < block->n_events; i++) {
        if (layout->debug_events[i].n > 0 && !find_twin(twins, block->runs[0].layout, i))
            return false;
    }
    return true;
}

/* Makes the values of the first run once for all events that share them: otherwise, the work would be the product of a
 * group's profile and debug events. */
static eti_status make_events(const eti_inflater *inflater, eti_event_block *block) {
    const eti_block_run *first = &block->runs[0];
    const eti_values **of_events =
        eti__arena_alloc_zero(inflater->arena, block->n_events, sizeof *of_events);
    if (!of_events)
        return eti_fail_memory(inflater->err);
    block->debug_data = of_events;
    for (uint32_t i = 0; i < block->n_events; i++) {
        const eti_debug_events *recorded = &first->layout->debug_events[i];
        if (recorded->n == 0)
            continue;
        of_events[i] = of_events[inflater->twins->of_events[i]];
        if (of_events[i])
            continue;
        eti_values *made = eti__arena_alloc(inflater->arena, 1, sizeof *made);
        if (!made)
            return eti_fail_memory(inflater->err);
        made->n = recorded->n;
        ETI_TRY(make_values(inflater, first, recorded->events, recorded->n, &made->values));
        of_events[i] = made;
    }
    return ETI_OK;
}

/* Makes values from the first run and compares those of the other runs. Either all runs of a block recorded values for an
 * event, or none did, because that is part of the event's identity. */
static eti_status fill_events(const eti_inflater *inflater, eti_event_block *block,
                              const eti_block_run *run) {
    if (!run->layout->debug_events)
        return ETI_OK;
    if (!find_twins(inflater->twins, block, run->layout))
        return eti_fail_memory(inflater->err);
    if (run == &block->runs[0])
        return make_events(inflater, block);
    for (uint32_t i = 0; i < block->n_events; i++) {
        if (run->layout->debug_events[i].n > 0 && inflater->twins->of_events[i] == i)
            ETI_TRY(check_event(inflater, &block->runs[0], run, i));
    }
    return ETI_OK;
}

/* ---- outputs of runs ------------------------------------------------------------------------- */

/* Compares more strictly than values_match(): lists must be equally long, and a later value must have the type of the
 * first one, or a type that Python derives from it (a bool is an int). */
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

static eti_status check_outputs(const eti_inflater *inflater, const eti_block_run *first,
                                const eti_block_run *later) {
    if (first->layout->n_outputs != later->layout->n_outputs)
        return eti_fail(inflater->err, ETI_ERROR_DATA,
                        "run outputs: %zu in run %u, but %zu in run %u" OF_FILE ": " SAME_INPUTS,
                        later->layout->n_outputs, later->index, first->layout->n_outputs,
                        first->index, OF_FILE_ARGS(first, later));
    for (size_t i = 0; i < first->layout->n_outputs; i++) {
        bool match = false;
        ETI_TRY(outputs_match(inflater, place_in(first, first->layout->outputs[i]),
                              place_in(later, later->layout->outputs[i]), &match));
        if (!match)
            return eti_fail(inflater->err, ETI_ERROR_DATA,
                            "run outputs: output %zu of run %u differs from that of run %u" OF_FILE
                            ": " SAME_INPUTS,
                            i, later->index, first->index, OF_FILE_ARGS(first, later));
    }
    return ETI_OK;
}

/* Makes the outputs from the first run that has any, and compares the others. */
static eti_status fill_run_outputs(const eti_inflater *inflater, eti_event_block *block) {
    const eti_block_run *first = NULL;
    for (size_t i = 0; i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        if (first) {
            ETI_TRY(in_run(inflater, run, check_outputs(inflater, first, run)));
        } else if (run->layout->n_outputs > 0) {
            first = run;
            block->n_run_outputs = run->layout->n_outputs;
            ETI_TRY(in_run(inflater, run,
                           make_values(inflater, run, run->layout->outputs, run->layout->n_outputs,
                                       &block->run_outputs)));
        }
    }
    return ETI_OK;
}

static eti_status fill_block(const eti_inflater *inflater, eti_event_block *block) {
    ETI_TRY(fill_run_outputs(inflater, block));
    for (size_t i = 0; i < block->n_runs; i++) {
        const eti_block_run *run = &block->runs[i];
        ETI_TRY(in_run(inflater, run, fill_events(inflater, block, run)));
    }
    return ETI_OK;
}

eti_status eti__debug_data_fill(eti_event_block *block, eti_arena *arena,
                                const struct eti_file *debug_buffer, eti_debug_totals *totals,
                                eti_error *err) {
    eti_twins twins = {.layout = NULL};
    eti_inflater inflater = {arena, debug_buffer, block->name, &twins, totals, err};
    eti_status status = fill_block(&inflater, block);
    eti__intern_free(&twins.pairs.table);
    free(twins.of_events);
    return status;
}

/* ==== reference outputs ======================================================================= */

/* ---- values ----------------------------------------------------------------------------------- */

static bool is_list(const eti_saved_value *saved) {
    return saved->kind == ETI_SAVED_LIST || saved->kind == ETI_SAVED_TUPLE;
}

/* Returns whether the value is a tensor with a known type and layout. */
static bool is_tensor(const eti_saved_value *saved) {
    return saved->kind == ETI_SAVED_TENSOR &&
           eti__scalar_type(saved->tensor->scalar_type)->width > 0;
}

static bool make_reference_tensor(eti_tensor *out, eti_arena *arena,
                                  const eti_tensor_values *values) {
    *out = (eti_tensor){
        .scalar_type = values->scalar_type,
        .dtype = eti__scalar_type(values->scalar_type)->name,
        .sizes = values->sizes,
        .n_dims = values->n_dims,
        .data = values->data,
        .n_bytes = values->data ? (size_t)eti__tensor_values_size(values) : 0,
    };
    if (!values->data || eti__tensor_values_are_row_major(values))
        return true;
    uint8_t *data = eti__arena_alloc(arena, out->n_bytes, 1);
    if (data)
        eti__tensor_values_copy(values, 0, values->n_elements, data);
    out->data = data;
    return data != NULL;
}

static bool make_tensors(eti_value *out, eti_arena *arena, const eti_saved_value *const *items,
                         size_t n) {
    eti_tensor *tensors = eti__arena_alloc(arena, n, sizeof *tensors);
    for (size_t i = 0; tensors && i < n; i++) {
        if (!make_reference_tensor(&tensors[i], arena, items[i]->tensor))
            return false;
    }
    out->tensors = tensors;
    out->n_tensors = n;
    return tensors != NULL;
}

static bool are_tensors(const eti_saved_value *list) {
    for (uint32_t i = 0; i < list->n_items; i++) {
        if (!is_tensor(list->items[i]))
            return false;
    }
    return true;
}

static bool make_reference_value(eti_value *out, eti_arena *arena, const eti_saved_value *saved) {
    *out = (eti_value){.kind = ETI_VALUE_NONE};
    if (is_tensor(saved)) {
        out->kind = ETI_VALUE_TENSOR;
        return make_tensors(out, arena, &saved, 1);
    }
    if (is_list(saved) && are_tensors(saved)) {
        out->kind = ETI_VALUE_TENSOR_LIST;
        return make_tensors(out, arena, saved->items, saved->n_items);
    }
    switch (saved->kind) {
    case ETI_SAVED_BOOL:
        out->kind = ETI_VALUE_BOOL;
        out->as_bool = saved->as_bool;
        break;
    case ETI_SAVED_INT:
        out->kind = ETI_VALUE_INT;
        out->as_int = saved->as_int;
        break;
    case ETI_SAVED_FLOAT:
        out->kind = ETI_VALUE_DOUBLE;
        out->as_double = saved->as_float;
        break;
    default:
        break;
    }
    return true;
}

eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) {
    const eti_saved_value *const *items = is_list(saved) ? saved->items : &saved;
    size_t n_items = is_list(saved) ? saved->n_items : 1;
    eti_value *values = eti__arena_alloc(arena, n_items, sizeof *values);
    *out = values;
    *n = n_items;
    if (!values)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n_items; i++) {
        if (!make_reference_value(&values[i], arena, items[i]))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- test cases ------------------------------------------------------------------------------- */

/* Returns the test cases of a method; NULL if it has none. */
static const eti_saved_value *cases_of(const eti_saved_value *outputs, eti_text method) {
    for (uint32_t i = 0; i + 1 < outputs->n_items; i += 2) {
        const eti_saved_value *key = outputs->items[i];
        if (key->kind == ETI_SAVED_TEXT && eti__text_equal(eti__saved_text(key), method))
            return is_list(outputs->items[i + 1]) ? outputs->items[i + 1] : NULL;
    }
    return NULL;
}

/* Returns the outputs that the block should have; NULL if unknown. */
static const eti_saved_value *outputs_of(const eti_saved_value *outputs,
                                         const eti_event_block *block) {
    const eti_saved_value *cases = NULL;
    int64_t number = block->bundled_input_index;
    if (block->method_name.data)
        cases = cases_of(outputs, block->method_name);
    if (!cases)
        cases = cases_of(outputs, eti__text_of("forward"));
    if (!cases)
        return NULL;
    number += number < 0 ? (int64_t)cases->n_items : 0;
    return number >= 0 && number < (int64_t)cases->n_items ? cases->items[number] : NULL;
}

eti_status eti_inspector_read_reference_outputs(eti_inspector *inspector, eti_error *err) {
    const eti_saved_value *outputs = NULL;
    if (inspector->are_references_read)
        return ETI_OK;
    if (inspector->opened_record)
        ETI_TRY(eti__record_reference_outputs(inspector->opened_record, &outputs, err));
    inspector->are_references_read = true;
    if (!outputs || outputs->kind != ETI_SAVED_DICT)
        return ETI_OK;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        eti_event_block *block = &inspector->blocks.blocks[i];
        const eti_saved_value *saved = outputs_of(outputs, block);
        if (saved)
            ETI_TRY(eti__values_of_saved(&block->reference_outputs, &block->n_reference_outputs,
                                         &inspector->arena, saved, err));
    }
    return ETI_OK;
}
