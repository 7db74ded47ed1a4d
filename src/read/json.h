/*
 * json.h - reads JSON (RFC 8259, UTF-8), from memory or piece by piece from a stream, and returns the values that its caller
 * requests, in file order.
 */
#ifndef ETI_READ_JSON_H
#define ETI_READ_JSON_H

#include <stddef.h>

#define ETI_JSON_MAX_SPELLING ((size_t)16 << 10)

#endif
