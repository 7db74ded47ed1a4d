#include "model/value.h"

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
