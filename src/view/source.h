/*
 * source.h - turns EventBlocks into the lines of the model's source with the time that each took.
 *
 * The whole time of an event is attributed to the innermost line of the user's own code that all of its nodes have in
 * common: see places/places.h.
 */
#ifndef ETI_VIEW_SOURCE_H
#define ETI_VIEW_SOURCE_H

#include "account/account.h"
#include "etinspect.h"

/* Makes the view "source": files by their times, lines in order. If a file cannot be read, or
 * differs from the exported one, only lines with times are listed, as the stack traces quote
 * them. */
eti_status eti__view_source(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
