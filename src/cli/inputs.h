/*
 * inputs.h - turns file arguments, recognized by their content, into the inputs of an inspector.
 */
#ifndef ETI_CLI_INPUTS_H
#define ETI_CLI_INPUTS_H

#include "api/api.h"
#include "etinspect.h"

/* Collects the arguments as they are parsed. Starts as all zeros. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members are grouped by meaning */
typedef struct cli_inputs {
    const char *etdump_path; /* the options; NULL: not given */
    const char *etrecord_path;
    const char *program_path;
    const char *debug_buffer_path;
    const char *available_path;
    const char *run_methods_path;
    const char *reference_path; /* which the command opens itself */
    const char *
        *plain; /* plain arguments, and values of options that mean the same as a plain argument */
    size_t n_plain;
    char **found; /* plain arguments that a folder stands for */
    size_t n_found;
    eti_file_kind
        expected; /* of plain arguments, in messages: ETI_FILE_PROGRAM, or ETI_FILE_UNKNOWN: any */

    bool takes_stems;         /* a plain argument that names no file stands for its companions */
    bool takes_program_stems; /* so does a program, if there is no ETDump */
    bool needs_no_times;      /* unless there is a record: they are enough for the command */

    eti__companions *companions; /* of each such argument */
    size_t n_companions;
    char *runnable; /* a program beside an argument that has no ETDump; NULL: none */
    const eti__companions *lends_etrecord; /* the files that the record or the program is one of, */
    const eti__companions *lends_program;  /* if it was found and not named; otherwise NULL */

    eti_file **files; /* all that were opened */
    size_t n_files;
    eti_source *etdumps;
    size_t n_etdumps;
    eti_source etrecord;
    bool has_etrecord;
    eti_source *programs;
    size_t n_programs;
    eti_source *data; /* .ptd */
    size_t n_data;
    eti_source debug_buffer;
    bool has_debug_buffer;
    eti_source available; /* operators of a build */
    bool has_available;
    eti_source run_methods; /* labels of runs */
    bool has_run_methods;
} cli_inputs;

/* Keeps a plain argument, or the files of a session of the Neuron Runtime that a folder stands for. Returns CLI_OK, or the exit status after a message. */
int cli_inputs_add_plain(cli_inputs *inputs, const char *path);

/* Keeps the value of an option that names an input. Returns CLI_OK, or the exit status after a message. */
int cli_inputs_take(cli_inputs *inputs, const eti__option *option, const char *path);

/* Returns the name of a kind that etinspect reads, such as "an ETDump"; NULL: etinspect does not read this kind. */
const char *cli_name_of_kind(eti_file_kind kind);

/* Fails if the file contains something other than a debug buffer; the log of a device may contain one. */
int cli_check_debug_buffer(const char *path, const eti_file *file);

/* Prints why a plain argument of this kind cannot be used; `expected` is as in cli_inputs. Returns an exit status. */
int cli_fail_kind(const eti_source *source, eti_file_kind kind, eti_file_kind expected);

/* Prints that no ETDump was given; for a record or a program alone, suggests a command line. Returns CLI_USAGE. */
int cli_fail_without_dump(const cli_inputs *inputs);

/* Prints that no program was given; for data files alone, names the command that lists them. Returns CLI_USAGE. */
int cli_fail_without_program(const cli_inputs *inputs);

/* Prints that only one program can be given. Returns CLI_USAGE. */
int cli_fail_second_program(const cli_inputs *inputs);

/* Opens all inputs and sorts them by kind. Returns CLI_OK, or the exit status after a message. With
 * `keep_going`, plain arguments that cannot be used are reported and skipped, and the worst status
 * is returned. */
int cli_inputs_open(cli_inputs *inputs, bool keep_going);

/* Finds the files of an argument, as eti__companions_find() does. Returns CLI_OK, or an exit status after a message. */
int cli_companions_find(eti__companions *out, const char *argument);
/* Prints which of the files are used; those of `lacks` were found, but are of another export. */
void cli_companions_print(const eti__companions *companions, unsigned lacks);
/* Prints that for all arguments with companions. A record or program that was found, but is not in use any more, is of another export. */
void cli_inputs_print_companions(const cli_inputs *inputs);

/* Adds these ETDumps, the ETRecord, the programs with their data, the debug buffer and the list of operators to the
 * request. */
eti_status cli_inputs_add(const cli_inputs *inputs, const eti_source *etdumps, size_t n,
                          eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* Checks that each of `outputs` (paths; NULL and "" are ignored, "-" is standard output) can be written without replacing an
 * input or another output. Returns CLI_OK, or the exit status after a message. */
int cli_inputs_check_outputs(const cli_inputs *inputs, const char *const outputs[], size_t n);

void cli_inputs_close(cli_inputs *inputs);

#endif
