/*
 * sides.h - decides to which side of a comparison each of its files belongs.
 */
#ifndef ETI_CLI_SIDES_H
#define ETI_CLI_SIDES_H

#include "etinspect.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum cli_side {
    CLI_BASE,
    CLI_NEW,
    CLI_N_SIDES,
    CLI_EITHER = CLI_N_SIDES, /* a plain argument */
} cli_side;

typedef struct cli_side_file {
    cli_side side;
    cli_side follows; /* side of the last --base or --new before it; CLI_EITHER: none */
    const char *path;
    eti_file *file; /* NULL: not opened yet */
    eti_file_kind kind;
    bool is_named;          /* with --base or --new, or after one of them */
    bool is_output;         /* a baseline that is replaced by itself with files appended */
    eti_file *debug_buffer; /* NULL: none; borrowed */
} cli_side_file;

/* The files of a comparison, and the rules that its command has. */
typedef struct cli_sides {
    cli_side_file *files; /* in the order of the command line */
    size_t n_files;
    cli_side last_named; /* side of the last --base or --new; CLI_EITHER: none yet */
    bool may_lack_base;  /* one file alone is the new side, and the base NULL */
    bool takes_tensors;  /* compares recorded tensors, not times */
    bool takes_programs; /* a side may be a program alone, even if there is only one side */
    bool has_reference;  /* no plain argument is the reference: plain arguments are the new side */
} cli_sides;

/* Return whether a file is of a kind. */
bool cli_is_record(const cli_side_file *file);
bool cli_is_program(const cli_side_file *file); /* also a bundled one */
bool cli_is_dump(const cli_side_file *file);    /* an ETDump, or a log that contains one */
bool cli_has_times(const cli_side_file *file);  /* an ETDump or a baseline */

/* Returns whether the file itself is compared and does not belong to another file. */
bool cli_leads(const cli_sides *sides, const cli_side_file *file);

/* Returns whether the file belongs to the side or to both sides. */
bool cli_is_of(const cli_side_file *file, cli_side side);

/* Sets the side of each open file by the rules of cli_comparison_open(), and *n_sides to 1 if the base may be missing and is.
 * Checks that each side has what is compared. Returns CLI_OK, or CLI_USAGE after a message. */
int cli_choose_sides(cli_sides *sides, size_t *n_sides);

#endif
