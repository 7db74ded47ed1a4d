/*
 * layers.h - the slowest layers of the model, in one sentence and a table.
 */
#ifndef ETI_VIEW_LAYERS_H
#define ETI_VIEW_LAYERS_H

#include "account/account.h"
#include "etinspect.h"
#include "rollup/rollup.h"
#include "table/table.h"

/* Makes the view "layers": one row per layer, the slowest first. */
eti_status eti__view_layers(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Adds the sections "headline", "layers" and "actions": the time of a run, the slowest layers with the sum of the others,
 * and changes that could save time. Fails with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__view_add_answer(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Makes the view "answer": these sections alone. */
eti_status eti__view_answer(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
