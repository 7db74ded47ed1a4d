/*
 * database.h - turns an inspector into the tables of a database, which refer to each other by numbers.
 */
#ifndef ETI_VIEW_DATABASE_DATABASE_H
#define ETI_VIEW_DATABASE_DATABASE_H

#include "account/options.h"
#include "view/view.h"

/* The tables blocks, events, samples, ops, nodes, record_nodes and modules, and queries that join
 * them. Data shared by events - the operators and nodes that the ETRecord knows for them - are
 * stored once, under a record_id, so that the tables are no larger than the inputs.
 * ETI_ERROR_MEMORY. */
eti_status eti__view_database(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err);

#endif
