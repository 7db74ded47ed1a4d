/*
 * inspector_page.h - makes the page of an inspector: all its views that have an answer.
 */
#ifndef ETI_REPORT_INSPECTOR_PAGE_H
#define ETI_REPORT_INSPECTOR_PAGE_H

#include "account/account.h"
#include "model/model.h"
#include "report/contents.h"
#include "table/table.h"
#include "write/write.h"

/* Adds all views of page->inspector that have an answer, as below; page->absences has the reasons why others have none. */
eti_status eti__page_add_inspector(eti_page *page, const eti_view_options *view,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds the comparison `report` with its sides exchanged; does nothing if the report has none. If that comparison has no answer,
 * page->absences has the reason. Returns other statuses of the comparison. */
eti_status eti__page_add_swapped(eti_page *page, const eti_report *report,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Writes the page to `path`; "-" is standard output. `extra` is a report to show in addition to the views, such as that of a
 * comparison of tensors; it may be NULL. A view that fails with ETI_ERROR_USAGE, _DATA or _TOO_FEW is left out, and the page
 * says why; other statuses are returned, as are those of eti__page_make(), ETI_ERROR_USAGE if the output is a terminal,
 * and ETI_ERROR_WRITE. */
eti_status eti__inspector_page_save(const eti_inspector *inspector, const char *path,
                                    const eti_view_options *view, const eti_page_options *options,
                                    const eti_write_options *write, const eti_report *extra,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
