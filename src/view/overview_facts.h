/*
 * overview_facts.h - turns an overview into the first table of the view "summary": inputs, runs, loading; also makes the
 * table of runs that stand out.
 */
#ifndef ETI_VIEW_OVERVIEW_FACTS_H
#define ETI_VIEW_OVERVIEW_FACTS_H

#include "rollup/rollup.h"
#include "table/table.h"

/* Adds the section "facts"; with `has_methods`, it omits the times of runs, which are in the
 * section of methods. ETI_ERROR_MEMORY. */
eti_status eti__overview_add_facts(eti_report *report, const eti_overview *data, bool has_methods,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds the section "outliers", unless no run stands out; the facts also name the outliers. ETI_ERROR_MEMORY. */
eti_status eti__overview_add_outliers(eti_report *report, const eti_overview *data,
                                      eti_error *err) ETI_WARN_UNUSED;

#endif
