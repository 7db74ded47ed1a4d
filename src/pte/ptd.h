/*
 * ptd.h - turns a data file (.ptd) into named bytes: weights that are stored outside the programs that use them.
 *
 * Only the metadata are read. Texts are borrowed from the file's bytes, which must stay valid; everything else lives in the
 * arena. The layout is schema/flat_tensor.fbs.
 */
#ifndef ETI_PTE_PTD_H
#define ETI_PTE_PTD_H

#include "base/arena.h"
#include "base/files.h"
#include "flatbuf/flatbuf.h"
#include "pte/segment.h"
#include "pte/tensor.h"

typedef struct eti_ptd_entry {
    eti_text key;
    uint32_t segment; /* index of the segment; several entries may share one */
    const eti_pte_tensor
        *tensor; /* its type, shape and number of bytes; NULL for bytes of a delegate */
} eti_ptd_entry;

typedef struct eti_ptd {
    const struct eti_file *file;
    uint32_t version;
    uint32_t header_length;
    uint64_t
        metadata_size; /* size of the FlatBuffer with the header, from the beginning of the file */
    uint64_t segment_base, segment_data_size;
    const eti_pte_segment *segments;
    uint32_t n_segments;
    const eti_ptd_entry *entries;
    uint32_t n_entries;
} eti_ptd;

/* Opens `file`, which must outlive `out`. Messages name the file, the table and the byte. ETI_ERROR_MALFORMED: not a data
 * file, truncated, or with an index or offset out of range; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__ptd_open(eti_ptd *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Schema that verification follows, for tests that damage data files with it. */
extern const eti_table_schema *const eti__ptd_schema;

#endif
