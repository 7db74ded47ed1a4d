/*
 * cmd_help.h - prints the commands of the program.
 */
#ifndef ETI_CLI_CMD_HELP_H
#define ETI_CLI_CMD_HELP_H

#include <stdio.h>

/* Prints the purpose of the program and its commands; fits a screen of 24 lines and 80 columns. */
void cli_print_commands(FILE *stream);

#endif
