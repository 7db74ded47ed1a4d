/*
 * HTML: a page with the tables of one report of any command, in a file that needs nothing else. A comparison is on the page
 * of its new side, in both directions.
 */
#include "report/inspector_page.h"
#include "report/page.h"

static eti_status add_measured(eti_page *page, const eti_report *report, eti_error *err) {
    const eti_view_options view = ETI_VIEW_OPTIONS_DEFAULT;
    page->inspector = report->measured;
    return report->measured ? eti__page_add_inspector(page, &view, err) : ETI_OK;
}

static eti_status write_html(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT, .write = options};
    eti_buffer text = {0};
    eti__page_add_view(&page, report->view, report);
    eti_status status = add_measured(&page, report, err);
    if (status == ETI_OK)
        status = eti__page_add_swapped(&page, report, err);
    if (status == ETI_OK)
        status = eti__page_make(&page, &text, err);
    if (status == ETI_OK)
        eti__output_add_text(output, eti__buffer_text(&text));
    eti__buffer_free(&text);
    eti__page_free(&page);
    return status;
}

const eti_writer eti__writer_html = {
    .name = "html",
    .summary = "a single HTML page that opens offline in a browser",
    .suffixes = "html,htm",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_html,
    .is_for_programs = true,
    .is_file = true,
};
