/*
 * comparison.h - turns file arguments and options into the sides of a comparison, for all commands that have sides.
 *
 * Files are recognized by their content: ETDumps (and logs with ETDumps), ETRecords, programs and baselines. A side is one
 * or more dumps and baselines, and at most one record and one program; or, if there is no dump, a program.
 */
#ifndef ETI_CLI_COMPARISON_H
#define ETI_CLI_COMPARISON_H

#include "api/api.h"
#include "cli/options.h"
#include "cli/request.h"
#include "etinspect.h"

#include <stdbool.h>
#include <stddef.h>

/* ==== sides =================================================================================== */
/* Decides to which side of a comparison each of its files belongs. */

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

/* ==== comparison ============================================================================== */

/* Collects the arguments as they are parsed. */
typedef struct cli_comparison {
    cli_request request;
    cli_sides sides;
    const char **debug_buffer_paths; /* of the ETDumps, in their order */
    eti_file **debug_buffers;
    size_t n_debug_buffers;
    eti_inspector *inspectors[CLI_N_SIDES];
    eti_profile **parts[CLI_N_SIDES];
    size_t n_parts[CLI_N_SIDES];
    eti_profile *merged[CLI_N_SIDES];
} cli_comparison;

/* Takes an argument: a cli_take whose context is a cli_comparison. */
int cli_comparison_take(void *comparison, const eti__option *option, const char *value);

/* Takes, as the first file, a baseline that the outputs may replace. Returns CLI_OK, or an exit status after a message. */
int cli_comparison_append_to(cli_comparison *comparison, const char *path);

/* Takes over an open ETDump as a file of the base; `before` is the number of files that precede it on the command line.
 * Returns CLI_OK, or an exit status after a message. */
int cli_comparison_add_base(cli_comparison *comparison, size_t before, const char *path,
                            eti_file *file);

/* Opens all files and, with two sides, decides to which side each plain argument belongs: a dump or baseline to the
 * side of the last --base or --new before it; without these options, the first to the base and the second to the new side; a record or program to the side of the dump or baseline before it, or to both sides if
 * it is the only one. Without dumps, a program may begin a side. With one side, all files belong to it. Then makes a profile
 * of each side, which the comparison owns. Returns CLI_OK, or an exit status after a message. */
int cli_comparison_open(cli_comparison *comparison, size_t n_sides, eti_profile *out[],
                        const char *const outputs[], size_t n_outputs);

/* Does the same, but only opens inspectors, which the comparison owns: out[CLI_BASE] is NULL if a single ETDump was given,
 * or if has_reference is set and no ETDump is the base. The debug buffers belong to the ETDumps in the order of the command
 * line. */
int cli_comparison_open_tensors(cli_comparison *comparison, eti_inspector *out[],
                                const char *const outputs[], size_t n_outputs);

/* Makes a report of one profile; may make one even if it fails, or else sets *out to NULL. */
typedef eti_status (*cli_profile_report)(eti_report **out, const eti_profile *profile,
                                         const eti_request *request, eti_error *err);

/* Opens one side and prints the report that `make` makes of it. Returns the exit status. */
int cli_comparison_print_profile(cli_comparison *comparison, cli_profile_report make);

/* Begins the comparison, runs it as cli_request_run() does, and closes it. Returns the exit status. */
int cli_comparison_run(const cli_command *command, cli_comparison *comparison, int argc,
                       char **argv, cli_take take, cli_act act, void *context);

#endif
