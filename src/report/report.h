/*
 * report.h - the HTML page.
 */
#ifndef ETI_REPORT_REPORT_H
#define ETI_REPORT_REPORT_H

#include "account/account.h"
#include "etinspect.h"
#include "write/write.h"

#include <stdbool.h>
#include <stddef.h>

/* ==== options ================================================================================= */
/* Parts that a page leaves out, and how large it may be. */

typedef struct eti_page_options {
    const char *title; /* NULL: the names of the first input and its method */
    bool no_source;    /* leaves out code and paths of the model's source files */
    bool no_paths;     /* names inputs without their folders */
    size_t max_slices; /* of the timeline */
    size_t max_size;   /* bytes of the page */
} eti_page_options;

#define ETI_PAGE_OPTIONS_DEFAULT                                                                   \
    { .max_slices = 200000, .max_size = (size_t)20 << 20 }

/* ==== inspector page ========================================================================== */
/* Makes the page of an inspector: all its views that have an answer. */

/* Writes the page to `path`; "-" is standard output. `extra` is a report to show in addition to the views, such as that of a
 * comparison of tensors; it may be NULL. A view that fails with ETI_ERROR_USAGE, _DATA or _TOO_FEW is left out, and the page
 * says why; other statuses are returned, as are those of eti__page_make(), ETI_ERROR_USAGE if the output is a terminal,
 * and ETI_ERROR_WRITE. */
eti_status eti__inspector_page_save(const eti_inspector *inspector, const char *path,
                                    const eti_view_options *view, const eti_page_options *options,
                                    const eti_write_options *write, const eti_report *extra,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
