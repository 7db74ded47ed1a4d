/*
 * event_list.h - makes the view "event_list": the events in order of execution, with their times after the warm-up, their
 * operators and modules.
 */
#ifndef ETI_VIEW_EVENTS_EVENT_LIST_H
#define ETI_VIEW_EVENTS_EVENT_LIST_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

eti_status eti__view_event_list(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
