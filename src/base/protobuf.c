#include "base/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

#define MOST_VARINT 10 /* bytes */

void eti__protobuf_add_varint(eti_buffer *out, uint64_t value) {
    char bytes[MOST_VARINT];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (char)((value & 0x7f) | 0x80);
    bytes[n++] = (char)value;
    eti__buffer_add(out, bytes, n);
}

static void add_tag(eti_buffer *out, uint32_t field, unsigned wire) {
    eti__protobuf_add_varint(out, (uint64_t)field << 3 | wire);
}

void eti__protobuf_add_number(eti_buffer *out, uint32_t field, uint64_t value) {
    add_tag(out, field, WIRE_VARINT);
    eti__protobuf_add_varint(out, value);
}

void eti__protobuf_add_fixed64(eti_buffer *out, uint32_t field, uint64_t value) {
    char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(value >> (8 * i));
    add_tag(out, field, WIRE_FIXED64);
    eti__buffer_add(out, bytes, sizeof bytes);
}

void eti__protobuf_add_bytes(eti_buffer *out, uint32_t field, eti_text bytes) {
    add_tag(out, field, WIRE_BYTES);
    eti__protobuf_add_varint(out, bytes.size);
    eti__buffer_add(out, bytes.data, bytes.size);
}
