/*
 * writer.h - the list of output formats. A format is one file here and one row in writer.c.
 */
#ifndef ETI_OUTPUT_WRITER_H
#define ETI_OUTPUT_WRITER_H

#include "base/output.h"
#include "output/table.h"

typedef struct eti_writer {
    const char *name;    /* as --format takes it */
    const char *summary; /* half a line for help */
    /* Writes the whole table. A failing `output` is no error of the writer's: it is told at commit.
     */
    eti_status (*write)(const eti_table *table, eti_output *output, eti_error *err);
} eti_writer;

extern const eti_writer eti_writer_fancy_grid;
extern const eti_writer eti_writer_tsv;
extern const eti_writer eti_writer_csv;

/* The writer called `name`, or NULL. */
const eti_writer *eti_writer_find(const char *name);
/* The i-th writer, or NULL past the end. */
const eti_writer *eti_writer_at(size_t i);

#endif
