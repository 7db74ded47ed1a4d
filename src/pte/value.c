/*
 * value.c - reads the values of a method: tensors, lists and scalars.
 */
#include "pte/parts.h"

/* ---- tensors --------------------------------------------------------------------------------- */

static eti_status read_allocation(const eti_pte_reader *in, eti_position table, uint32_t n_arenas,
                                  eti_pte_tensor *out) {
    eti_position at = eti__flatbuf_table(&in->buffer, table, TENSOR_ALLOCATION_INFO);
    if (!at)
        return ETI_OK;
    uint64_t low = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_LOW, 0);
    uint64_t high = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_OFFSET_HIGH, 0);
    out->is_planned = true;
    out->memory_id = eti__flatbuf_u32(&in->buffer, at, ALLOCATION_DETAILS_MEMORY_ID, 0);
    out->memory_offset = high << 32 | low;
    return out->memory_id < n_arenas ? ETI_OK
                                     : eti__pte_fail_index(in, at, "val.allocation_info.memory_id",
                                                           "arena", out->memory_id, n_arenas);
}

static eti_status read_extra(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position at = eti__flatbuf_table(buffer, table, TENSOR_EXTRA_TENSOR_INFO);
    if (!at)
        return ETI_OK;
    out->name = eti__flatbuf_text(buffer, at, EXTRA_TENSOR_INFO_FULLY_QUALIFIED_NAME);
    out->is_external = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_LOCATION, 0) == 1;
    out->mutable_data =
        eti__flatbuf_u64(buffer, at, EXTRA_TENSOR_INFO_MUTABLE_DATA_SEGMENTS_IDX, 0);
    out->device_type = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_TYPE, 0);
    out->device_index = eti__flatbuf_i8(buffer, at, EXTRA_TENSOR_INFO_DEVICE_INDEX, 0);
    return !out->is_external || out->name.data
               ? ETI_OK
               : eti__pte_fail(in, at, "val.extra_tensor_info.fully_qualified_name",
                               "an external tensor has no name");
}

/* Checks that the bytes that a tensor has when its method is loaded exist. */
static eti_status check_data(const eti_pte_reader *in, eti_position table, eti_pte_tensor *tensor) {
    const eti_pte *pte = in->pte;
    if (tensor->is_external || tensor->data_buffer_idx == 0)
        return ETI_OK;
    tensor->has_initial_data = tensor->is_planned;
    if (tensor->has_initial_data && tensor->mutable_data >= pte->n_mutable_data)
        return eti__pte_fail_index(in, table, "val.extra_tensor_info.mutable_data_segments_idx",
                                   "entry of mutable_data_segments", (int64_t)tensor->mutable_data,
                                   pte->n_mutable_data);
    const eti_pte_slots *slots =
        tensor->has_initial_data ? &pte->mutable_data[tensor->mutable_data] : &pte->constants;
    bool are_inline = !tensor->has_initial_data && !pte->has_constant_segment;
    uint32_t n = are_inline ? pte->n_inline_constants : slots->n_offsets;
    if (tensor->data_buffer_idx >= n)
        return eti__pte_fail_index(in, table, "val.data_buffer_idx", "buffer",
                                   tensor->data_buffer_idx, n);
    if (tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE || tensor->n_bytes == 0)
        return ETI_OK;
    uint64_t room =
        are_inline ? pte->inline_constants[tensor->data_buffer_idx].size
                   : pte->segments[slots->segment].size - slots->offsets[tensor->data_buffer_idx];
    return tensor->n_bytes <= room ? ETI_OK
                                   : eti__pte_fail(in, table, "val.data_buffer_idx",
                                                   "its buffer has fewer bytes than the tensor");
}

static eti_status read_shape(const eti_pte_reader *in, eti_position table, eti_pte_tensor *out) {
    const eti_flatbuf *buffer = &in->buffer;
    const char *field = NULL, *wrong = NULL;
    eti_status status = eti__tensor_read_shape(
        out, in->arena, buffer, eti__flatbuf_vector(buffer, table, TENSOR_SIZES),
        eti__flatbuf_text(buffer, table, TENSOR_DIM_ORDER), &field, &wrong);
    if (status == ETI_ERROR_MALFORMED)
        return eti__pte_fail(in, table, field[0] == 's' ? "val.sizes" : "val.dim_order", wrong);
    return status == ETI_OK ? ETI_OK : eti_fail_memory(in->err);
}

