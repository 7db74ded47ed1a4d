/*
 * events.h - turns EventBlocks into the Inspector's own table: one row per event.
 */
#ifndef ETI_VIEW_EVENTS_EVENTS_H
#define ETI_VIEW_EVENTS_EVENTS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the table of eti_inspector_events_table(), with lists in place of their texts. It borrows
 * from the inspector, like the following ones. */
eti_status eti__view_events(eti_table **out, const eti_inspector *inspector,
                            const eti_table_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Does the work of eti_inspector_events_table() of etinspect.h; `options` may be NULL. */
eti_status eti__inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                       const eti_table_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of bytes of text that a view may have: many times the size of the inputs. */
uint64_t eti__view_most_text(const eti_inspector *inspector);
/* Fails with ETI_ERROR_LIMIT because rows repeat names so often that their text has `n_bytes`, many
 * times the size of the inputs. */
eti_status eti__view_check_text(const eti_inspector *inspector, uint64_t n_bytes,
                                eti_error *err) ETI_WARN_UNUSED;
/* Return and check the limit of rows that are never all in memory: at least 256 MiB, so that ordinary profiles of networks
 * with repeated operators have rows. */
uint64_t eti__view_most_streamed_text(const eti_inspector *inspector);
eti_status eti__view_check_streamed_text(const eti_inspector *inspector, uint64_t n_bytes,
                                         eti_error *err) ETI_WARN_UNUSED;
/* Returns the value for eti_table.most_drawn. */
uint64_t eti__view_most_drawn(const eti_inspector *inspector);

/* Makes the view "events": the same rows, with all columns. */
eti_status eti__view_all_events(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
