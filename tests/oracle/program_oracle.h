/*
 * program_oracle.h - a second reader of programs (.pte), bundles (.bpte) and data files (.ptd), made by flatc and
 * FlatBuffers' own C++ library: it shares only the schema files with src/. For C and C++.
 */
#ifndef ETI_TESTS_PROGRAM_ORACLE_H
#define ETI_TESTS_PROGRAM_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum program_oracle_kind {
    PROGRAM_ORACLE_PTE,
    PROGRAM_ORACLE_BPTE,
    PROGRAM_ORACLE_PTD,
} program_oracle_kind;

/* Returns whether flatbuffers::Verifier accepts these bytes, which end with the FlatBuffer. Alignment is not required, and
 * any number of tables is allowed. Returns false without memory. */
bool program_oracle_accepts(program_oracle_kind kind, const uint8_t *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
