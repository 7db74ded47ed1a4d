/*
 * debug.c - turns values into records, and the contents of tensors into debug data.
 */
#include "capture/capture.h"

/* ---- storing contents ------------------------------------------------------------------------ */

/* Returns the number of bytes that align the next contents. */
static size_t gap_size(const etc_capture *c) {
    return (size_t)(-c->debug_used & (ETC_CONTENTS_ALIGNMENT - 1));
}

static bool write_debug(etc_capture *c, const void *data, size_t size) {
    c->debug_error = c->debug_sink.write(c->debug_sink.context, data, size);
    if (!c->debug_error)
        c->debug_used += size;
    return !c->debug_error;
}

static etc_status store_in_buffer(etc_capture *c, const etc_tensor *tensor, int64_t *offset) {
    if (c->when_full == ETC_RING)
        return c->values->store_in_ring(c, tensor, offset);
    size_t gap = gap_size(c);
    size_t used = (size_t)c->debug_used;
    size_t left = c->debug_size - used;
    if (gap > left || tensor->bytes > left - gap)
        return ETC_FULL;
    memset(c->debug_buffer + used, 0, gap);
    memcpy(c->debug_buffer + used + gap, tensor->data, tensor->bytes);
    *offset = (int64_t)(c->debug_used + gap);
    c->debug_used += gap + tensor->bytes;
    return ETC_OK;
}

static etc_status store_in_sink(etc_capture *c, const etc_tensor *tensor, int64_t *offset) {
    uint8_t zeros[ETC_CONTENTS_ALIGNMENT] = {0};
    size_t gap = gap_size(c);
    uint64_t at = c->debug_used + gap;
    if (c->debug_error || (gap && !write_debug(c, zeros, gap)) ||
        !write_debug(c, tensor->data, tensor->bytes))
        return ETC_IO;
    *offset = (int64_t)at;
    return ETC_OK;
}

/* Stores the contents, and their place in *offset; -1: they are not stored. */
static etc_status store(etc_capture *c, const etc_tensor *tensor, int64_t *offset) {
    *offset = -1;
    if (tensor->bytes == 0)
        return ETC_OK;
    if (!c->debug_buffer && !c->debug_sink.write) {
        etc__count(&c->n_without_contents);
        return ETC_OK;
    }
    etc_status status =
        c->debug_buffer ? store_in_buffer(c, tensor, offset) : store_in_sink(c, tensor, offset);
    if (status)
        etc__count(&c->n_without_contents);
    return status;
}

/* ---- what may be recorded -------------------------------------------------------------------- */

/* Multiplies by a size, with 0 taken as 1; false: the product does not fit an int64_t. */
static bool multiply(uint64_t *product, int64_t size) {
    uint64_t factor = size > 1 ? (uint64_t)size : 1;
    return !__builtin_mul_overflow(*product, factor, product) && *product <= (uint64_t)INT64_MAX;
}

/* Computes the number of bytes from the sizes; false: a size is invalid, or the product is too large. */
static bool count_bytes(const etc_tensor *tensor, uint64_t *out) {
    uint64_t bytes = etc__element_size(tensor->scalar_type);
    for (uint32_t i = 0; i < tensor->rank; i++) {
        if (tensor->sizes[i] < 0)
            return false;
        if (tensor->sizes[i] == 0)
            bytes = 0;
    }
    for (uint32_t i = 0; bytes && i < tensor->rank; i++) {
        if (!multiply(&bytes, tensor->sizes[i]))
            return false;
    }
    *out = bytes;
    return true;
}

/* Computes the strides of a contiguous tensor; false: they do not fit. */
static bool fill_strides(int64_t *strides, const etc_tensor *tensor) {
    uint64_t stride = 1;
    for (uint32_t i = tensor->rank; i-- > 0;) {
        strides[i] = (int64_t)stride;
        if (i > 0 && !multiply(&stride, tensor->sizes[i]))
            return false;
    }
    return true;
}

static etc_status check_tensor(const etc_tensor *tensor) {
    uint64_t bytes;
    int64_t strides[ETC_MAX_RANK];
    if (tensor->rank > ETC_MAX_RANK || (tensor->rank && !tensor->sizes) ||
        (tensor->bytes && !tensor->data))
        return ETC_INVALID;
    if (etc__element_size(tensor->scalar_type) == 0)
        return ETC_UNSUPPORTED;
    if (!count_bytes(tensor, &bytes) || bytes != tensor->bytes)
        return ETC_INVALID;
    return tensor->strides || fill_strides(strides, tensor) ? ETC_OK : ETC_INVALID;
}

