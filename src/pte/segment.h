/*
 * segment.h - reads the places of the data after a FlatBuffer: the segments of programs (.pte) and data files (.ptd).
 */
#ifndef ETI_PTE_SEGMENT_H
#define ETI_PTE_SEGMENT_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"

/* A range of bytes after the FlatBuffer. */
typedef struct eti_pte_segment {
    uint64_t offset,
        size; /* the offset counts from the beginning of the program or data file, not from the segments' base */
} eti_pte_segment;

/* The range in which segments may be, in bytes from the beginning of the program or data file. */
typedef struct eti_segment_room {
    uint64_t metadata_end; /* no segment begins earlier */
    uint64_t base;         /* segment offsets in the file count from here */
    uint64_t end;
} eti_segment_room;

/* Reads a vector of DataSegment tables. ETI_ERROR_MALFORMED: a segment is out of range or overlaps another one; segments
 * without bytes may be anywhere in the file. ETI_ERROR_MEMORY. */
eti_status eti__segments_read(const eti_pte_segment **out, eti_arena *arena,
                              const eti_flatbuf *buffer, eti_vector vector,
                              const eti_segment_room *room, eti_error *err) ETI_WARN_UNUSED;

#endif
