/*
 * protobuf.h - appends fields of Protocol Buffers messages. A nested message is first built in its own buffer and then
 * appended as the bytes of a field.
 */
#ifndef ETI_TRACE_PROTOBUF_H
#define ETI_TRACE_PROTOBUF_H

#include "base/text.h"

enum { ETI_WIRE_VARINT = 0, ETI_WIRE_FIXED64 = 1, ETI_WIRE_BYTES = 2 };

#define ETI_MOST_VARINT 10 /* bytes */

/* Writes a number at `at`, where there must be room for ETI_MOST_VARINT bytes; returns the end. */
static inline char *eti__protobuf_put_varint(char *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = (char)((value & 0x7f) | 0x80);
    *at++ = (char)value;
    return at;
}

/* Writes the key of a field in the same way; the caller then writes a number, or the size of the field's bytes. */
static inline char *eti__protobuf_put_key(char *at, uint32_t field, unsigned wire) {
    return eti__protobuf_put_varint(at, (uint64_t)field << 3 | wire);
}

/* Appends a number to a packed field. */
void eti__protobuf_add_varint(eti_buffer *out, uint64_t value);
/* Appends a field with a number; a negative one is stored as its 64-bit two's complement. */
void eti__protobuf_add_number(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with a fixed-width 64-bit number. */
void eti__protobuf_add_fixed64(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with bytes: a string, a message or packed numbers. */
void eti__protobuf_add_bytes(eti_buffer *out, uint32_t field, eti_text bytes);
/* Appends the key and the size of such a field; the caller appends the bytes. */
void eti__protobuf_begin_bytes(eti_buffer *out, uint32_t field, size_t size);

#endif
