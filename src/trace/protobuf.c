#include "trace/protobuf.h"

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
