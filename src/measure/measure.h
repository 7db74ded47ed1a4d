/*
 * measure.h - turns two commands of the user into a comparison of their processes.
 *
 * Runs both commands in turns, in an order that is drawn at random within each pair, and collects the dump of each process.
 * After some pairs (looks.h) compare/ or gate/ judges them: the measurement ends when something is slower, or when a change of
 * the wanted size would have been found, and otherwise after the last pair.
 */
#ifndef ETI_MEASURE_MEASURE_H
#define ETI_MEASURE_MEASURE_H

#include "gate/gate.h"
#include "measure/dumps.h"
#include "measure/looks.h"
#include "measure/machine.h"
#include "measure/options.h"
#include "measure/runner.h"
#include "profile/profile.h"
#include "stats/random.h"

/* Options and inputs of a measurement. Nothing is copied. */
typedef struct eti_measure_request {
    eti_measure_options measure;
    const eti_source *etrecords[ETI_N_MEASURED_SIDES]; /* NULL: none */
    const eti_source *programs[ETI_N_MEASURED_SIDES];  /* likewise */
    eti_options
        opening; /* its progress function, if any, cancels the measurement, which is then judged early */
    eti_profile_options profile;
    eti_gate_options gate;
    bool has_rules;         /* the report is that of the gate; otherwise that of the comparison */
    eti_write_function log; /* receives the last lines of a command that failed; NULL: none */
    void *log_context;
} eti_measure_request;

typedef enum eti_measure_stop {
    ETI_STOPPED_AT_END,
    ETI_STOPPED_SLOWER,
    ETI_STOPPED_NOT_SLOWER,
    ETI_STOPPED_BY_CALLER,
    ETI_STOPPED_BY_FAILURE, /* of a command, or of a dump that it wrote */
} eti_measure_stop;

typedef struct eti_measurement {
    const eti_measure_request *request;
    eti_arena arena; /* of commands */
    eti_runner runner;
    size_t n_sides; /* 1: only the new one */
    uint64_t seed;
    eti_random random;
    eti_looks looks; /* with two sides */
    eti_machine machine;
    eti_dumps *dumps;
    eti_source *sources; /* room for those of the dumps of a side */
    size_t n_done;       /* pairs, or processes of one side, that are complete */
    eti_profile *profiles[ETI_N_MEASURED_SIDES]; /* of the complete processes of each side */
    size_t n_judged;                             /* pairs that the outcome is about */
    size_t n_looks;                              /* that were taken */
    eti_gate_outcome outcome;                    /* at the last look */
    eti_measure_stop stop;
    double change;     /* of the total: 0.01 is 1 % slower; NaN: unknown */
    double detectable; /* change of the total that would have been found; NaN: unknown */
    double start;      /* in seconds, for the time left */
    char step[160];    /* line of progress */
} eti_measurement;

/* Opens the profiles of the complete processes of each side, as diff opens their files. Statuses of eti__profile_open(). */
eti_status eti__measurement_open_sides(eti_measurement *m, eti_error *err) ETI_WARN_UNUSED;

/* Sets the outcome, the change and the detectable change from the complete pairs. Statuses of eti__gate_make() and of
 * eti__measurement_open_sides(). */
eti_status eti__measurement_judge(eti_measurement *m, eti_error *err) ETI_WARN_UNUSED;

/* Returns the options of a gate at one look. */
eti_gate_options eti__measurement_gate_options(const eti_measurement *m);

/* measure_report.c: makes the report of a measurement that has ended. */
eti_status eti__measurement_report(eti_report **out, eti_measurement *m,
                                   eti_error *err) ETI_WARN_UNUSED;

/* eti_measure() of etinspect.h. */
eti_status eti__measure(eti_report **out, eti_gate_outcome *outcome,
                        const eti_measure_request *request, eti_error *err) ETI_WARN_UNUSED;

#endif
