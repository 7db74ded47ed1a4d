/*
 * bare_name.h - turns the name of a column into its name for programs, without the unit.
 */
#ifndef ETI_WRITE_BARE_NAME_H
#define ETI_WRITE_BARE_NAME_H

#include "table/report.h"

/* "p50 (ms)" becomes "p50" in a report whose times are milliseconds; any other name stays. */
eti_text eti__column_bare_name(const eti_report *report, const eti_column *column);

#endif
