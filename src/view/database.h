/*
 * database.h - turns an inspector into the tables of a database, which refer to each other by numbers.
 */
#ifndef ETI_VIEW_DATABASE_H
#define ETI_VIEW_DATABASE_H

#include "account/account.h"
#include "etinspect.h"

/* Adds the tables blocks, events, samples, ops, nodes, record_nodes and modules, and queries that
 * join them. Data shared by events - their operators and nodes in the ETRecord - are stored once,
 * under a record_id, so that the tables are not larger than the inputs. ETI_ERROR_LIMIT: names
 * are repeated too often; ETI_ERROR_MEMORY. */
eti_status eti__view_database(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err);

#endif
