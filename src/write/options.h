/*
 * options.h - how a report is written.
 */
#ifndef ETI_WRITE_OPTIONS_H
#define ETI_WRITE_OPTIONS_H

#include "base/parallel.h"
#include "base/text.h"

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

#endif
