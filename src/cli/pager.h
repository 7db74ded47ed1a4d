/*
 * pager.h - shows what is longer than the screen a page at a time, in a program of the user's choice.
 */
#ifndef ETI_CLI_PAGER_H
#define ETI_CLI_PAGER_H

#include "cli/request.h"

/* Whether the report goes to a terminal, and a pager may be started. */
bool cli_pager_is_wanted(const cli_request *request);

/* Writes the report: to the terminal when it fits, else to ETINSPECT_PAGER, PAGER or less. A pager that is left early
 * ends the output without an error. */
eti_status cli_pager_save(const eti_report *report, const cli_request *request, eti_error *err);

#endif
