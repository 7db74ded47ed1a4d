/*
 * pager.h - shows a report on the terminal; a long one a page at a time, in a program of the user's
 * choice.
 */
#ifndef ETI_CLI_PAGER_H
#define ETI_CLI_PAGER_H

#include "cli/request.h"

typedef struct cli_shown {
    size_t columns; /* of the first line */
    size_t of_screen;
} cli_shown;

/* Whether the report goes to a terminal, by this program or a pager that it may start. */
bool cli_is_shown(const cli_request *request);

/* Writes the report: to the terminal when it fits or there is to be no pager, else to ETINSPECT_PAGER, PAGER or less. A
 * pager that is left early ends the output without an error; after one that cannot be started or fails all is written,
 * after a warning. */
eti_status cli_show(const eti_report *report, const cli_request *request, cli_shown *shown,
                    eti_error *err);

#endif
