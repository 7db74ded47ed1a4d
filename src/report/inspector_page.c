#include "report/inspector_page.h"

#include "report/page.h"
#include "view/view.h"

#include <string.h>

/* Inputs that a view needs to show anything. */
typedef enum view_need {
    NEEDS_NOTHING,
    NEEDS_RECORD,
    NEEDS_PROGRAM,
    NEEDS_TENSORS,
} view_need;

typedef struct listed_view {
    const char *name; /* on the page */
    const char *view;
    view_need need;
    const char *columns; /* NULL: all that formats for programs have */
} listed_view;

#define EVENT_COLUMNS                                                                              \
    "block,event_name,p10,p50,p90,avg,min,max,share,self_time,op_type,delegate_backend_name,"      \
    "is_delegated_op,module,source,attribution,instruction_id,event,run_count,calls"

#define GRAPH_COLUMNS                                                                              \
    "node,op,p50,share,total,shared,snr,snr_drop,max_abs,nan_new,module,shape,dtype,backend,"      \
    "source,debug_handle,inputs"

/* Views of the page. The text of the first is shown if no script runs, and its inputs are those of the page. */
static const listed_view listed[] = {
    {"summary", "summary", NEEDS_NOTHING, NULL},
    {"runs", "runs", NEEDS_NOTHING, NULL},
    {"events", "event_list", NEEDS_NOTHING, EVENT_COLUMNS},
    {"samples", "events", NEEDS_NOTHING, "event_block_name,raw"},
    {"ops", "ops", NEEDS_NOTHING, NULL},
    {"tree", "tree", NEEDS_RECORD, NULL},
    {"source", "source", NEEDS_RECORD, NULL},
    {"delegates", "delegates", NEEDS_NOTHING, NULL},
    {"alloc", "alloc", NEEDS_NOTHING, NULL},
    {"graph", "graph", NEEDS_RECORD, GRAPH_COLUMNS},
    {"program", "program", NEEDS_PROGRAM, NULL},
    {"memory", "memory", NEEDS_PROGRAM, NULL},
    {"tensors", "tensors", NEEDS_TENSORS, NULL},
};

static const char *const reasons[] = {
    [NEEDS_NOTHING] = NULL,
    [NEEDS_RECORD] = "needs the ETRecord of the export",
    [NEEDS_PROGRAM] = "needs the program (.pte)",
    [NEEDS_TENSORS] = "needs the debug buffer written with the ETDump",
};

static bool is_there(const eti_inspector *inspector, view_need need) {
    switch (need) {
    case NEEDS_RECORD:
        return inspector->record != NULL;
    case NEEDS_PROGRAM:
        return inspector->n_programs > 0;
    case NEEDS_TENSORS:
        return inspector->has_debug_buffer;
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

static eti_status add_absence(eti_page *page, const char *name, const char *reason,
                              eti_error *err) {
    eti_page_absence *absence = &page->absences[page->n_absences++];
    absence->name = name;
    if (!eti__arena_copy_text(&page->arena, eti__text_of(reason), &absence->reason))
        return eti_fail_memory(err);
    return ETI_OK;
}

/* Returns whether a view has no answer with this status: the page then shows the reason. */
static bool has_no_answer(eti_status status) {
    return status == ETI_ERROR_USAGE || status == ETI_ERROR_DATA || status == ETI_ERROR_TOO_FEW;
}

/* Adds a view of which the page becomes the owner, or the reason why it has no answer. */
static eti_status take_view(eti_page *page, const char *name, eti_report *report, eti_status status,
                            const eti_error *refusal, eti_error *err) {
    if (page->n_views > 0 && has_no_answer(status))
        return add_absence(page, name, refusal->message, err);
    if (status != ETI_OK) {
        eti__error_copy(err, refusal);
        return status;
    }
    eti__page_add_view(page, name, report);
    page->views[page->n_views - 1].owned = report;
    return ETI_OK;
}

static eti_status add_listed(eti_page *page, const listed_view *view,
                             const eti_view_options *options, eti_error *err) {
    eti_view_options asked = *options;
    eti_report *report;
    eti_error refusal = ETI_ERROR_INIT;
    if (!is_there(page->inspector, view->need))
        return add_absence(page, view->name, reasons[view->need], err);
    asked.samples = strcmp(view->view, "events") == 0;
    asked.lines = false;
    asked.table.include_units = true;
    eti_status status =
        eti__inspector_report(&report, page->inspector, view->view, &asked, &refusal);
    size_t n_before = page->n_views;
    ETI_TRY(take_view(page, view->name, report, status, &refusal, err));
    if (page->n_views > n_before)
        page->views[n_before].columns = view->columns;
    return ETI_OK;
}

eti_status eti__page_add_swapped(eti_page *page, const eti_report *report, eti_error *err) {
    eti_report *swapped;
    eti_error refusal = ETI_ERROR_INIT;
    if (!report->swap.make)
        return ETI_OK;
    eti_status status = report->swap.make(&swapped, report->swap.context, &refusal);
    return take_view(page, ETI_SWAPPED_VIEW, swapped, status, &refusal, err);
}

eti_status eti__page_add_inspector(eti_page *page, const eti_view_options *view, eti_error *err) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        ETI_TRY(add_listed(page, &listed[i], view, err));
    return ETI_OK;
}

static eti_status make_page(eti_page *page, eti_buffer *out, const eti_view_options *options,
                            const eti_report *extra, eti_error *err) {
    ETI_TRY(eti__page_add_inspector(page, options, err));
    if (extra)
        eti__page_add_view(page, extra->view, extra);
    return eti__page_make(page, out, err);
}

static eti_status save(const eti_buffer *text, const char *path, const eti_write_options *options,
                       eti_error *err) {
    eti_output *output;
    ETI_TRY(eti__output_open(&output, path, err));
    eti_status status = eti__writer_check_output(&eti__writer_html, output, err);
    if (status != ETI_OK) {
        eti__output_discard(output);
        return status;
    }
    eti__output_tell(output, options->progress);
    if (options->no_sync)
        eti__output_leave_unsynced(output);
    eti__output_add_text(output, eti__buffer_text(text));
    return eti__output_commit(output, err);
}

eti_status eti__inspector_page_save(const eti_inspector *inspector, const char *path,
                                    const eti_view_options *view, const eti_page_options *options,
                                    const eti_write_options *write, const eti_report *extra,
                                    eti_error *err) {
    eti_page page = {
        .inspector = inspector, .options = *options, .write = write, .block = view->block};
    eti_buffer text = {0};
    eti_status status = make_page(&page, &text, view, extra, err);
    if (status == ETI_OK)
        status = save(&text, path, write, err);
    eti__buffer_free(&text);
    eti__page_free(&page);
    return status;
}
