/*
 * copies.h - finds texts with the same bytes among many, some of them as large as files.
 *
 * Only texts that have the size of another one are read: their beginnings, and the rest if these are equal.
 */
#ifndef ETI_PROGRAM_COPIES_H
#define ETI_PROGRAM_COPIES_H

#include "etinspect.h"

#define ETI_NO_COPY UINT32_MAX

/* Stores in `copy_of[i]` the first text with the same bytes as text `i`, or ETI_NO_COPY if that is text `i` itself or the
 * text is absent or empty. ETI_ERROR_MEMORY. */
eti_status eti__copies_find(uint32_t *copy_of, const eti_text *texts, size_t n,
                            eti_error *err) ETI_WARN_UNUSED;

#endif
