/*
 * tree.h - turns EventBlocks into the tree of the model's modules with the time spent in each.
 */
#ifndef ETI_VIEW_TREE_H
#define ETI_VIEW_TREE_H

#include "account/account.h"
#include "etinspect.h"

/* ==== tree ==================================================================================== */

/* Makes the view "tree". The rows of a level, with the self time of the row above, add up to that
 * row; the rows of the first level, with the framework and the Events of no module, add up to the
 * whole. */
eti_status eti__view_tree(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== modules ================================================================================= */

/* Makes the view "modules" of options->modules. */
eti_status eti__view_named_modules(eti_report *report, const eti_inspector *inspector,
                                   const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
