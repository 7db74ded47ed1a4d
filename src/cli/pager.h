/*
 * pager.h - shows a report on the terminal; a long one a page at a time, in a program of the user's
 * choice.
 */
#ifndef ETI_CLI_PAGER_H
#define ETI_CLI_PAGER_H

#include "cli/request.h"
#include "etinspect.h"

typedef struct cli_shown {
    size_t columns; /* of the first line */
    size_t of_screen;
} cli_shown;

/* Returns whether the report goes to a terminal, directly or through a pager. */
bool cli_is_shown(const cli_request *request);

/* Writes the report: to the terminal if it fits or no pager is wanted, otherwise to ETINSPECT_PAGER, PAGER or less. If the
 * user quits the pager early, the output ends without an error. If the pager cannot be started or fails, the report is
 * written to the terminal after a warning. */
eti_status cli_show(const eti_report *report, const cli_request *request, cli_shown *shown,
                    eti_error *err);

#endif
