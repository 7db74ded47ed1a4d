/*
 * ptd.h - turns a data file (.ptd) into named bytes.
 */
#ifndef ETI_PTE_PTD_H
#define ETI_PTE_PTD_H

#include "base/arena.h"
#include "etinspect.h"
#include "flatbuf/flatbuf.h"
#include "pte/pte.h"

/* ==== ptd ===================================================================================== */

/* Schema that verification follows, for tests that damage data files with it. */
extern const eti_table_schema *const eti__ptd_schema;

/* ==== segment ================================================================================= */

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

/* ==== tensor ================================================================================== */

/* Sets sizes, dimension order and number of bytes; scalar type and dynamism must be set. ETI_ERROR_MALFORMED: the shape
 * is impossible; `*field` and `*wrong` name the field and the reason. ETI_ERROR_MEMORY. */
eti_status eti__tensor_read_shape(eti_pte_tensor *out, eti_arena *arena, const eti_flatbuf *buffer,
                                  eti_vector sizes, eti_text dim_order, const char **field,
                                  const char **wrong) ETI_WARN_UNUSED;

#endif
