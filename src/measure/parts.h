/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_MEASURE_PARTS_H
#define ETI_MEASURE_PARTS_H

#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "measure/dumps.h"
#include "measure/measure.h"
#include "measure/runner.h"
#include "measure/sides.h"
#include "stats/stats.h"

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
