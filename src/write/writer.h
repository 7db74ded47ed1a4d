/*
 * writer.h - the list of output formats.
 */
#ifndef ETI_WRITE_WRITER_H
#define ETI_WRITE_WRITER_H

#include "etinspect.h"
#include "write/write.h"

extern const eti_writer eti__writer_fancy_grid;
extern const eti_writer eti__writer_tsv;
extern const eti_writer eti__writer_csv;
extern const eti_writer eti__writer_text;
extern const eti_writer eti__writer_json;
extern const eti_writer eti__writer_ndjson;
extern const eti_writer eti__writer_markdown;
extern const eti_writer eti__writer_junit;
extern const eti_writer eti__writer_github;
extern const eti_writer eti__writer_benchmark;
extern const eti_writer eti__writer_codequality;
extern const eti_writer eti__writer_openmetrics;
extern const eti_writer eti__writer_dot;
extern const eti_writer eti__writer_model_explorer;
extern const eti_writer eti__writer_model_explorer_data;

/* Returns the writer called `name`, or NULL. */
const eti_writer *eti__writer_find(const char *name);

/* Returns whether the writer's output is compressed for a file of this name, that is, a trace whose
 * name ends with ".gz". */
bool eti__writer_compresses(const eti_writer *writer, const char *path);
/* Checks that the report has the parts that the writer takes. ETI_ERROR_USAGE: it does not. */
eti_status eti__writer_check(const eti_writer *writer, const eti_report *report,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
