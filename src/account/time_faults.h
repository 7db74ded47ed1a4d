/*
 * time_faults.h - counts stamps of events that cannot be right, or could be right only if a clock
 * wrapped around, and keeps the first of each kind.
 *
 * Events that a delegate logged have stamps of the delegate's clock; for these, only
 * ETI_TIME_WRAPPED and ETI_TIME_BACKWARDS are detected.
 */
#ifndef ETI_ACCOUNT_TIME_FAULTS_H
#define ETI_ACCOUNT_TIME_FAULTS_H

#include "account/call_order.h"
#include "account/nesting.h"
#include "base/text.h"
#include "model/model.h"

typedef enum eti_time_fault {
    /* Event ends before it starts, and takes less than half the range of a 32-bit clock if that clock wrapped around;
     * not a fault. */
    ETI_TIME_WRAPPED,
    /* Event ends before it starts, and would take longer; its stamps run backwards. */
    ETI_TIME_BACKWARDS,
    /* Event of an instruction starts before the Method::execute of its run. */
    ETI_TIME_EARLY,
    /* Event of an instruction ends after the Method::execute of its run. */
    ETI_TIME_OUTLASTS,
    /* Event overlaps another event in part, see nesting.h. */
    ETI_TIME_OVERLAPS,
    ETI_N_TIME_FAULTS,
} eti_time_fault;

/* Number of events of each kind that are named. */
#define ETI_FAULTS_NAMED 3

/* An event in a run. */
typedef struct eti_faulty_event {
    const eti_event_block *block;
    uint32_t run, event; /* indexes in the block */
} eti_faulty_event;

/* Faulty events of one kind, in all runs. Initialize to all zeros. */
typedef struct eti_faulty_events {
    uint64_t n;
    eti_faulty_event first[ETI_FAULTS_NAMED];
} eti_faulty_events;

typedef struct eti_time_faults {
    eti_faulty_events of[ETI_N_TIME_FAULTS];
} eti_time_faults;

void eti__time_faults_add(eti_time_faults *faults, eti_time_fault kind, eti_faulty_event event);

/* The events of a run, with their intervals. */
typedef struct eti_run_intervals {
    const eti_event_block *block;
    uint32_t run;
    uint32_t execute; /* number of Method::execute, or ETI_NO_EVENT */
    const eti_call_order *order;
    eti_nesting *nesting;    /* its scratch is overwritten */
    const uint32_t *call_at; /* per interval: the call */
} eti_run_intervals;

/* Adds the faults of a run that its intervals show: all faults except events that end before they start. */
void eti__time_faults_find(eti_time_faults *faults, const eti_run_intervals *run);

/* Adds the faults of another block. */
void eti__time_faults_join(eti_time_faults *faults, const eti_time_faults *other);

/* Returns whether a fault may make times wrong that are shown. */
bool eti__time_fault_is_serious(eti_time_fault kind);

/* Appends a sentence such as "2 events end after their Method::execute: add (Execute, run 3), mul (Execute, run 4)";
 * nothing if there are no such events. */
void eti__time_faults_describe(const eti_time_faults *faults, eti_time_fault kind, eti_buffer *out);

#endif
