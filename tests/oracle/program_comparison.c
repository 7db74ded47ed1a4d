#include "program_comparison.h"

#include "base/bytes.h"
#include "flatbuf/flatbuf.h"
#include "pte/bundle.h"
#include "pte/parts.h"
#include "pte/ptd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the end of the metadata; `size` without a header; 0: outside. */
static size_t end_of_metadata(program_oracle_kind kind, const uint8_t *data, size_t size) {
    uint64_t end = size;
    if (kind == PROGRAM_ORACLE_PTE && size >= 40 && memcmp(data + 8, "eh00", 4) == 0)
        end = eti__load_u64(data + 16);
    if (kind == PROGRAM_ORACLE_PTD && size >= 48)
        end = eti__load_u64(data + 16) + eti__load_u64(data + 24);
    return end <= size ? (size_t)end : 0;
}

/* The library reads the first of the two sizes of a vtable, and no more if that is the size of an empty one. */
static bool begins_at_the_end(uint64_t table, const eti_flatbuf *buffer) {
    int64_t vtable = (int64_t)table - (int32_t)eti__flatbuf_load_u32(buffer, (size_t)table);
    int64_t end = (int64_t)buffer->size;
    return vtable > end - 4 && vtable <= end - 2;
}

/* Of numbers that the library passes over, and of offsets of 0 in vectors, which it follows to a table without fields. */
static bool is_stricter(const char *message, const eti_flatbuf *buffer) {
    static const char *const reasons[] = {
        "the vtable has an impossible size", "the table has an impossible size",
        "the table is longer than the rest", "the field lies outside its table",
        "]: expected an offset, found 0",
    };
    if (strstr(message, "the vtable lies outside the file"))
        return begins_at_the_end(strtoull(message + strlen("byte "), NULL, 10), buffer);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strstr(message, reasons[i]))
            return true;
    }
    return false;
}

program_agreement program_compare(const uint8_t *data, size_t size, char why[256]) {
    static const char identifiers[][5] = {"ET12", "BP08", "FT01"};
    const eti_table_schema *const schemas[] = {eti__program_schema, eti__bundle_schema,
                                               eti__ptd_schema};
    program_oracle_kind kind = PROGRAM_ORACLE_PTE;
    why[0] = '\0';
    while (kind <= PROGRAM_ORACLE_PTD && (size < 8 || memcmp(data + 4, identifiers[kind], 4) != 0))
        kind++;
    size_t end = kind <= PROGRAM_ORACLE_PTD ? end_of_metadata(kind, data, size) : 0;
    if (end < 8)
        return PROGRAM_NOT_COMPARED;
    eti_flatbuf buffer = {.data = data, .size = end, .has_unsure_sizes = true};
    eti_position root;
    eti_error err = {.struct_size = sizeof err};
    eti_status ours = eti__flatbuf_verify(&buffer, schemas[kind], 1, &root, &err);
    bool accepts = program_oracle_accepts(kind, data, end);
    if (ours == ETI_ERROR_LIMIT)
        return PROGRAM_NOT_COMPARED;
    if ((ours == ETI_OK) == accepts)
        return accepts ? PROGRAM_BOTH_ACCEPT : PROGRAM_BOTH_REFUSE;
    if (accepts && is_stricter(err.message, &buffer))
        return PROGRAM_WE_ARE_STRICTER;
    snprintf(why, 256, "%.255s",
             ours == ETI_OK ? "we accept what FlatBuffers refuses" : err.message);
    return PROGRAM_DISAGREE;
}
