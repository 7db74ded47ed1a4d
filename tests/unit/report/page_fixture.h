/*
 * page_fixture.h - pages made of reports from literals.
 */
#ifndef ETI_TESTS_PAGE_FIXTURE_H
#define ETI_TESTS_PAGE_FIXTURE_H

#include "base/text.h"
#include "report_text.h"
#include "table/table.h"

#define HOSTILE "</script><img src=x onerror=alert(1)><!--\xe2\x80\xa8\xe2\x80\xae\xff"

static const eti_column page_columns[] = {
    {.name = {"op", 2}, .help = "name"},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"source", 6}},
    {.name = {"raw", 3}, .kind = ETI_COLUMN_SERIES},
    {.name = {"on_request", 10}, .is_on_request = true},
};

/* The lists are static, because the report borrows them. */
static const eti_cell page_cells[] = {
    TEXT("add"),   DOUBLE(1.5), TEXT("a.py:1"), DOUBLES(1, 2), TEXT("long"),
    TEXT(HOSTILE), NO_CELL,     NO_CELL,        NO_CELL,       NO_CELL,
};

/* Makes a report with two rows, the second with a hostile name, and a note. */
static inline eti_report *make_page_report(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report =
        make_report(page_columns, COUNT_OF(page_columns), page_cells, COUNT_OF(page_cells));
    assert_ok(eti__report_note(report, &err, "remark of %s", "things"));
    return report;
}

static inline void assert_has(const eti_buffer *text, const char *part) {
    if (!eti__text_contains(eti__buffer_text(text), eti__text_of(part)))
        fail_msg("there is no %s", part);
}

static inline void assert_has_no(const eti_buffer *text, const char *part) {
    if (eti__text_contains(eti__buffer_text(text), eti__text_of(part)))
        fail_msg("there is %s", part);
}

#endif
