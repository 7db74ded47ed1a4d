/*
 * model/event.h - makes a table with a row for each sample: Event, run, start time and elapsed time.
 */
#ifndef ETI_VIEW_EVENTS_SAMPLES_H
#define ETI_VIEW_EVENTS_SAMPLES_H

#include "model/model.h"
#include "table/table.h"

/* Makes the table, which keeps the inspector alive. ETI_ERROR_MEMORY. */
eti_status eti__view_samples(eti_table **out, const eti_inspector *inspector,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
