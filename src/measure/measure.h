/*
 * measure.h - compares the processes started by two commands of the user.
 *
 * Runs the commands in turn, in an order that is random within each pair, and collects the dump of each process. After
 * certain numbers of pairs (looks.h), compare/ or gate/ judges them. The measurement ends when something is slower, when a
 * change of the requested size would have been detected, or after the last pair.
 */
#ifndef ETI_MEASURE_MEASURE_H
#define ETI_MEASURE_MEASURE_H

#include "base/arena.h"
#include "gate/gate.h"
#include "measure/dumps.h"
#include "measure/looks.h"
#include "measure/machine.h"
#include "measure/options.h"
#include "measure/runner.h"
#include "model/model.h"
#include "profile/profile.h"
#include "stats/stats.h"
#include "table/table.h"

/* Options and inputs of a measurement. Nothing is copied. */
typedef struct eti_measure_request {
    eti_measure_options measure;
    const eti_source *etrecords[ETI_N_MEASURED_SIDES]; /* NULL: none */
    const eti_source *programs[ETI_N_MEASURED_SIDES];  /* NULL: none */
    eti_options
        opening; /* the progress function, if any, may cancel the measurement, which is then judged early */
    eti_profile_options profile;
    eti_gate_options gate;
    bool has_rules;         /* make the report of the gate rather than that of the comparison */
    eti_write_function log; /* receives the last lines of a failed command; NULL: none */
    void *log_context;
} eti_measure_request;

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
    eti_looks looks; /* planned only for two sides */
    eti_machine machine;
    eti_dumps *dumps;
    eti_source *sources; /* has room for the sources of one side's dumps */
    size_t n_done;       /* complete pairs, or complete processes of one side */
    eti_profile *profiles[ETI_N_MEASURED_SIDES]; /* of each side's complete processes */
    size_t n_judged;                             /* pairs covered by the outcome */
    size_t n_looks;                              /* looks taken so far */
    eti_gate_outcome outcome;                    /* at the last look */
    eti_measure_stop stop;
    size_t n_needed;   /* pairs that would decide; 0 if unknown; may reach ETI_TOO_MANY_FILES */
    double change;     /* of the total: 0.01 means 1 % slower; NaN if unknown */
    double detectable; /* change of the total that would have been detected; NaN if unknown */
    double start;      /* in seconds, to estimate the time left */
    char step[160];    /* progress line */
} eti_measurement;

/* Opens profiles of each side's complete processes, as diff opens its files. Returns the statuses of eti__profile_open(). */
eti_status eti__measurement_open_sides(eti_measurement *m, eti_error *err) ETI_WARN_UNUSED;

/* Sets the outcome, the change and the detectable change from the complete pairs. Returns the statuses of
 * eti__gate_make() and of eti__measurement_open_sides(). */
eti_status eti__measurement_judge(eti_measurement *m, eti_error *err) ETI_WARN_UNUSED;

/* Returns the options for a gate at one look. */
eti_gate_options eti__measurement_gate_options(const eti_measurement *m);

/* Makes the report of a measurement that has ended (measure_report.c). */
eti_status eti__measurement_report(eti_report **out, eti_measurement *m,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Implements eti_measure() of etinspect.h. */
eti_status eti__measure(eti_report **out, eti_gate_outcome *outcome,
                        const eti_measure_request *request, eti_error *err) ETI_WARN_UNUSED;

#endif
