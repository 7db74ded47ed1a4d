/*
 * ranges.h - divides the file of a program, or a data file, into ranges that lie one behind the other, so that their sizes add
 * up to the file.
 */
#ifndef ETI_READ_PTE_RANGES_H
#define ETI_READ_PTE_RANGES_H

#include "read/pte/ptd.h"
#include "read/pte/pte.h"

typedef enum eti_range_kind {
    ETI_RANGE_METADATA, /* the FlatBuffer with its header, without what is inline */
    ETI_RANGE_INLINE_CONSTANT,
    ETI_RANGE_INLINE_DELEGATE,
    ETI_RANGE_SEGMENT,
    ETI_RANGE_PADDING, /* before, between and behind segments */
    ETI_RANGE_BUNDLE,  /* of a .bpte, around the program */
} eti_range_kind;

typedef struct eti_range {
    uint64_t offset, size; /* in the file; the size is not 0 */
    uint8_t kind;          /* an eti_range_kind */
    uint32_t index;        /* of the inline constant, the inline payload or the segment */
} eti_range;

typedef struct eti_ranges {
    const eti_range *items; /* in order, the first at byte 0 */
    size_t n;
} eti_ranges;

/* Divides the file of `pte`. Where inline bytes of a strange file lie on one another, they count once, for the one that begins
 * first. The ranges live in the arena. ETI_ERROR_MEMORY. */
eti_status eti__pte_ranges(eti_ranges *out, eti_arena *arena, const eti_pte *pte,
                           eti_error *err) ETI_WARN_UNUSED;

/* Divides the file of `ptd`. ETI_ERROR_MEMORY. */
eti_status eti__ptd_ranges(eti_ranges *out, eti_arena *arena, const eti_ptd *ptd,
                           eti_error *err) ETI_WARN_UNUSED;

#endif
