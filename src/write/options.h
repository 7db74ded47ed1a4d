/*
 * options.h - how a report is written.
 */
#ifndef ETI_WRITE_OPTIONS_H
#define ETI_WRITE_OPTIONS_H

#include "base/label.h"
#include "base/progress.h"

typedef enum eti_color {
    ETI_COLOR_AUTO, /* on a terminal, where NO_COLOR is not set */
    ETI_COLOR_ALWAYS,
    ETI_COLOR_NEVER,
} eti_color;

typedef struct eti_write_options {
    eti_color color;
    size_t width; /* columns of the screen; 0: the terminal's, and any number where there is none */
    bool ascii;   /* draw with ASCII only, though the locale may have more */
    bool csv_safe; /* eti_table_defuse_formulas() for CSV and TSV */
    bool append;   /* to what the file has: SQLite only */
    const eti_label *labels;
    size_t n_labels;
    bool for_terminal;     /* what a function receives is shown on a terminal */
    size_t most_bytes;     /* of Markdown, which says what was left out; 0: any number */
    eti_progress progress; /* of writing, but not to a terminal */
} eti_write_options;

#define ETI_WRITE_OPTIONS_DEFAULT                                                                  \
    { .color = ETI_COLOR_AUTO }

#endif
