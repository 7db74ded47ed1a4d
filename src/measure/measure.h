/*
 * measure.h - runs the user's commands in turns, and compares the dumps that they write.
 */
#ifndef ETI_MEASURE_MEASURE_H
#define ETI_MEASURE_MEASURE_H

#include "etinspect.h"
#include "gate/gate.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* ==== dumps =================================================================================== */
/* The dumps of a measurement: the path for the next one, and the files written so far.
 *
 * They are in a folder of the user, where they remain, or in a temporary one, where each is
 * removed once it is open. A signal that ends the program removes the dump that is being written
 * and the temporary folder. */

typedef enum eti_measured_side {
    ETI_MEASURED_BASE,
    ETI_MEASURED_NEW,
    ETI_N_MEASURED_SIDES,
} eti_measured_side;

/* ==== recording =============================================================================== */
/* Runs a program once, and writes the dump of that process with a note that says how it was made. */

typedef enum eti_recording_clock {
    ETI_RECORDING_WALL,
    ETI_RECORDING_CPU,
} eti_recording_clock;

typedef struct eti_recording_options {
    const char *python;      /* interpreter whose package executorch runs the program; NULL: any */
    const char *runner;      /* executor_runner; NULL: any */
    const char *command;     /* NULL: none */
    const char *device;      /* "local", "adb", "adb:SERIAL" or "ssh:HOST" */
    const char *method;      /* NULL: forward, or the only one */
    const char *cpus;        /* processors of the process, such as "0,2-3"; NULL: all */
    const char *inputs;      /* "random", "ones" or files */
    const char *data_path;   /* external weights; NULL: none */
    const char *etdump_path; /* NULL: beside the program */
    unsigned clock;          /* an eti_recording_clock */
    size_t n_runs;
    size_t n_threads; /* of the pool; 0: as many as the runtime chooses */
    size_t timeout;   /* in seconds */
    size_t input_seed;
    size_t debug_buffer_size; /* in bytes; 0: none */
    bool replaces;            /* a dump without a note, too */
    bool keeps_outputs;       /* of the last execution */
    /* an earlier recording with these options, whose runtime is used again; NULL: one is found */
    const struct eti_recording_result *like;
    /* keeps its folder and files for the next recording; NULL: removed at the end */
    struct eti_device *shared_device;
    const char *model_name; /* of the program in the folder of the run; NULL: model.pte */
} eti_recording_options;

#define ETI_RECORDING_OPTIONS_DEFAULT                                                              \
    { .device = "local", .inputs = "random", .n_runs = 25, .timeout = 600 }

/* An output as raw bytes. */
typedef struct eti_output_bytes {
    uint8_t *data;
    size_t size;
} eti_output_bytes;

/* Results of a recording. Texts are allocated; free them with eti__recording_free(). */
typedef struct eti_recording_result {
    char *runtime, *version; /* path of its program; version of executorch, NULL: unknown */
    unsigned kind;           /* of the runtime */
    char *path;              /* of the dump */
    char *summary; /* "25 runs of forward in 0.1 s, executorch 1.5.1 (compiled), elapsed time" */
    char *notes;   /* one on each line */
    double median; /* time of its runs in ns; 0: unknown */
    bool may_use_cpu_time;     /* the option clock could be cpu, but is not */
    eti_output_bytes *outputs; /* if they are kept */
    size_t n_outputs;
} eti_recording_result;

/* Records the program at `program`. `log` receives the last lines of a program that failed; NULL: none. ETI_ERROR_USAGE,
 * ETI_ERROR_READ: no runtime, or it failed; ETI_ERROR_WRITE: the dump exists and no recording wrote it, or it cannot be
 * written; ETI_ERROR_CANCELLED: `progress` said so; ETI_ERROR_MEMORY, and statuses of reading the program. After a failure
 * nothing is left. */
eti_status eti__record(eti_recording_result *out, const char *program,
                       const eti_recording_options *options, eti_progress progress,
                       eti_write_function log, void *log_context, eti_error *err) ETI_WARN_UNUSED;
/* Sets the paths of the files that a recording writes, in memory from malloc(), also after a failure: the dump, and the debug
 * buffer; NULL: it is not written. Links are followed. ETI_ERROR_USAGE, ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__recording_targets(char **dump, char **debug, const char *program,
                                  const eti_recording_options *options,
                                  eti_error *err) ETI_WARN_UNUSED;
/* Returns whether a path is that of a file that the option inputs names; `random` and `ones` are no files. */
bool eti__inputs_name(const char *inputs, const char *path,
                      bool (*is_same)(const char *path, const char *other));
/* Returns the length of a path without its suffix. */
int eti__stem_length(const char *path);
/* Returns whether a file is a program, .pte or .bpte, by its content. */
bool eti__is_program(const char *path);
void eti__recording_free(eti_recording_result *recorded);

/* ==== options ================================================================================= */
/* Options of a measurement. */

typedef struct eti_measure_options {
    const char *base; /* command; NULL: only the new side is measured, and there is no comparison */
    const char *new_side;   /* command */
    const char *before;     /* command to run before each process; NULL: none */
    const char *pull;       /* command to run after each process; NULL: none */
    bool uses_shell;        /* the commands are scripts for /bin/sh */
    size_t timeout;         /* in seconds, for each command */
    size_t n_pairs;         /* at most; with one side, the number of processes */
    size_t n_warm_up;       /* number of leading pairs or processes that do not count */
    const char *output_dir; /* where to keep the dumps; NULL: they are not kept */
    size_t seed;            /* of the random order within pairs */
    bool has_seed;          /* false: a random seed is used */
    const eti_recording_options *recording; /* of sides that are programs; NULL: the defaults */
} eti_measure_options;

#define ETI_MEASURE_OPTIONS_DEFAULT                                                                \
    { .timeout = 600, .n_pairs = 20, .n_warm_up = 1 }

/* ==== measure ================================================================================= */
/* Compares the processes started by two commands of the user.
 *
 * Runs the commands in turns and collects the dump of each process: of each two consecutive pairs, one
 * begins with the base and one with the new side. After certain numbers of pairs ("looks"), gate/ judges
 * them. The measurement ends when a look decides, or after the last pair; gate of the dumps gives the same
 * answer. */

/* Options and inputs of a measurement. Nothing is copied. */
typedef struct eti_measure_request {
    eti_measure_options measure;
    const eti_source *etrecords[ETI_N_MEASURED_SIDES]; /* NULL: none */
    const eti_source *programs[ETI_N_MEASURED_SIDES];  /* NULL: none */
    eti_options
        opening; /* the progress function, if any, may cancel the measurement, which is then judged early */
    eti_profile_options profile;
    eti_gate_options gate;
    double
        output_tolerance; /* largest difference of outputs, as a share of the largest value; NaN: any */
    eti_write_function log; /* receives the last lines of a failed command; NULL: none */
    void *log_context;
} eti_measure_request;

/* Implements eti_measure() of etinspect.h. */
eti_status eti__measure(eti_report **out, eti_gate_outcome *outcome,
                        const eti_measure_request *request, eti_error *err) ETI_WARN_UNUSED;

#endif
