/*
 * tensors.h - the view "tensors": one row per recorded tensor with its statistics, and below them where the first NaN and the
 * first infinity are.
 */
#ifndef ETI_VIEW_TENSORS_H
#define ETI_VIEW_TENSORS_H

#include "view/view.h"

eti_status eti__view_tensors(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
