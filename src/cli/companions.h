/*
 * companions.h - finds the files that lie beside a stem: model.etdp, model.etrecord and model.pte of the argument "model".
 */
#ifndef ETI_CLI_COMPANIONS_H
#define ETI_CLI_COMPANIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A plain argument that stands for several files. Paths are allocated; NULL: there is no such file. */
typedef struct cli_companions {
    char *stem; /* the argument, without the suffix .pte */
    char *etdump, *etrecord, *program;
    bool is_program_named; /* the argument is the program itself */
} cli_companions;

/* Returns whether an argument names no file, but may be a stem: nothing has that name, or a folder. */
bool cli_may_be_stem(const char *argument);

/* Returns whether an argument has the suffix of a program, .pte. */
bool cli_may_be_program(const char *argument);

/* Finds the files of an argument. Without an ETDump, all other files are NULL. Returns CLI_OK, or an exit status after a
 * message, with nothing to free: CLI_USAGE if there are two ETDumps. */
int cli_companions_find(cli_companions *out, const char *argument);

/* Prints which of the files are used. `lacks_etrecord`, `lacks_program`: this file was found, but belongs to another export. */
void cli_companions_print(const cli_companions *companions, bool lacks_etrecord,
                          bool lacks_program);

void cli_companions_free(cli_companions *companions);

#endif