static eti_status read_tensor(const eti_pte_reader *in, eti_position table, uint32_t n_arenas,
                              eti_pte_value *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_pte_tensor *tensor = eti__arena_alloc_zero(in->arena, 1, sizeof *tensor);
    if (!tensor)
        return eti_fail_memory(in->err);
    tensor->scalar_type = eti__flatbuf_i8(buffer, table, TENSOR_SCALAR_TYPE, 0);
    tensor->storage_offset = eti__flatbuf_i32(buffer, table, TENSOR_STORAGE_OFFSET, 0);
    tensor->requires_grad = eti__flatbuf_u8(buffer, table, TENSOR_REQUIRES_GRAD, 0) != 0;
    tensor->data_buffer_idx = eti__flatbuf_u32(buffer, table, TENSOR_DATA_BUFFER_IDX, 0);
    tensor->layout = eti__flatbuf_i8(buffer, table, TENSOR_LAYOUT, 0);
    tensor->dynamism = (uint8_t)eti__flatbuf_i8(buffer, table, TENSOR_SHAPE_DYNAMISM, 0);
    if (tensor->dynamism > ETI_PTE_UNBOUND)
        return eti__pte_fail(in, table, "val.shape_dynamism", "is not 0, 1 or 2");
    ETI_TRY(read_shape(in, table, tensor));
    ETI_TRY(read_allocation(in, table, n_arenas, tensor));
    ETI_TRY(read_extra(in, table, tensor));
    out->of.as_tensor = tensor;
    return check_data(in, table, tensor);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the items of a list; all kinds of lists have them in field 0. */
static eti_vector items_of(const eti_pte_reader *in, eti_position list) {
    return eti__flatbuf_vector(&in->buffer, list, INT_LIST_ITEMS);
}

static eti_pte_numbers numbers_of(const eti_pte_reader *in, eti_position list) {
    eti_vector items = items_of(in, list);
    return (eti_pte_numbers){in->buffer.data + items.first, items.count};
}

static eti_status read_list(const eti_pte_reader *in, eti_position table, uint8_t kind,
                            uint32_t n_values, eti_pte_value *out) {
    return eti__pte_read_indices(in, items_of(in, table), kind == ETI_PTE_INT_LIST,
                                 kind == ETI_PTE_OPTIONAL_TENSOR_LIST, n_values, "val.items",
                                 &out->of.as_list);
}

static eti_status read_value(const eti_pte_reader *in, const eti_pte_plan *plan, eti_position value,
                             eti_pte_value *out) {
    const eti_flatbuf *buffer = &in->buffer;
    uint8_t kind = eti__flatbuf_u8(buffer, value, E_VALUE_VAL_TYPE, 0);
    *out = (eti_pte_value){.kind = kind == ETI_PTE_NULL ? ETI_PTE_NULL : ETI_PTE_ABSENT};
    if (kind <= ETI_PTE_NULL || kind > ETI_PTE_OPTIONAL_TENSOR_LIST)
        return ETI_OK;
    eti_position table = eti__flatbuf_union(buffer, value, E_VALUE_VAL, kind);
    if (!table)
        return ETI_OK;
    out->kind = kind;
    switch (kind) {
    case ETI_PTE_INT:
        out->of.as_int = eti__flatbuf_i64(buffer, table, INT_INT_VAL, 0);
        return ETI_OK;
    case ETI_PTE_BOOL:
        out->of.as_bool = eti__flatbuf_u8(buffer, table, BOOL_BOOL_VAL, 0) != 0;
        return ETI_OK;
    case ETI_PTE_DOUBLE:
        out->of.as_double = eti__flatbuf_f64(buffer, table, DOUBLE_DOUBLE_VAL, 0);
        return ETI_OK;
    case ETI_PTE_STRING:
        out->of.as_string = eti__flatbuf_text(buffer, table, STRING_STRING_VAL);
        return ETI_OK;
    case ETI_PTE_TENSOR:
        return read_tensor(in, table, plan->n_arenas, out);
    case ETI_PTE_DOUBLE_LIST:
    case ETI_PTE_BOOL_LIST:
        out->of.as_numbers = numbers_of(in, table);
        return ETI_OK;
    default:
        return read_list(in, table, kind, plan->n_values, out);
    }
}

/* Checks that the items of a tensor list are tensors; those of an optional list may be absent. */
static eti_status check_list(const eti_pte_reader *in, eti_position value, const eti_pte_plan *plan,
                             const eti_pte_value *list) {
    bool is_optional = list->kind == ETI_PTE_OPTIONAL_TENSOR_LIST;
    if (list->kind != ETI_PTE_TENSOR_LIST && !is_optional)
        return ETI_OK;
    for (uint32_t i = 0; i < list->of.as_list.n; i++) {
        int32_t item = list->of.as_list.items[i];
        uint8_t kind = item < 0 ? ETI_PTE_NULL : plan->values[item].kind;
        if (kind != ETI_PTE_TENSOR && !(is_optional && kind == ETI_PTE_NULL))
            return eti__pte_fail(in, value, "val.items", "an item of the list is not a tensor");
    }
    return ETI_OK;
}

eti_status eti__pte_read_values(eti_pte_reader *in, eti_position table, eti_pte_plan *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, EXECUTION_PLAN_VALUES);
    eti_pte_value *values = eti__arena_alloc(in->arena, vector.count, sizeof *values);
    if (!values)
        return eti_fail_memory(in->err);
    if (vector.count > INT32_MAX)
        return eti_fail(in->err, ETI_ERROR_LIMIT,
                        "the method has more values than an index can address");
    out->values = values;
    out->n_values = vector.count;
    in->place.list = "values";
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(read_value(in, out, eti__flatbuf_vector_table(&in->buffer, vector, i), &values[i]));
    }
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(check_list(in, eti__flatbuf_vector_table(&in->buffer, vector, i), out, &values[i]));
    }
    in->place.list = NULL;
    return ETI_OK;
}
