#include "model/reference_outputs.h"

#include "model/inspector.h"
#include "model/value.h"

/* ---- values ----------------------------------------------------------------------------------- */

static bool is_list(const eti_saved_value *saved) {
    return saved->kind == ETI_SAVED_LIST || saved->kind == ETI_SAVED_TUPLE;
}

/* Returns whether the value is a tensor with a known type and layout. */
static bool is_tensor(const eti_saved_value *saved) {
    return saved->kind == ETI_SAVED_TENSOR &&
           eti__scalar_type(saved->tensor->scalar_type)->width > 0;
}

static bool make_tensor(eti_tensor *out, eti_arena *arena, const eti_tensor_values *values) {
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
        if (!make_tensor(&tensors[i], arena, items[i]->tensor))
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

static bool make_value(eti_value *out, eti_arena *arena, const eti_saved_value *saved) {
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
        if (!make_value(&values[i], arena, items[i]))
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
