/*
 * time_faults.h - counts stamps of events that cannot be right, or could only be right if a clock
 * wrapped around, and keeps the first of each kind.
 *
 * Events that a delegate logged have stamps of its own clock; in these, only ETI_TIME_WRAPPED and
 * ETI_TIME_BACKWARDS are found.
 */
#ifndef ETI_ACCOUNT_TIME_FAULTS_H
#define ETI_ACCOUNT_TIME_FAULTS_H

#include "account/call_order.h"
#include "account/nesting.h"
#include "base/text.h"
#include "model/block.h"
#include "model/run_events.h"

typedef enum eti_time_fault {
    /* Ends before it starts, and takes less than half the range of a clock of 32 bits if that wrapped around: no fault */
    ETI_TIME_WRAPPED,
    /* Ends before it starts, and would take longer: its stamps run backwards */
    ETI_TIME_BACKWARDS,
    /* Of an instruction, and starts before the Method::execute of its run */
    ETI_TIME_EARLY,
    /* Of an instruction, and ends after the Method::execute of its run */
    ETI_TIME_OUTLASTS,
    /* Overlaps another event in part, see nesting.h */
    ETI_TIME_OVERLAPS,
    ETI_N_TIME_FAULTS,
} eti_time_fault;

/* Number of events of a kind that are named. */
#define ETI_FAULTS_NAMED 3

/* An event in a run. */
typedef struct eti_faulty_event {
    const eti_event_block *block;
    uint32_t run, event; /* numbers in the block */
} eti_faulty_event;

/* Events in all runs, of one kind. Starts as all zeros. */
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
    const uint32_t *call_at; /* per interval: its call */
} eti_run_intervals;

/* Adds the faults of a run that its intervals show: all but those of events that end before they start. */
void eti__time_faults_find(eti_time_faults *faults, const eti_run_intervals *run);

/* Adds the faults of another block. */
void eti__time_faults_join(eti_time_faults *faults, const eti_time_faults *other);

/* Whether times that are shown may be wrong because of it. */
bool eti__time_fault_is_serious(eti_time_fault kind);

/* Appends a sentence such as "2 events end after their Method::execute: add (Execute, run 3), mul (Execute, run 4)";
 * nothing if there are none. */
void eti__time_faults_describe(const eti_time_faults *faults, eti_time_fault kind, eti_buffer *out);

#endif
