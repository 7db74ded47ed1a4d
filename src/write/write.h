/*
 * write.h - the registry of writers, and the pieces that several writers use.
 */
#ifndef ETI_WRITE_WRITE_H
#define ETI_WRITE_WRITE_H

#include "base/json_writer.h"
#include "base/output.h"
#include "base/parallel.h"
#include "base/text.h"
#include "etinspect.h"

/* ==== options ================================================================================= */
/* How a report is written. */

typedef enum eti_color {
    ETI_COLOR_AUTO, /* on a terminal, unless NO_COLOR is set */
    ETI_COLOR_ALWAYS,
    ETI_COLOR_NEVER,
} eti_color;

typedef struct eti_write_options {
    eti_color color;
    size_t width; /* columns of the screen; 0: those of the terminal, or unlimited without one */
    bool ascii;   /* draw with ASCII only, regardless of the locale */
    bool
        keeps_unit; /* formats for people also have times in the target time scale, not in a fitting unit */
    bool csv_safe;  /* apply eti_table_defuse_formulas() to CSV and TSV */
    bool replaces;  /* a bundled program may replace a file */
    bool append;    /* append to the file: SQLite only */
    bool no_sha256; /* leave out the SHA-256 of the sources */
    bool no_sync;   /* do not wait until a file is on the disk */
    const eti_label *labels;
    size_t n_labels;
    bool for_terminal;     /* the output goes to a function, but is shown on a terminal */
    size_t most_bytes;     /* size limit of Markdown, which notes omissions; 0: none */
    eti_progress progress; /* progress of writing, except to a terminal */
} eti_write_options;

#define ETI_WRITE_OPTIONS_DEFAULT                                                                  \
    { .color = ETI_COLOR_AUTO }

/* ==== json provenance ========================================================================= */
/* Writes the provenance of a report's numbers as members of a JSON object. */

/* Adds the members "schema", "version", "view", "time_scale", "sources" with their SHA-256, and "labels" to an object. With
 * `has_lines` all but the first begin a line. */
void eti__json_add_provenance(eti_json_writer *json, const eti_report *report,
                              const eti_write_options *options, bool has_lines);

/* ==== writer ================================================================================== */
/* The list of output formats. A format is one file here and one row in writer.c. */

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
        *suffixes; /* of files of this format: "md,markdown"; they may hold dots; NULL: none */
    const char *
        other_suffixes; /* that suit the format although they stand for another: .json for any JSON; NULL: none */
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
    bool
        fits_units; /* shows numbers in units that fit them, not in those of formats for programs */
    bool is_file;   /* is not written to a terminal */
    bool
        has_commands; /* writes lines that CI runners may take for commands, and keeps them out of names itself */
} eti_writer;
extern const eti_writer eti__writer_sqlite;
extern const eti_writer eti__writer_chrome;
extern const eti_writer eti__writer_perfetto;
extern const eti_writer eti__writer_speedscope;
extern const eti_writer eti__writer_folded;
extern const eti_writer eti__writer_pprof;
extern const eti_writer eti__writer_html; /* of src/report/ */
/* Finds out as setlocale() does whether the locale has UTF-8, without changing the program's locale. */
bool eti__locale_has_utf8(void);

/* Finds the writer called `name`. ETI_ERROR_USAGE: there is none. */
eti_status eti__writer_get(const eti_writer **out, const char *name,
                           eti_error *err) ETI_WARN_UNUSED;
/* Returns the i-th writer, or NULL past the end. */
const eti_writer *eti__writer_at(size_t i);

/* Chooses the format of a file: `format` if it is not NULL, or else the format that the suffix of `path` stands for, or else
 * `standard`. A suffix shared by several formats stands for the first that takes the same parts as `standard`, or else for
 * the first. ETI_ERROR_USAGE: there is no such format, the suffix suits another format only or stands for one that no
 * writer has (.xlsx, .parquet), or `standard` is a trace and the format is of tables. */
eti_status eti__format_choose(const char **out, const char *format, const char *path,
                              const char *standard, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether a file with this name is that of a program that no writer writes for: text in an .xlsx would only
 * surprise its user later. */
bool eti__has_foreign_suffix(const char *path);

/* Checks that reports with these parts (ETI_TAKES_..., and tables) suit the writer. ETI_ERROR_USAGE: they do not. */
eti_status eti__writer_check_parts(const eti_writer *writer, unsigned parts,
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
