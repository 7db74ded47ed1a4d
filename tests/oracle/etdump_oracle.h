/*
 * etdump_oracle.h - a second reader of ETDumps, made by flatc and FlatBuffers' own C++ library: it
 * shares nothing with src/format but the schema file. For C and C++.
 *
 *     etdump_oracle *oracle = etdump_oracle_open(data, size);
 *     if (etdump_oracle_verdict(oracle) == ETDUMP_ORACLE_ACCEPTS) … etdump_oracle_fields(oracle, &n) …
 *     etdump_oracle_close(oracle);
 *
 * etdump_comparison.h compares it with our reader.
 */
#ifndef ETI_TESTS_ETDUMP_ORACLE_H
#define ETI_TESTS_ETDUMP_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rules of flatbuffers::Verifier, with these choices where it leaves one, or where it and our
 * verifier (src/flatbuf/flatbuf.c) differ:
 *
 * - The buffer is what follows the size prefix, if there is one (identifier at byte 8); what the
 *   prefix says is not compared with the size of the file. So does the Inspector, and so do we.
 * - check_alignment is off: the runtime aligns to the file and flatc to the buffer, four bytes
 *   apart when there is a prefix. We read byte by byte and never ask.
 * - max_depth stays 64. The schema is not recursive: its tables nest seven deep.
 * - max_tables is not the library's million, which a large but good dump exceeds, but what our own
 *   limit (32 times the file's size) leaves room for at 4 bytes a table. We count bytes, not
 *   tables, and so give up earlier: such a refusal of ours (ETI_ERROR_LIMIT) is nothing that the
 *   oracle can judge.
 * - The library knows nothing from 2 GiB on; we end at 4 GiB.
 * - The library looks only at what it will read. It accepts some tables that no writer makes and
 *   that we refuse because they show damage; the ETDUMP_STRICTER_ reasons are all of them.
 */
typedef enum etdump_oracle_answer {
    ETDUMP_ORACLE_NO_IDENTIFIER, /* neither at byte 8 nor at byte 4 */
    ETDUMP_ORACLE_TOO_LARGE,     /* for the library */
    ETDUMP_ORACLE_REFUSES,
    ETDUMP_ORACLE_ACCEPTS,
} etdump_oracle_answer;

/* Why a dump that the library accepts is none for us. The oracle finds these itself, by a walk of
 * its own, so that "the library accepts, and no reason" must mean "we accept". */
enum {
    /* A vtable that is too small for its own two sizes. The library takes it for a table without
     * fields. One case of it is the offset 0 in a vector of tables, which the library follows. */
    ETDUMP_STRICTER_VTABLE_SIZE = 1,
    /* A table that is smaller than its way to the vtable, or ends behind the file: a number that
     * the library never reads. */
    ETDUMP_STRICTER_TABLE_SIZE = 2,
    /* A field that the schema knows and that lies outside of its table, though inside the file. */
    ETDUMP_STRICTER_FIELD_PLACE = 4,
};

typedef enum etdump_fact_kind {
    ETDUMP_FACT_TABLE,  /* a table begins; `bits`: 0 */
    ETDUMP_FACT_END,    /* and ends */
    ETDUMP_FACT_ABSENT, /* something that is not there */
    ETDUMP_FACT_NUMBER, /* `bits`: sign-extended; of a float or double its own bits */
    ETDUMP_FACT_TEXT,   /* of a string or bytes */
    ETDUMP_FACT_VECTOR, /* `bits`: how many elements follow */
} etdump_fact_kind;

/* One thing that the dump says. */
typedef struct etdump_fact {
    etdump_fact_kind kind;
    const char *name; /* of the field, the table or the element */
    uint64_t bits;
    const uint8_t *text; /* borrowed from the oracle */
    size_t text_size;
} etdump_fact;

typedef struct etdump_oracle etdump_oracle;

/* Verifies a copy of the bytes. NULL: out of memory. */
etdump_oracle *etdump_oracle_open(const uint8_t *data, size_t size);
void etdump_oracle_close(etdump_oracle *oracle);

etdump_oracle_answer etdump_oracle_verdict(const etdump_oracle *oracle);
/* ETDUMP_STRICTER_ reasons; 0 unless the dump is accepted. */
unsigned etdump_oracle_stricter(const etdump_oracle *oracle);

/* The facts of a dump that is accepted. They are made here, and as many as the offsets, shared or
 * not, lead to; so ask only for a dump that our reader takes too. */

/* Every field that is there, of every table, from the root, in the order of the schema: as it is
 * stored, no defaults. */
const etdump_fact *etdump_oracle_fields(etdump_oracle *oracle, size_t *n);
/*
 * Meaning of runs and events, with the schema's defaults, in the words of src/read/etdump.h:
 *
 *   runs VECTOR, per run:
 *     name, bundled_input_index, events VECTOR or ABSENT, per event:
 *       kind                                     NUMBER: 0 nothing, 1 profile, 2 debug, 3 allocation
 *       instruction_id, delegate_id_int, delegate_id_str, chain_index, name     of profile, debug
 *       metadata, start_time, end_time           of profile; absent metadata are empty
 *       debug_value TABLE or ABSENT, is_run_output                 whenever there is a debug event
 *         type, content ABSENT or one of: int, bool, double, tensor TABLE, tensors VECTOR
 *           a tensor: scalar_type, sizes VECTOR or ABSENT of size, offset
 */
const etdump_fact *etdump_oracle_events(etdump_oracle *oracle, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
