/*
 * groups.h - turns EventBlocks into the time of their ops, backends, modules, source lines, blocks or methods.
 */
#ifndef ETI_VIEW_GROUPS_H
#define ETI_VIEW_GROUPS_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Makes the view "groups": one row per group of options->group, the most expensive first. ETI_ERROR_USAGE: there is no such
 * grouping. */
eti_status eti__view_groups(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Adds the same rows as a section with another name, which is static. With options->per_block, for
 * databases, each row has its block and its rank in the block. `accounts` is as for
 * eti__rollup_make(). */
eti_status eti__view_add_groups(eti_report *report, const char *name,
                                const eti_inspector *inspector, const eti_view_options *options,
                                eti_account *accounts, eti_error *err) ETI_WARN_UNUSED;

#endif
