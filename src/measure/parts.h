/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_MEASURE_PARTS_H
#define ETI_MEASURE_PARTS_H

#include "base/arena.h"
#include "base/process.h"
#include "base/text.h"
#include "gate/gate.h"
#include "measure/measure.h"
#include "stats/stats.h"

#include <stdio.h>

/* ==== dumps =================================================================================== */

/* Dumps of one side, in recording order. */
typedef struct eti_side_dumps {
    struct eti_file *files;
    size_t n, capacity;
} eti_side_dumps;

typedef struct eti_dumps {
    eti_references references; /* files are closed when the last reference is dropped */
    char *folder;              /* absolute */
    char *shown_folder;        /* as named in messages and reports, with a slash; "" if temporary */
    bool is_temporary;
    bool is_there;  /* the temporary folder exists */
    int lock;       /* descriptor that holds the folder's lock, or -1 */
    int n_digits;   /* number of digits in names */
    FILE *pairs;    /* pairs.csv in the folder of the user; NULL: not written */
    char *expected; /* path of the dump being written, or NULL */
    eti_side_dumps sides[ETI_N_MEASURED_SIDES];
} eti_dumps;

/* Returns "base" or "new". */
const char *eti__measured_side_name(eti_measured_side side);

/* Creates the folder if it does not exist; NULL: creates a temporary one. With `has_pairs`, the folder gets pairs.csv.
 * ETI_ERROR_USAGE: it contains dumps or pairs that are not empty; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__dumps_open(eti_dumps **out, const char *folder, size_t n_pairs, bool has_pairs,
                           eti_error *err) ETI_WARN_UNUSED;

/* Sets `expected` to the path of a side's next dump. ETI_ERROR_MEMORY. */
eti_status eti__dumps_expect(eti_dumps *dumps, eti_measured_side side,
                             eti_error *err) ETI_WARN_UNUSED;
/* Opens the expected dump and adds it to its side. ETI_ERROR_READ: it is missing or empty; ETI_ERROR_DATA: it is
 * identical to an earlier one; ETI_ERROR_MEMORY. */
eti_status eti__dumps_take(eti_dumps *dumps, eti_measured_side side,
                           eti_error *err) ETI_WARN_UNUSED;
/* Adds a line about the newest dump of a side to pairs.csv, if it is written: whether it is the first or the second process of
 * its pair, when it started, in seconds since 1970, and the load average then; NaN if unknown. ETI_ERROR_WRITE. */
eti_status eti__dumps_add_pair(eti_dumps *dumps, eti_measured_side side, int order, int64_t start,
                               double load, eti_error *err) ETI_WARN_UNUSED;
/* Removes the expected dump, if there is one. */
void eti__dumps_discard(eti_dumps *dumps);

/* Returns the bytes of a dump and its name in messages and reports, such as "base-01.etdp". */
eti_source eti__dumps_source(const eti_dumps *dumps, eti_measured_side side, size_t i);

/* Returns a reference to the open files. */
eti_kept eti__dumps_keep(const eti_dumps *dumps);
/* Removes the temporary folder with its contents, and drops the owner's reference. NULL is allowed. */
void eti__dumps_close(eti_dumps *dumps);

/* ==== dump folder ============================================================================= */
/* Creates the temporary folder of a measurement, and removes those of dead processes.
 *
 * A folder is called etinspect- and 16 hexadecimal digits. Its process holds a lock (flock) on it,
 * as on temporary files: see base/temporary.h. */

/* Returns whether this is a name that measurements give to dumps, such as base-01.etdp. */
bool eti__is_dump_name(const char *name);

/* Creates a folder in `parent` that only this user can read, and removes stale folders there. Returns a descriptor that
 * holds the lock, or -1 with errno set. The caller frees `*path`, which is on the list of leftovers until the caller
 * drops it; it is NULL after a failure. */
int eti__dump_folder_make(char **path, const char *parent);

/* Removes a folder that was made here, with everything in it. */
void eti__dump_folder_remove(const char *path);

/* Removes this user's stale folders in `parent`, with the dumps in them; a folder that contains anything else is kept.
 * Examines only the first few thousand entries of a large parent. */
void eti__dump_folder_sweep(const char *parent);

/* ==== command ================================================================================= */
/* Turns a user's command into the arguments of a process.
 *
 * A command is split into words as by a shell: at blanks outside quotes; '...' preserves all
 * characters, "..." preserves all except a \ before \, ", $ or `, and \ outside quotes preserves
 * the next character. Nothing is expanded, and no shell runs: characters that only a shell would
 * interpret must be quoted. In each word, {} stands for the path of the dump.
 *
 * With a shell, the command is a script for /bin/sh in which {} stands for "$1", the path, both
 * inside and outside quotes. */

