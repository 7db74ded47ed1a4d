/*
 * sha256.h - the SHA-256 of bytes.
 */
#ifndef ETI_BASE_SHA256_H
#define ETI_BASE_SHA256_H

#include <stddef.h>

#define ETI_SHA256_DIGITS 64

/* Writes the hexadecimal digits, as sha256sum prints them. The pages of a mapped file take no memory when this returns. */
void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]);

#endif
