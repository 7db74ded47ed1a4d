/*
 * Markdown: tables as GitHub draws them, in which no untrusted name becomes markup, a link or HTML.
 * Details are folded.
 *
 * If the size is limited, rows and notes are left out, and a line says so in their place.
 */
#include "write/markdown_text.h"
#include "write/readable.h"
#include "write/sparkline.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct markdown {
    const eti_section *section;
    eti_output *output;
    eti_row_reader rows;
    eti_readable *numbers; /* per column */
    bool *has_text;        /* per column */
    bool *has_value;       /* per column */
    bool *wanted;
    eti_cell *
        fitted; /* cells of a row whose times have units other than the table's; NULL: there are no such rows */
    eti_buffer text, list;
    bool failed; /* out of memory */
    size_t room; /* bytes that may still be written */
} markdown;

/* Bytes for the end of a section and the note that something is missing. */
#define RESERVED ((size_t)256)

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_mark_column(const markdown *m, size_t column) {
    return m->section->table->columns[column].kind == ETI_COLUMN_MARK;
}

static void add_cell(markdown *m, size_t column, const eti_cell *cell) {
    char number[ETI_READABLE_MAX];
    m->list.size = 0;
    if (eti__readable_is_number(&m->numbers[column], cell)) {
        eti__buffer_add_text(&m->text, eti__readable_text(&m->numbers[column], cell, number));
    } else if (cell->kind == ETI_CELL_BOOL && is_mark_column(m, column)) {
        eti__buffer_add_string(&m->text, cell->as_bool ? "†" : "");
    } else if (cell->kind == ETI_CELL_BOOL) {
        eti__buffer_add_string(&m->text, cell->as_bool ? "yes" : "no");
    } else if (eti__cell_is_series(m->section->table->columns[column].kind, cell)) {
        eti__add_sparkline(&m->text, cell->items, cell->n_items, ETI_SPARKLINE_WIDTH, false);
    } else if (eti__cell_is_list(cell)) {
        eti__list_add(&m->list, cell);
        eti__markdown_add_text(&m->text, eti__buffer_text(&m->list));
    } else if (cell->kind != ETI_CELL_NONE) {
        eti__markdown_add_text(&m->text, cell->as_text);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_blank(const markdown *m, size_t column, const eti_cell *cell) {
    return cell->kind == ETI_CELL_NONE || (is_mark_column(m, column) && !cell->as_bool);
}

static bool is_empty(const markdown *m, size_t column) {
    bool may_be_hidden = is_mark_column(m, column) || eti__section_hides_empty(m->section);
    return may_be_hidden && !m->has_value[column];
}

static const eti_cell *read_row(markdown *m, size_t row) {
    const eti_cell *cells = eti__row_reader_read(&m->rows, row);
    if (!m->fitted)
        return cells;
    memcpy(m->fitted, cells, m->section->table->n_columns * sizeof *cells);
    eti__time_fit_units(m->fitted, m->section->table, true);
    return m->fitted;
}

static void look(markdown *m) {
    const eti_table *table = m->section->table;
    for (size_t row = 0; row < table->n_rows; row++) {
        const eti_cell *cells = read_row(m, row);
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!m->wanted[i])
                continue;
            bool is_number = eti__readable_is_number(&m->numbers[i], &cells[i]);
            if (is_number)
                eti__readable_look(&m->numbers[i], &cells[i]);
            m->has_value[i] = m->has_value[i] || !is_blank(m, i, &cells[i]);
            m->has_text[i] = m->has_text[i] || (!is_number && !is_blank(m, i, &cells[i]));
        }
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        (void)eti__readable_settle(&m->numbers[i]);
        m->wanted[i] = m->wanted[i] && !is_empty(m, i);
    }
}

static bool is_right_aligned(const markdown *m, size_t column) {
    eti_column_kind kind = m->section->table->columns[column].kind;
    if (kind == ETI_COLUMN_TEXT || kind == ETI_COLUMN_MARK || kind == ETI_COLUMN_UNIT ||
        eti__column_holds_lists(kind))
        return m->numbers[column].has_number && !m->has_text[column];
    return true;
}