static etc_status refuse(etc_capture *c, etc_status status) {
    etc__count(&c->n_lost_wrong);
    return status;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Size of a record that is too large for any memory and is lost. */
#define NO_MEMORY_HAS (UINT32_MAX & ~7u)

/* Reserves the record of a value. NULL with ETC_OK: the filter drops it. */
static etc_status begin_value(etc_value_record **out, etc_capture *c, etc_key key, uint32_t size) {
    *out = NULL;
    etc_value_record value = {.header = etc__record_header(ETC_RECORD_VALUE, size)};
    value.name = etc__intern(c, key.name);
    value.id = key.id;
    etc__instruction(c, &value.chain, &value.handle);
    if (key.name && !value.name)
        size = NO_MEMORY_HAS; /* a record without its name would look like that of an operator */
    else if (!etc__keeps(c, ETC_EVENT_DEBUG, value.name, value.id, value.handle))
        return ETC_OK;
    bool has_run = c->run_state != ETC_NO_RUN;
    *out = etc__reserve(c, size);
    if (!*out)
        return has_run ? ETC_FULL : ETC_STATE;
    **out = value;
    return ETC_OK;
}

etc_status etc__log_number(etc_capture *c, etc_key key, uint8_t type, uint64_t bits,
                           unsigned flags) {
    if (flags || (key.name && key.id != -1))
        return refuse(c, ETC_INVALID);
    etc_value_record *value;
    etc_status status = begin_value(&value, c, key, sizeof *value);
    if (!value)
        return status;
    value->type = type;
    value->bits = bits;
    etc__commit_event(c, sizeof *value);
    return ETC_OK;
}

static uint32_t tensor_record_size(const etc_tensor *tensor) {
    return (uint32_t)sizeof(etc_tensor_record) + 2 * tensor->rank * (uint32_t)sizeof(int64_t);
}

/* Checks `n` tensors. Stores the size of their record; NO_MEMORY_HAS if it is too large for any memory. */
static etc_status measure_tensors(const etc_tensor *tensors, size_t n, uint32_t *size) {
    uint64_t total = sizeof(etc_value_record);
    for (size_t i = 0; i < n; i++) {
        etc_status status = check_tensor(&tensors[i]);
        if (status)
            return status;
        total += tensor_record_size(&tensors[i]);
    }
    *size = total > ETC_RECORD_MOST ? NO_MEMORY_HAS : (uint32_t)total;
    return ETC_OK;
}

static void fill_tensor(etc_tensor_record *record, const etc_tensor *tensor) {
    int64_t *sizes = (int64_t *)(void *)(record + 1);
    record->scalar_type = tensor->scalar_type;
    record->rank = tensor->rank;
    if (tensor->rank)
        memcpy(sizes, tensor->sizes, tensor->rank * sizeof *sizes);
    if (tensor->rank && tensor->strides)
        memcpy(sizes + tensor->rank, tensor->strides, tensor->rank * sizeof *sizes);
    else
        fill_strides(sizes + tensor->rank, tensor);
}

/* Records tensors. Returns the first failure to store contents; the record is kept nevertheless. */
etc_status etc__log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                            unsigned flags, uint8_t type) {
    uint32_t size;
    if ((!tensors && n) || (flags & ~ETC_PROGRAM_OUTPUT) || (key.name && key.id != -1))
        return refuse(c, ETC_INVALID);
    etc_status status = measure_tensors(tensors, n, &size);
    if (status)
        return refuse(c, status);
    etc_value_record *value;
    status = begin_value(&value, c, key, size);
    if (!value)
        return status;
    value->type = type;
    value->is_output = (flags & ETC_PROGRAM_OUTPUT) != 0;
    value->bits = n;
    etc_tensor_record *record = (etc_tensor_record *)(void *)(value + 1);
    for (size_t i = 0; i < n; i++) {
        fill_tensor(record, &tensors[i]);
        etc_status stored = store(c, &tensors[i], &record->offset);
        status = status ? status : stored;
        record = (etc_tensor_record *)(void *)((uint8_t *)record + tensor_record_size(&tensors[i]));
    }
    c->has_tensors = true;
    etc__commit_event(c, size);
    return status;
}
