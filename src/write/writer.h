/*
 * writer.h - the list of output formats. A format is one file here and one row in writer.c.
 */
#ifndef ETI_WRITE_WRITER_H
#define ETI_WRITE_WRITER_H

#include "base/output.h"
#include "table/table.h"
#include "write/options.h"

/* Parts of a report that a writer takes. Every report has tables. */
enum {
    ETI_TAKES_TABLES = 1,
    ETI_TAKES_GATE = 2,   /* report->gate */
    ETI_TAKES_GRAPH = 4,  /* report->graph */
    ETI_TAKES_SLICES = 8, /* report->slices */
};

/* A writer does not report a failing `output`; eti__output_commit() does. */
typedef struct eti_writer {
    const char *name;    /* name for --format */
    const char *summary; /* half a line for help */
    const char
        *suffixes;  /* of files of this format: "md,markdown"; they may hold dots; NULL: none */
    unsigned takes; /* ETI_TAKES_..., which the report must have */
    /* A writer has one of these two functions. With write_table, it receives the tables of a report
     * one by one, with texts in place of lists. */
    eti_status (*write_table)(const eti_table *table, const eti_write_options *options,
                              eti_output *output, eti_error *err);
    eti_status (*write_report)(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err);
    /* Writes further rows after those of a table with the same columns; NULL: the writer of a table needs all rows at once.
     * A writer of a report writes eti_section.parts itself if `takes_parts`. */
    eti_status (*write_rows)(const eti_table *table, eti_output *output, eti_error *err);
    bool takes_parts;
    /* Appends to the file at `path`, or makes it; NULL: the format cannot be appended to. */
    eti_status (*append_report)(const eti_report *report, const eti_write_options *options,
                                const char *path, eti_error *err);
    bool is_for_programs; /* writes the extra columns of tables too */
    bool is_for_people;   /* leaves out the rows that a section hides */
    bool is_file;         /* is not written to a terminal */
} eti_writer;

extern const eti_writer eti__writer_fancy_grid;
extern const eti_writer eti__writer_tsv;
extern const eti_writer eti__writer_csv;
extern const eti_writer eti__writer_text;
extern const eti_writer eti__writer_json;
extern const eti_writer eti__writer_ndjson;
extern const eti_writer eti__writer_markdown;
extern const eti_writer eti__writer_sqlite;
extern const eti_writer eti__writer_junit;
extern const eti_writer eti__writer_github;
extern const eti_writer eti__writer_benchmark;
extern const eti_writer eti__writer_dot;
extern const eti_writer eti__writer_model_explorer;
extern const eti_writer eti__writer_model_explorer_data;
extern const eti_writer eti__writer_chrome;
extern const eti_writer eti__writer_perfetto;
extern const eti_writer eti__writer_speedscope;
extern const eti_writer eti__writer_folded;
extern const eti_writer eti__writer_pprof;
extern const eti_writer eti__writer_html; /* of src/report/ */

/* Returns the writer called `name`, or NULL. */
const eti_writer *eti__writer_find(const char *name);
/* Finds the writer called `name`. ETI_ERROR_USAGE: there is none. */
eti_status eti__writer_get(const eti_writer **out, const char *name,
                           eti_error *err) ETI_WARN_UNUSED;
/* Returns the i-th writer, or NULL past the end. */
const eti_writer *eti__writer_at(size_t i);

/* Chooses the format of a file: `format` if it is not NULL, or else the format that the suffix of `path` stands for, or else
 * `standard`. A suffix shared by several formats stands for the first that takes the same parts as `standard`, or else for
 * the first. ETI_ERROR_USAGE: there is no such format, the suffix stands for another kind of format or for one that no
 * writer has (.xlsx, .parquet), or `standard` is a trace and the format is of tables. */
eti_status eti__format_choose(const char **out, const char *format, const char *path,
                              const char *standard, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether a file with this name is that of a program that no writer writes for: text in an .xlsx would only
 * surprise its user later. */
bool eti__has_foreign_suffix(const char *path);

/* Returns whether the writer's output is compressed for a file of this name, that is, a trace whose
 * name ends with ".gz". */
bool eti__writer_compresses(const eti_writer *writer, const char *path);

/* Checks that reports with these parts (ETI_TAKES_..., and tables) suit the writer. ETI_ERROR_USAGE: they do not. */
eti_status eti__writer_check_parts(const eti_writer *writer, unsigned parts,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Checks that the report has the parts that the writer takes. ETI_ERROR_USAGE: it does not. */
eti_status eti__writer_check(const eti_writer *writer, const eti_report *report,
                             eti_error *err) ETI_WARN_UNUSED;
/* Checks that a format for files is not written to a terminal. ETI_ERROR_USAGE: it would be. */
eti_status eti__writer_check_output(const eti_writer *writer, const eti_output *output,
                                    eti_error *err) ETI_WARN_UNUSED;

/* eti_report_write() and eti_report_save() of etinspect.h; `options` may be NULL. */
eti_status eti__report_write(const eti_report *report, const char *format,
                             const eti_write_options *options, eti_write_function write,
                             void *context, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__report_save(const eti_report *report, const char *format, const char *path,
                            const eti_write_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