static void flush(markdown *m) {
    m->room -= m->text.size < m->room ? m->text.size : m->room;
    eti__output_add_text(m->output, eti__buffer_text(&m->text));
    m->text.size = 0;
}

static void add_heading(markdown *m, size_t i) {
    const eti_time_form *form = &m->numbers[i].form;
    m->list.size = 0;
    eti__column_add_heading(&m->list, &m->section->table->columns[i],
                            form->has_unit ? eti__time_unit(form->scale, true) : NULL);
    eti__markdown_add_text(&m->text, eti__buffer_text(&m->list));
}

static void add_header(markdown *m) {
    const eti_table *table = m->section->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!m->wanted[i])
            continue;
        eti__buffer_add_string(&m->text, "| ");
        if (!is_mark_column(m, i))
            add_heading(m, i);
        eti__buffer_add_char(&m->text, ' ');
    }
    eti__buffer_add_string(&m->text, "|\n");
    for (size_t i = 0; i < table->n_columns; i++) {
        if (m->wanted[i])
            eti__buffer_add_string(&m->text, is_right_aligned(m, i) ? "| ---: " : "| --- ");
    }
    eti__buffer_add_string(&m->text, "|\n");
    flush(m);
}

static bool is_out_of_memory(const markdown *m) {
    return m->failed || !m->numbers || !m->has_text || !m->has_value || !m->wanted ||
           m->text.failed || m->list.failed || m->rows.failed;
}

static bool fits(const markdown *m) {
    return m->room > RESERVED && m->text.size <= m->room - RESERVED;
}

static void add_rows(markdown *m) {
    const eti_table *table = m->section->table;
    for (size_t row = 0; row < table->n_rows && !eti__output_failed(m->output); row++) {
        const eti_cell *cells = read_row(m, row);
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!m->wanted[i])
                continue;
            eti__buffer_add_string(&m->text, "| ");
            add_cell(m, i, &cells[i]);
            eti__buffer_add_char(&m->text, ' ');
        }
        eti__buffer_add_string(&m->text, "|\n");
        if (is_out_of_memory(m))
            return;
        if (!fits(m)) {
            m->text.size = 0;
            eti__buffer_printf(&m->text, "\n%zu more rows are left out for lack of space\n",
                               table->n_rows - row);
            return;
        }
        flush(m);
    }
}

static void add_table(markdown *m) {
    if (eti__section_hides_empty(m->section) && m->section->table->n_rows == 0) {
        eti__buffer_add_string(&m->text, "(no rows)\n");
    } else {
        add_header(m);
        add_rows(m);
    }
    if (m->section->n_folded > 0) {
        eti__buffer_add_char(&m->text, '\n');
        eti__markdown_add_text(&m->text, m->section->folded);
        eti__buffer_printf(&m->text, "; %sall lists them\n", eti__option_prefix());
    }
    if (m->section->n_kept_back > 0)
        eti__buffer_printf(&m->text, "\n%zu more %s: %sall\n", m->section->n_kept_back,
                           m->section->n_kept_back == 1 ? "row" : "rows", eti__option_prefix());
}

/* ---- putting it together --------------------------------------------------------------------- */

static void add_title(markdown *m, size_t number) {
    eti__buffer_add_string(&m->text, number > 0 ? "\n" : "");
    if (!m->section->title || m->section->is_in_notes)
        return;
    eti__buffer_add_string(&m->text, m->section->is_detail ? "<details>\n<summary>" : "### ");
    eti__markdown_add_text(&m->text, eti__text_of(m->section->title));
    eti__buffer_add_string(&m->text, m->section->is_detail ? "</summary>\n\n" : "\n\n");
}

static void close_details(markdown *m) {
    if (m->section->is_detail && m->section->title && !m->section->is_in_notes)
        eti__buffer_add_string(&m->text, "\n</details>\n");
}

