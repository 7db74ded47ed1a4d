/* report_fixture.h - reads reports of views in tests: cells are found by the texts of their row and column. */
#ifndef ETI_TESTS_REPORT_FIXTURE_H
#define ETI_TESTS_REPORT_FIXTURE_H

#include "account/account.h"
#include "base/text.h"
#include "inspector_fixture.h"
#include "table/table.h"
#include "table_cell.h"
#include "view/view.h"

#include <math.h>

static inline eti_report *report_of(const session *s, const char *view,
                                    const eti_view_options *options) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_report(&report, s->inspector, view, options, &err));
    return report;
}

/* Returns NULL if there is no such section. */
static inline const eti_section *section_of(const eti_report *report, const char *name) {
    for (size_t i = 0; i < report->n_sections; i++) {
        if (strcmp(report->sections[i].name, name) == 0)
            return &report->sections[i];
    }
    return NULL;
}

static inline const eti_table *table_of(const eti_report *report, const char *name) {
    const eti_section *section = section_of(report, name);
    if (!section)
        fail_msg("there is no section %s", name);
    return section ? section->table : NULL;
}

/* The unit may be omitted from the name of the column. */
static inline eti_cell cell_at(const eti_table *table, size_t row, const char *column) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text name = eti_table_column_name(table, i);
        size_t size = strlen(column);
        if (name.size >= size && memcmp(name.data, column, size) == 0 &&
            (name.size == size || name.data[size] == ' '))
            return table_cell(table, row, i);
    }
    fail_msg("there is no column %s", column);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

/* Returns the cell in the row that begins with `row`. */
static inline eti_cell cell_of(const eti_table *table, const char *row, const char *column) {
    for (size_t i = 0; i < eti_table_row_count(table); i++) {
        if (eti__text_is(table_cell(table, i, 0).as_text, row))
            return cell_at(table, i, column);
    }
    fail_msg("there is no row %s", row);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

static inline bool has_row(const eti_table *table, const char *row) {
    for (size_t i = 0; i < eti_table_row_count(table); i++) {
        if (eti__text_is(table_cell(table, i, 0).as_text, row))
            return true;
    }
    return false;
}

/* Returns whether a note of the section contains this text. */
static inline bool has_note(const eti_report *report, const char *section, const char *part) {
    const eti_section *of = section_of(report, section);
    for (size_t i = 0; of && i < of->n_notes; i++) {
        if (eti__text_contains(of->notes[i], eti__text_of(part)))
            return true;
    }
    return false;
}

static inline void assert_near(double found, double expected) {
    if (fabs(found - expected) > 1e-9 * (fabs(expected) + 1e-9))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

#endif
