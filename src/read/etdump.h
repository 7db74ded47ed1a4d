/*
 * etdump.h - turns the bytes of an ETDump into runs and events, which are read directly from the file.
 */
#ifndef ETI_READ_ETDUMP_H
#define ETI_READ_ETDUMP_H

#include "flatbuf/flatbuf.h"

/* Schema that verification follows, for tests that build and damage dumps with it. */
extern const eti_table_schema *const eti__etdump_schema;

#endif
