/*
 * checks.h - finds what formats for continuous integration need in the report of a gate: the columns of its checks.
 */
#ifndef ETI_WRITE_CHECKS_H
#define ETI_WRITE_CHECKS_H

#include "table/report.h"

typedef enum eti_check_column {
    ETI_CHECK_VERDICT,
    ETI_CHECK_RULE,
    ETI_CHECK_NAME,
    ETI_CHECK_KEY,
    ETI_CHECK_BLOCK,
    ETI_CHECK_MODULE,
    ETI_CHECK_METRIC,
    ETI_CHECK_BASE,
    ETI_CHECK_NEW,
    ETI_CHECK_BASE_BYTES,
    ETI_CHECK_NEW_BYTES,
    ETI_CHECK_CHANGE,
    ETI_CHECK_LOW,
    ETI_CHECK_HIGH,
    ETI_CHECK_P,
    ETI_CHECK_RUNS,
    ETI_CHECK_FILE,
    ETI_CHECK_LINE,
    ETI_CHECK_MESSAGE,
    ETI_N_CHECK_COLUMNS,
} eti_check_column;

typedef struct eti_checks {
    const eti_report *report;
    const eti_table *table;
    size_t columns[ETI_N_CHECK_COLUMNS];
} eti_checks;

/* ETI_ERROR_USAGE: the report is not that of a gate, or columns of it were left out. `format` is for the message. */
eti_status eti_checks_find(eti_checks *out, const eti_report *report, const char *format,
                           eti_error *err) ETI_WARN_UNUSED;

static inline const eti_cell *eti_check_cell(const eti_checks *checks, const eti_cell *cells,
                                             eti_check_column column) {
    return &cells[checks->columns[column]];
}

/* The name of a column, without its unit. */
const char *eti_check_column_name(eti_check_column column);

#endif