typedef struct eti_command {
    const char *option; /* name of the option that set it, for messages */
    const char *text;   /* as given */
    char **words;       /* may contain {}; terminated by NULL */
    size_t n_words;
    bool has_path; /* a word contains {} */
} eti_command;

/* Parses a command; everything is stored in the arena. `option` and `text` are not copied. ETI_ERROR_USAGE: no words, an
 * unclosed quote, or a character that needs a shell; ETI_ERROR_MEMORY. */
eti_status eti__command_parse(eti_command *out, eti_arena *arena, const char *option,
                              const char *text, bool uses_shell, eti_error *err) ETI_WARN_UNUSED;

/* Returns the words, with each {} replaced by the path and, unless it is NULL, each {model} by the program, terminated by
 * NULL. NULL: out of memory. */
char **eti__command_arguments(const eti_command *command, eti_arena *arena, const char *path,
                              const char *program);

/* Logs the last lines of a text. */
void eti__log_last_lines(eti_text text, eti_write_function log, void *context);
/* Logs those of standard error or, if that is empty, of standard output; `log` may be NULL. */
void eti__log_end(const eti_process_result *result, eti_write_function log, void *context);
/* Describes how a process ended, such as "exit status 1"; `timeout` is in seconds. */
void eti__describe_end(char *out, size_t size, const eti_process_result *result, double timeout);

/* ==== runner ================================================================================== */

typedef struct eti_runner {
    eti_command sides[ETI_N_MEASURED_SIDES];
    eti_command before, pull; /* without words if not given */
    const char *programs
        [ETI_N_MEASURED_SIDES]; /* a program to record in place of a command; NULL: a command */
    eti_recording_options recording;
    eti_recording_result first[ETI_N_MEASURED_SIDES]; /* of the first process, with its outputs */
    struct eti_device *device; /* of all processes; allocated, NULL before the first one */
    double timeout;            /* in seconds */
    eti_wait_function wait;    /* called while a command runs; returns false to end it */
    void *wait_context;
    eti_write_function log; /* receives the last lines of a failed command; NULL: none */
    void *log_context;
} eti_runner;

/* Parses the commands. ETI_ERROR_USAGE: there is no command for the new side, a command cannot be parsed, or {} is
 * neither in a side's command nor in the one that fetches its dump; ETI_ERROR_MEMORY. */
eti_status eti__runner_open(eti_runner *out, eti_arena *arena, const eti_measure_options *options,
                            eti_error *err) ETI_WARN_UNUSED;

/* Runs one process, whose dump is expected at `path`. ETI_ERROR_READ: a command failed; ETI_ERROR_CANCELLED: `wait` ended
 * it; ETI_ERROR_MEMORY. */
eti_status eti__runner_run(eti_runner *runner, eti_measured_side side, const char *path,
                           eti_error *err) ETI_WARN_UNUSED;

/* ==== sides =================================================================================== */

/* Finds out which sides are programs, by their content, and checks that they have equal ports. ETI_ERROR_USAGE: one side is a
 * command, or an option needs one; and statuses of reading programs. */
eti_status eti__sides_open(eti_runner *runner, const eti_measure_options *options,
                           eti_error *err) ETI_WARN_UNUSED;

/* Records a side's program to `path`, and keeps the outputs of its first process. Fails as eti__record() does. */
eti_status eti__side_run(eti_runner *runner, eti_measured_side of, const char *path,
                         eti_error *err) ETI_WARN_UNUSED;

void eti__sides_close(eti_runner *runner);

typedef enum eti_outputs_verdict {
    ETI_OUTPUTS_UNCHECKED, /* a side is a command, or has not run */
    ETI_OUTPUTS_EQUAL,     /* bit for bit, with NaN equal to NaN */
    ETI_OUTPUTS_DIFFER,
} eti_outputs_verdict;

/* The largest difference of an output. */
typedef struct eti_outputs_difference {
    eti_outputs_verdict verdict;
    size_t n;      /* number of outputs */
    size_t output; /* that differs most */
    double
        most; /* largest absolute difference; infinite: of a type or size that cannot be compared */
    double share;   /* of the largest absolute value of the base's output */
    size_t n_above; /* outputs whose share is above the tolerance */
} eti_outputs_difference;

/* Compares the outputs of the first processes; `tolerance` may be NaN. ETI_ERROR_MEMORY, and statuses of reading the
 * program. */
eti_status eti__outputs_compare(eti_outputs_difference *out, const eti_runner *runner,
                                double tolerance, eti_error *err) ETI_WARN_UNUSED;

