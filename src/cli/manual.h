/*
 * manual.h - opens the page of a command in the manual, with the man(1) of the system.
 */
#ifndef ETI_CLI_MANUAL_H
#define ETI_CLI_MANUAL_H

#include "cli/cli.h"

/* Replaces this process by man(1), which shows the page of a command: the page that was installed with the program, or else
 * the page that man(1) finds. Returns only if that is impossible: standard output is not a terminal, man(1) is not
 * installed, or there is no such page. Must be called before anything is printed. */
void cli_manual_show(const cli_command *command);

#endif
