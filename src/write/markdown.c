#include "write/markdown.h"

#include "base/names.h"
#include "base/output.h"
#include "base/status.h"
#include "table/table.h"
#include "write/readable.h"
#include "write/write.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ==== markdown text =========================================================================== */

/*
 * Marks become character references: unlike backslashes, these work in cells and inside HTML. They do not hide a name from
 * programs that look for mentions, references and addresses after the Markdown was parsed (cmark-gfm for mail, GitHub,
 * GitLab): for these the sign is put into an element of its own, which splits the text. Names should stay readable in the
 * source, too: aten::add_x.out [a, b] (2 total) needs neither. Hashes of commits stay whole, so that the hash in a label becomes
 * a link: a link to a commit of the same repository notifies nobody.
 */

#define LONGEST_EMOJI 64

static bool is_one_of(const char *characters, eti_text text, size_t at) {
    return at < text.size && text.data[at] && strchr(characters, text.data[at]);
}

static bool has_digit_at(eti_text text, size_t at) {
    return at < text.size && eti__is_digit(text.data[at]);
}

static bool is_letter_or_digit(eti_text text, size_t at) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return is_one_of(letters, text, at);
}

/* Returns whether `word` precedes `at`. */
static bool follows(eti_text text, size_t at, const char *word) {
    size_t size = strlen(word);
    return at >= size && strncasecmp(text.data + at - size, word, size) == 0;
}

/* Returns whether the colon at `at` is followed by a name and another colon. */
static bool begins_emoji(eti_text text, size_t at) {
    size_t end = at + 1;
    while (end - at <= LONGEST_EMOJI &&
           (is_letter_or_digit(text, end) || is_one_of("_+-", text, end)))
        end++;
    return end > at + 1 && is_one_of(":", text, end);
}

/* Returns whether the ASCII character at `at` turns the text around it into a link, a reference or a
 * picture. */
static bool is_reference(eti_text text, size_t at) {
    switch (text.data[at]) {
    case '@': /* of a user, or in an address */
        return true;
    case '#': /* of an issue */
        return has_digit_at(text, at + 1);
    case '-':
        return has_digit_at(text, at + 1) && follows(text, at, "GH");
    case '!': /* of GitLab: a merge request, a snippet, an epic */
    case '$':
    case '&':
        return has_digit_at(text, at + 1);
    case '%': /* a milestone, a label */
    case '~':
        return is_letter_or_digit(text, at + 1) || is_one_of("\"", text, at + 1);
    case '[': /* of a wiki's page */
        return is_one_of("[", text, at + 1);
    case ':': /* of an address, or of an emoji */
        return is_one_of("/", text, at + 1) || begins_emoji(text, at);
    case '.': /* of www.example.org */
        return follows(text, at, "www");
    default:
        return false;
    }
}

/* Returns whether a line begins with a number such as "12." or "12)" that ends at `at`. */
static bool ends_list_number(eti_text text, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (!has_digit_at(text, i))
            return false;
    }
    return at > 0 && (at + 1 == text.size || (unsigned char)text.data[at + 1] <= ' ');
}

/* Returns whether the ASCII character at `at` would be markup there: in a table, a list or a line. */
static bool is_mark(eti_text text, size_t at) {
    switch (text.data[at]) {
    case '_':
        return at == 0 || !is_letter_or_digit(text, at - 1) || !is_letter_or_digit(text, at + 1);
    case ']':
        return is_one_of("([:", text, at + 1);
    case '.':
    case ')':
        return ends_list_number(text, at);
    case '+':
    case '-':
    case '=':
    case '/': /* of a command to GitLab */
    case ' ': /* of code */
        return at == 0;
    case '[': /* of a task */
        return at == 0 && is_one_of("]", text, 2);
    default:
        return is_one_of("\\`*<>|&~$@#{}", text, at);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_ascii(eti_buffer *out, eti_text text, size_t at) {
    bool is_parted = is_reference(text, at);
    if (is_parted)
        eti__buffer_add_string(out, "<span>");
    if (is_mark(text, at))
        eti__buffer_printf(out, "&#%u;", (unsigned)text.data[at]);
    else
        eti__buffer_add_char(out, text.data[at]);
    if (is_parted)
        eti__buffer_add_string(out, "</span>");
}

void eti__markdown_add_text(eti_buffer *out, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        if (eti__is_control(character))
            eti__buffer_add_string(out, at == 0 ? "&#32;" : " ");
        else if (character == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else if (character < 0x80)
            add_ascii(out, text, at);
        else
            eti__buffer_add(out, text.data + at, size);
        at += size;
    }
}

/* ==== markdown ================================================================================ */

/*
 * Markdown: tables as GitHub draws them, in which no untrusted name becomes markup, a link or HTML.
 * Details are folded.
 *
 * If the size is limited, rows and notes are left out, and a line says so in their place.
 */

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
        const char *sign = cell->as_bool ? eti__mark_sign(m->section->table, column, true) : "";
        eti__buffer_add_string(&m->text, *sign == '*' ? "\\*" : sign);
    } else if (cell->kind == ETI_CELL_BOOL) {
        eti__buffer_add_string(&m->text, cell->as_bool ? "yes" : "no");
    } else if (eti__cell_is_series(m->section->table->columns[column].kind, cell)) {
        eti__add_sparkline(&m->text, cell->items, cell->n_items, ETI_SPARKLINE_WIDTH, false);
    } else if (eti__cell_is_list(cell)) {
        eti__list_add(&m->list, cell);
        eti__markdown_add_text(&m->text, eti__buffer_text(&m->list));
    } else if (cell->kind == ETI_CELL_TEXT &&
               eti__add_words(&m->list, m->section->table->columns[column].name, cell->as_text)) {
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
    .fits_units = true,
    .write_report = write_markdown,
};