/* ==== looks =================================================================================== */
/* Plans after how many pairs of processes a measurement judges them, so that it may stop early.
 *
 * The last look is the gate of all pairs, with all of alpha and beta. An earlier look has a tenth of alpha and a fifth of
 * beta, so that all looks together have at most 1.2 alpha and 1.4 beta; it ends the measurement only if the gate of its
 * pairs, with all of alpha and beta, agrees. */

#define ETI_MOST_LOOKS 3
#define ETI_EARLY_ALPHA 0.1 /* share of alpha that an early look has */
#define ETI_EARLY_BETA 0.2

typedef struct eti_looks {
    size_t pairs[ETI_MOST_LOOKS]; /* ascending; the last is the total number of pairs */
    size_t n;
} eti_looks;

/* Plans looks after 40, 60 and 100 % of the pairs (8, 12 and 20 of 20): even numbers of at least 8, except for the last; with
 * fewer than 16 pairs, only at the end. */
eti_looks eti__looks_plan(size_t n_pairs);

/* ==== machine ================================================================================= */
/* Reads properties of this machine that disturb measurements: load, temperature and clock
 * governor, as far as Linux reports them. Unknown ones are omitted. */

/* Lowest and highest value; low > high: no value was read. */
typedef struct eti_range {
    double low, high;
} eti_range;

typedef struct eti_machine {
    const char *root; /* root of the file system; "" except in tests */
    size_t n_processors;
    double first_load, newest_load; /* NaN if unknown */
    eti_range load;                 /* load average of the last minute */
    eti_range temperature;          /* temperature of the hottest zone, in degrees Celsius */
    char governor[32]; /* first governor that was read, of the first processor; "" if unknown */
    char other_governor[32]; /* another governor that was read later; "" if none */
} eti_machine;

/* Returns a state in which nothing has been read yet. */
eti_machine eti__machine_start(const char *root);

/* Reads the current state, and widens the ranges. */
void eti__machine_look(eti_machine *machine);

/* Returns whether the machine was busy before the measurement: the load was more than half the number of processors. */
bool eti__machine_was_busy(const eti_machine *machine);

/* Returns whether the load was more than half the number of processors at some time. */
bool eti__machine_is_busy(const eti_machine *machine);

/* Appends a text such as "2 processors, governor performance, load average 0.2 to 1.1, 48 to 53 °C". */
void eti__machine_describe(const eti_machine *machine, eti_buffer *out);

/* ==== measure ================================================================================= */

typedef enum eti_measure_stop {
    ETI_STOPPED_AT_END,
    ETI_STOPPED_SLOWER,
    ETI_STOPPED_NOT_SLOWER,
    ETI_STOPPED_BY_CALLER,
    ETI_STOPPED_BY_FAILURE, /* failure of a command, or of the dump it wrote */
} eti_measure_stop;

typedef struct eti_measurement {
    const eti_measure_request *request;
    eti_arena arena; /* holds the commands */
    eti_runner runner;
    size_t n_sides; /* 1: only the new side */
    uint64_t seed;
    eti_random random;
    bool base_is_first; /* in the current pair */
    eti_looks looks;    /* planned only for two sides */
    eti_machine machine;
    eti_dumps *dumps;
    eti_source *sources; /* has room for the sources of one side's dumps */
    size_t n_done;       /* complete pairs, or complete processes of one side */
    eti_profile *profiles[ETI_N_MEASURED_SIDES]; /* of each side's complete processes */
    size_t n_judged;                             /* pairs covered by the outcome */
    size_t n_looks;                              /* looks taken so far */
    eti_gate_outcome outcome;                    /* of the gate of the complete pairs */
    eti_outputs_difference outputs;              /* known when it ended */
    eti_measure_stop stop;
    size_t n_needed; /* pairs that would decide; 0 if unknown; may reach ETI_TOO_MANY_FILES */
    double change;   /* of the total: 0.01 means 1 % slower; NaN if unknown */
    double start;    /* in seconds, to estimate the time left */
    char step[160];  /* progress line */
} eti_measurement;

/* Opens profiles of each side's complete processes, as diff opens its files. Returns the statuses of eti__profile_open(). */
eti_status eti__measurement_open_sides(eti_measurement *m, eti_error *err) ETI_WARN_UNUSED;

/* Returns the options for the gate of all complete pairs. */
eti_gate_options eti__measurement_gate_options(const eti_measurement *m);

/* Makes the report of a measurement that has ended (measure_report.c). */
eti_status eti__measurement_report(eti_report **out, eti_measurement *m,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
