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
    eti_write_function log; /* receives the last lines of a failed command; NULL: none */
    void *log_context;
} eti_measure_request;

/* Implements eti_measure() of etinspect.h. */
eti_status eti__measure(eti_report **out, eti_gate_outcome *outcome,
                        const eti_measure_request *request, eti_error *err) ETI_WARN_UNUSED;

#endif
