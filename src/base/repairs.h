/*
 * repairs.h - makes the texts of a file UTF-8 where they enter: each invalid sequence of bytes becomes U+FFFD, as in Python.
 */
#ifndef ETI_BASE_REPAIRS_H
#define ETI_BASE_REPAIRS_H

#include "base/arena.h"
#include "base/intern.h"

typedef struct eti_repaired_text {
    eti_text found, repaired;
} eti_repaired_text;

/* Texts that are one in a file share the repaired one. */
typedef struct eti_repairs {
    eti_arena *arena;
    /* Number of bytes that may still be stored. A byte becomes at most three, so only texts that overlap in the file need more. */
    uint64_t left;
    ETI_INTERN_OF(eti_repaired_text) texts; /* by the address of the original */
} eti_repairs;

/* Replaces a text that is not UTF-8. ETI_ERROR_LIMIT: too many bytes would be stored; ETI_ERROR_MEMORY. */
eti_status eti__repairs_apply(eti_repairs *repairs, eti_text *text, eti_error *err) ETI_WARN_UNUSED;

void eti__repairs_free(eti_repairs *repairs);

#endif