static void add_notes(markdown *m) {
    const eti_section *section = m->section;
    if (section->n_notes > 0 && !section->is_in_notes)
        eti__buffer_add_char(&m->text, '\n');
    for (size_t i = 0; i < section->n_notes; i++) {
        size_t before = m->text.size;
        eti__buffer_add_string(&m->text, !section->is_in_notes ? "- " : i > 0 ? "\n" : "");
        eti__markdown_add_text(&m->text, section->notes[i]);
        eti__buffer_add_char(&m->text, '\n');
        if (!fits(m)) {
            m->text.size = before;
            eti__buffer_printf(&m->text, "- %zu more lines are left out for lack of space\n",
                               section->n_notes - i);
            return;
        }
    }
}

/* Finds the units of times. False: out of memory. */
static bool find_units(markdown *m, bool keeps_unit) {
    const eti_table *table = m->section->table;
    eti_time_form *forms = calloc(table->n_columns + 1, sizeof *forms);
    bool done = forms && eti__time_forms_find(forms, table, m->wanted, keeps_unit);
    for (size_t i = 0; done && i < table->n_columns; i++)
        m->numbers[i].form = forms[i];
    free(forms);
    return done;
}

static bool start(markdown *m, const eti_section *section, eti_output *output, bool keeps_unit,
                  size_t room) {
    const eti_table *table = section->table;
    *m = (markdown){.section = section, .output = output, .room = room};
    m->numbers = calloc(table->n_columns + 1, sizeof *m->numbers);
    m->has_text = calloc(table->n_columns + 1, sizeof *m->has_text);
    m->has_value = calloc(table->n_columns + 1, sizeof *m->has_value);
    m->wanted = calloc(table->n_columns + 1, sizeof *m->wanted);
    m->rows.failed = !eti__row_reader_open(&m->rows, table);
    if (is_out_of_memory(m))
        return false;
    for (size_t i = 0; i < table->n_columns; i++) {
        m->numbers[i].kind = table->columns[i].kind;
        m->wanted[i] = eti__section_shows(section, &table->columns[i]);
    }
    m->rows.row.wanted = m->wanted;
    m->failed = !find_units(m, keeps_unit);
    if (eti__has_units(table) && !keeps_unit) {
        m->fitted = calloc(table->n_columns + 1, sizeof *m->fitted);
        m->failed |= !m->fitted;
    }
    return !m->failed;
}

/* Writes a section, and subtracts its size from `*room`. */
static eti_status write_section(const eti_section *section, size_t number,
                                const eti_write_options *options, eti_output *output, size_t *room,
                                eti_error *err) {
    markdown m;
    if (start(&m, section, output, options->keeps_unit, *room)) {
        look(&m);
        add_title(&m, number);
        if (!section->is_in_notes)
            add_table(&m);
        add_notes(&m);
        close_details(&m);
    }
    bool failed = is_out_of_memory(&m);
    if (!failed)
        flush(&m);
    *room = m.room;
    eti__row_reader_close(&m.rows);
    eti__buffer_free(&m.text);
    eti__buffer_free(&m.list);
    free(m.numbers);
    free(m.has_text);
    free(m.fitted);
    free(m.has_value);
    free(m.wanted);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

/* Bytes without which no section begins: room for its title and columns. */
#define LEAST_SECTION ((size_t)2048)

static eti_status write_markdown(const eti_report *report, const eti_write_options *options,
                                 eti_output *output, eti_error *err) {
    size_t room = options->most_bytes ? options->most_bytes : SIZE_MAX;
    for (size_t i = 0; i < report->n_sections; i++) {
        if (!eti__section_is_read(&report->sections[i]))
            continue;
        if (room < LEAST_SECTION) {
            static const char note[] = "\nThe rest is left out for lack of space\n";
            if (room > sizeof note)
                eti__output_add_string(output, note);
            return ETI_OK;
        }
        ETI_TRY(write_section(&report->sections[i], i, options, output, &room, err));
    }
    return ETI_OK;
}

const eti_writer eti__writer_markdown = {
    .name = "markdown",
    .summary = "Markdown tables for GitHub",
    .suffixes = "md,markdown",
    .takes = ETI_TAKES_TABLES,
    .is_for_people = true,
    .write_report = write_markdown,
};
