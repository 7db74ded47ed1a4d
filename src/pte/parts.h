/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_PTE_PARTS_H
#define ETI_PTE_PARTS_H

#include "flatbuf/flatbuf.h"

/* Schema that verification follows, for tests that damage programs with it. */
extern const eti_table_schema *const eti__program_schema;

#endif
