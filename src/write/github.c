/*
 * Workflow commands of GitHub, of a gate: annotations at the lines of the model that got slower.
 *
 *     ::error file=model.py,line=12,title=op%3Ap50>+5%25::native_call_addmm.out: ...
 *
 * GitHub shows ten of a step: where there are more, the last says how many.
 */
#include "write/checks.h"
#include "write/writer.h"

#include <inttypes.h>

#define MOST 10

/* A property ends at a colon or a comma, a command at its line. What else acts on a terminal becomes '?'. */
static void add_escaped(eti_buffer *out, eti_text text, bool is_property) {
    for (size_t at = 0, size; at < text.size; at += size) {
        uint32_t c;
        size = eti_text_decode(text, at, &c);
        if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
            eti_buffer_printf(out, "%%%02X", (unsigned)c);
        else if (eti_is_control(c))
            eti_buffer_add_char(out, '?');
        else if (c == 0xfffd)
            eti_buffer_add_string(out, "\xef\xbf\xbd");
        else
            eti_buffer_add(out, text.data + at, size);
    }
}

static eti_text text_of(const eti_checks *checks, const eti_cell *cells, eti_check_column column) {
    const eti_cell *cell = eti_check_cell(checks, cells, column);
    return cell->kind == ETI_CELL_TEXT ? cell->as_text : eti_text_of("");
}

/* NULL: nothing is to be said. */
static const char *command_of(const eti_checks *checks, const eti_cell *cells) {
    eti_text verdict = text_of(checks, cells, ETI_CHECK_VERDICT);
    if (eti_text_is(verdict, "failed"))
        return "error";
    if (eti_text_is(verdict, "too few"))
        return "warning";
    return eti_text_is(verdict, "allowed") ? "notice" : NULL;
}

static void add_annotation(eti_buffer *out, const eti_checks *checks, const eti_cell *cells) {
    const eti_cell *line = eti_check_cell(checks, cells, ETI_CHECK_LINE);
    eti_text file = text_of(checks, cells, ETI_CHECK_FILE);
    eti_buffer_printf(out, "::%s ", command_of(checks, cells));
    if (file.size > 0) {
        eti_buffer_add_string(out, "file=");
        add_escaped(out, file, true);
        eti_buffer_add_char(out, ',');
    }
    if (file.size > 0 && line->kind == ETI_CELL_INT && line->as_int > 0)
        eti_buffer_printf(out, "line=%" PRId64 ",", line->as_int);
    eti_buffer_add_string(out, "title=");
    add_escaped(out, text_of(checks, cells, ETI_CHECK_RULE), true);
    eti_buffer_add_string(out, "::");
    add_escaped(out, text_of(checks, cells, ETI_CHECK_MESSAGE), false);
    eti_buffer_add_char(out, '\n');
}

static eti_status write_github(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    eti_checks checks;
    eti_row_reader rows;
    eti_buffer text = {0};
    size_t n = 0, n_said = 0;
    (void)options;
    ETI_TRY(eti_checks_find(&checks, report, "github", err));
    if (!eti_row_reader_open(&rows, checks.table)) {
        eti_row_reader_close(&rows);
        return eti_fail_memory(err);
    }
    for (size_t row = 0; row < checks.table->n_rows; row++)
        n += command_of(&checks, eti_row_reader_read(&rows, row)) != NULL;
    size_t most = n > MOST ? MOST - 1 : n;
    for (size_t row = 0; row < checks.table->n_rows && n_said < most; row++) {
        const eti_cell *cells = eti_row_reader_read(&rows, row);
        if (command_of(&checks, cells)) {
            add_annotation(&text, &checks, cells);
            n_said++;
        }
    }
    if (n > n_said)
        eti_buffer_printf(
            &text, "::warning title=etinspect gate::%zu more checks were not passed\n", n - n_said);
    bool failed = text.failed || rows.failed;
    if (!failed)
        eti_output_add_text(output, eti_buffer_text(&text));
    eti_row_reader_close(&rows);
    eti_buffer_free(&text);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

const eti_writer eti_writer_github = {
    .name = "github",
    .summary = "annotations of GitHub, of a gate",
    .write_report = write_github,
    .is_for_programs = true,
};
