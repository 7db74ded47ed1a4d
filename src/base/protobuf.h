/*
 * protobuf.h - appends fields of Protocol Buffers messages. A message inside another is a buffer of its own first, then the bytes
 * of a field.
 */
#ifndef ETI_BASE_PROTOBUF_H
#define ETI_BASE_PROTOBUF_H

#include "base/text.h"

/* Appends a number of a packed field. */
void eti__protobuf_add_varint(eti_buffer *out, uint64_t value);
/* Appends a field with a number; negative ones as their two's complement in 64 bits. */
void eti__protobuf_add_number(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with a number of 64 bits that is written as such. */
void eti__protobuf_add_fixed64(eti_buffer *out, uint32_t field, uint64_t value);
/* Appends a field with bytes: a string, a message, packed numbers. */
void eti__protobuf_add_bytes(eti_buffer *out, uint32_t field, eti_text bytes);

#endif
