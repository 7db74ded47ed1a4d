#include "base/output.h"
#include "base/status.h"
#include "etinspect.h"
#include "table/table.h"
#include "write/write.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ==== gzip output ============================================================================= */
/* Compresses the output to a file (RFC 1952). The same bytes give the same file. */

typedef struct eti_gzip eti_gzip;

#define GZIP_WINDOW                                                                                \
    (15 + 16) /* value with which zlib writes gzip's header and uses its largest window */
#define MEMORY_LEVEL 8
#define MOST_AT_ONCE ((size_t)1 << 30) /* fits zlib's counters */

struct eti_gzip {
    eti_output *file;
    z_stream stream;
    unsigned char out[1 << 16];
};

/* Compresses the buffered bytes; if `flush` is Z_FINISH, also writes the bytes that zlib holds
 * back. */
static bool deflate_all(eti_gzip *gzip, int flush) {
    z_stream *stream = &gzip->stream;
    do {
        stream->next_out = gzip->out;
        stream->avail_out = sizeof gzip->out;
        if (deflate(stream, flush) == Z_STREAM_ERROR)
            return false;
        eti__output_add(gzip->file, gzip->out, sizeof gzip->out - stream->avail_out);
    } while (stream->avail_out == 0);
    return !eti__output_failed(gzip->file);
}

static bool write_compressed(void *context, const void *data, size_t size) {
    eti_gzip *gzip = context;
    const unsigned char *at = data;
    for (size_t n; size > 0; at += n, size -= n) {
        n = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        gzip->stream.next_in = (unsigned char *)at;
        gzip->stream.avail_in = (unsigned)n;
        if (!deflate_all(gzip, Z_NO_FLUSH))
            return false;
    }
    return true;
}

/* Opens `*output`, which writes its bytes, compressed, to a file at `path`, as eti__output_open()
 * does. ETI_ERROR_WRITE, ETI_ERROR_MEMORY, with nothing left to free. */
static eti_status open_gzip(eti_gzip **out, eti_output **output, const char *path, eti_error *err) {
    eti_gzip *gzip = calloc(1, sizeof *gzip);
    *out = NULL;
    if (!gzip || deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                              MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(gzip);
        return eti_fail_memory(err);
    }
    eti_status status = eti__output_open(&gzip->file, path, err);
    if (status == ETI_OK)
        status = eti__output_open_function(output, write_compressed, gzip, err);
    if (status == ETI_OK) {
        *out = gzip;
        return ETI_OK;
    }
    eti__output_discard(gzip->file);
    deflateEnd(&gzip->stream);
    free(gzip);
    return status;
}

/* Returns the file, so that it can be configured. */
static eti_output *gzip_file(eti_gzip *gzip) {
    return gzip->file;
}

/* Finishes the file once the output was committed, and frees `gzip`; puts the file in place if `is_written`. */
static eti_status close_gzip(eti_gzip *gzip, bool is_written, eti_error *err) {
    eti_status status = ETI_OK;
    bool is_complete = is_written && deflate_all(gzip, Z_FINISH);
    if (is_complete || (is_written && eti__output_failed(gzip->file))) {
        status = eti__output_commit(gzip->file, err);
    } else if (is_written) {
        status = eti_fail(err, ETI_ERROR_WRITE, "zlib could not compress the file");
        eti__output_discard(gzip->file);
    } else {
        eti__output_discard(gzip->file);
    }
    deflateEnd(&gzip->stream);
    free(gzip);
    return status;
}

/* ==== save ==================================================================================== */
/* Writes a table or a report in a format, to a file or any other output: the writing functions of
 * etinspect.h. */

static bool is_for_spreadsheets(const eti_writer *writer) {
    return writer == &eti__writer_tsv || writer == &eti__writer_csv;
}

/* A section's table as the writer needs it; each stage is a table that reads the one before. */
typedef struct stages {
    eti_table *made[3];
    size_t n;
} stages;

static void free_stages(stages *s) {
    while (s->n > 0)
        eti_table_free(s->made[--s->n]);
}

/* Adds a stage if the one before succeeded. */
static eti_status add_stage(stages *s, eti_status status, eti_table *made,
                            const eti_table **table) {
    if (status == ETI_OK) {
        s->made[s->n++] = made;
        *table = made;
    }
    return status;
}

static bool needs_projection(const eti_table *table, eti_projection projection) {
    for (size_t i = 0; i < table->n_columns; i++) {
        const eti_column *column = &table->columns[i];
        if ((column->is_extra && projection.leaves_out_extra) ||
            (column->is_on_request && projection.is_for_programs) ||
            (eti__column_holds_lists(column->kind) && projection.spells_lists))
            return true;
    }
    return false;
}

static eti_status prepare(stages *s, const eti_table **table, const eti_section *section,
                          const eti_writer *writer, const eti_write_options *options,
                          const eti_output *output, eti_error *err) {
    const eti_projection projection = {
        .leaves_out_extra = !section->has_chosen_columns && !writer->is_for_programs,
        .spells_lists = true,
    };
    eti_table *made = NULL;
    *table = section->table;
    if (needs_projection(*table, projection)) {
        eti_status status = eti__table_project(&made, *table, projection, err);
        ETI_TRY(add_stage(s, status, made, table));
    }
    if (options->csv_safe && is_for_spreadsheets(writer)) {
        eti_status status = eti_table_defuse_formulas(&made, *table, err);
        ETI_TRY(add_stage(s, status, made, table));
    }
    if (eti__output_is_terminal(output)) {
        eti_status status = eti__table_make_visible(&made, *table, err);
        ETI_TRY(add_stage(s, status, made, table));
    }
    return ETI_OK;
}

/* Adds the title above a table of a report. */
static void add_title(const eti_report *report, size_t i, eti_output *output) {
    if (i > 0)
        eti__output_add_string(output, "\n");
    if (report->n_sections > 1 && report->sections[i].title) {
        eti__output_add_string(output, report->sections[i].title);
        eti__output_add_string(output, "\n");
    }
}

/* Writes the tables that follow the table of the section. */
static eti_status write_parts(const eti_section *section, const eti_writer *writer,
                              const eti_write_options *options, eti_output *output,
                              eti_error *err) {
    void *pass;
    eti_table *part;
    ETI_TRY(section->parts.open(&pass, section->parts.context, err));
    eti_status status = section->parts.next(pass, &part, err);
    while (status == ETI_OK && part && !eti__output_failed(output)) {
        stages s = {.n = 0};
        const eti_table *table;
        eti_section one = *section;
        one.table = part;
        status = prepare(&s, &table, &one, writer, options, output, err);
        if (status == ETI_OK)
            status = writer->write_rows(table, output, err);
        free_stages(&s);
        eti_table_free(part);
        part = NULL;
        if (status == ETI_OK)
            status = section->parts.next(pass, &part, err);
    }
    eti_table_free(part);
    section->parts.close(pass);
    return status;
}

static eti_status write_tables(const eti_report *report, const eti_writer *writer,
                               const eti_write_options *options, eti_output *output,
                               eti_error *err) {
    for (size_t i = 0; i < report->n_sections; i++) {
        stages s = {.n = 0};
        const eti_table *table;
        if (writer->is_for_people && !eti__section_is_read(&report->sections[i]))
            continue;
        add_title(report, i, output);
        eti_status status = prepare(&s, &table, &report->sections[i], writer, options, output, err);
        if (status == ETI_OK)
            status = writer->write_table(table, options, output, err);
        free_stages(&s);
        if (status == ETI_OK && report->sections[i].parts.open)
            status = write_parts(&report->sections[i], writer, options, output, err);
        ETI_TRY(status);
    }
    return ETI_OK;
}

static void free_tables(eti_section *sections, eti_table *const *made, size_t n) {
    for (size_t i = 0; i < n; i++)
        eti_table_free(made[i]);
    free((void *)made);
    free(sections);
}

/* A report whose tables have the columns for programs. */
typedef struct for_programs {
    eti_report report;
    eti_table **made;
} for_programs;

static void free_for_programs(for_programs *p) {
    free_tables(p->report.sections, p->made, p->made ? p->report.n_sections : 0);
}

/* Prepares a report for programs. The caller must call free_for_programs() even after a failure. */
static eti_status prepare_for_programs(for_programs *p, const eti_report *report, eti_error *err) {
    static const eti_projection projection = {.is_for_programs = true};
    p->report = *report;
    p->made = calloc(report->n_sections + 1, sizeof *p->made);
    p->report.sections = calloc(report->n_sections + 1, sizeof *p->report.sections);
    if (!p->made || !p->report.sections)
        return eti_fail_memory(err);
    for (size_t i = 0; i < report->n_sections; i++) {
        eti_section *section = &p->report.sections[i];
        *section = report->sections[i];
        if (section->has_chosen_columns || !needs_projection(section->table, projection))
            continue;
        ETI_TRY(eti__table_project(&p->made[i], section->table, projection, err));
        section->table = p->made[i];
    }
    return ETI_OK;
}

static eti_status write_for_programs(const eti_report *report, const eti_writer *writer,
                                     const eti_write_options *options, eti_output *output,
                                     eti_error *err) {
    for_programs prepared;
    eti_status status = prepare_for_programs(&prepared, report, err);
    if (status == ETI_OK)
        status = writer->write_report(&prepared.report, options, output, err);
    free_for_programs(&prepared);
    return status;
}

static eti_status write_all(const eti_report *report, const eti_writer *writer,
                            const eti_write_options *options, eti_output *output, eti_error *err) {
    if (!writer->write_report)
        return write_tables(report, writer, options, output, err);
    if (writer->is_for_programs)
        return write_for_programs(report, writer, options, output, err);
    return writer->write_report(report, options, output, err);
}

static bool distinguishes_rows(const eti_section *section) {
    return !section->has_chosen_columns && eti__table_distinguishes(section->table);
}

static bool differs_for_people(const eti_report *report) {
    for (size_t i = 0; i < report->n_sections; i++) {
        const eti_section *section = &report->sections[i];
        if (section->n_kept_back > 0 || section->n_folded > 0 || distinguishes_rows(section))
            return true;
    }
    return false;
}

/* The rows of a table after the first ones. */
typedef struct later_rows {
    const eti_table *table;
    size_t n_before;
} later_rows;

static bool make_later_row(const void *context, size_t number, eti_row *out) {
    const later_rows *later = context;
    return eti__table_make_row(later->table, later->n_before + number, out);
}

/* Removes the first rows from a section's table, in `*made`. */
static eti_status fold_first_rows(eti_section *section, eti_table **made, eti_error *err) {
    later_rows *later = malloc(sizeof *later);
    if (!later)
        return eti_fail_memory(err);
    *later = (later_rows){section->table, section->n_folded};
    const eti_row_source source = {make_later_row, free, later};
    ETI_TRY(eti__table_new_over(made, section->table, section->table->columns,
                                section->table->n_columns, source, err));
    (*made)->n_rows = section->table->n_rows - section->n_folded;
    section->table = *made;
    return ETI_OK;
}

/* Moves the columns that distinguish rows of a section's table, in `*made`. */
static eti_status move_columns(eti_section *section, eti_table **made, eti_error *err) {
    const eti_projection projection = {.is_for_people = true};
    ETI_TRY(eti__table_project(made, section->table, projection, err));
    section->table = *made;
    return ETI_OK;
}

/* Writes the tables without the rows that are hidden from people, and with the columns that they need. */
static eti_status write_for_people(const eti_report *report, const eti_writer *writer,
                                   const eti_write_options *options, eti_output *output,
                                   eti_error *err) {
    eti_report shown = *report;
    shown.sections = calloc(report->n_sections + 1, sizeof *shown.sections);
    eti_table *tables = calloc(report->n_sections + 1, sizeof *tables);
    eti_table **folded = calloc(report->n_sections + 1, sizeof *folded);
    eti_table **moved = calloc(report->n_sections + 1, sizeof *moved);
    eti_status status = shown.sections && tables && folded && moved ? ETI_OK : eti_fail_memory(err);
    for (size_t i = 0; status == ETI_OK && i < report->n_sections; i++) {
        shown.sections[i] = report->sections[i];
        tables[i] = *report->sections[i].table;
        tables[i].n_rows -= report->sections[i].n_kept_back;
        if (!tables[i].whole)
            tables[i].whole = report->sections[i].table;
        shown.sections[i].table = &tables[i];
        if (shown.sections[i].n_folded > 0)
            status = fold_first_rows(&shown.sections[i], &folded[i], err);
        if (status == ETI_OK && distinguishes_rows(&shown.sections[i]))
            status = move_columns(&shown.sections[i], &moved[i], err);
    }
    if (status == ETI_OK)
        status = write_all(&shown, writer, options, output, err);
    for (size_t i = 0; moved && i < report->n_sections; i++)
        eti_table_free(moved[i]);
    for (size_t i = 0; folded && i < report->n_sections; i++)
        eti_table_free(folded[i]);
    free((void *)moved);
    free((void *)folded);
    free(tables);
    free(shown.sections);
    return status;
}

/* Sets what may not leave in the names of a report. Texts for people have no command of a CI runner anywhere; other formats
 * keep their bytes in a file. The Inspector's table keeps them unless a terminal or a runner reads along. */
static void guard(const eti_writer *writer, eti_output *output) {
    if (writer->is_file || writer->has_commands)
        return;
    bool is_stream = eti__output_is_stream(output), is_in_ci = is_stream && eti__is_in_ci();
    bool is_inspectors = writer->is_for_people && !writer->fits_units;
    if (is_in_ci || (writer->is_for_people && !is_inspectors))
        eti__output_defuse(output);
    if (is_inspectors && (is_in_ci || (is_stream && isatty(STDERR_FILENO))))
        eti__output_escape(output);
}

static eti_status write_with(const eti_report *report, const eti_writer *writer,
                             const eti_write_options *options, eti_output *output, eti_error *err) {
    ETI_TRY(eti__writer_check(writer, report, err));
    ETI_TRY(eti__writer_check_output(writer, output, err));
    if (writer->is_for_people && differs_for_people(report))
        return write_for_people(report, writer, options, output, err);
    return write_all(report, writer, options, output, err);
}

/* Commits the output or, when the report could not be written, removes it. */
static eti_status write_report(const eti_report *report, const eti_writer *writer,
                               const eti_write_options *options, eti_output *output,
                               eti_error *err) {
    static const eti_write_options defaults = ETI_WRITE_OPTIONS_DEFAULT;
    if (!options)
        options = &defaults;
    if (options->for_terminal)
        eti__output_show(output);
    guard(writer, output);
    if (!eti__output_is_terminal(output))
        eti__output_tell(output, options->progress);
    if (options->no_sync)
        eti__output_leave_unsynced(output);
    eti_status status = write_with(report, writer, options, output, err);
    if (status != ETI_OK) {
        eti__output_discard(output);
        return status;
    }
    return eti__output_commit(output, err);
}

/* Checks the labels, which become names of an object. */
static eti_status check_labels(const eti_write_options *options, eti_error *err) {
    for (size_t i = 0; i < options->n_labels; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(options->labels[i].key, options->labels[k].key) == 0)
                return eti_fail(err, ETI_ERROR_USAGE, "%slabel: %s is given twice: give it once",
                                eti__option_prefix(), options->labels[i].key);
        }
    }
    return ETI_OK;
}

static eti_status append_report(const eti_report *report, const eti_writer *writer,
                                const eti_write_options *options, const char *path,
                                eti_error *err) {
    for_programs prepared;
    ETI_TRY(eti__writer_check(writer, report, err));
    eti_status status = prepare_for_programs(&prepared, report, err);
    if (status == ETI_OK)
        status = writer->append_report(&prepared.report, options, path, err);
    free_for_programs(&prepared);
    return status;
}

/* Checks whether the output can be appended to; `path` is NULL if it goes to a function. */
static eti_status check_append(const eti_writer *writer, const char *path, eti_error *err) {
    if (!writer->append_report)
        return eti_fail(err, ETI_ERROR_USAGE, "%sappend works only with %sformat sqlite",
                        eti__option_prefix(), eti__option_prefix());
    if (!path || strcmp(path, "-") == 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sappend needs a file to append to: name it with %soutput",
                        eti__option_prefix(), eti__option_prefix());
    return ETI_OK;
}

static eti_status find_writer(const char *format, const char *path,
                              const eti_write_options *options, const eti_writer **out,
                              eti_error *err) {
    ETI_TRY(eti__writer_get(out, format, err));
    if (options && options->append)
        ETI_TRY(check_append(*out, path, err));
    return options ? check_labels(options, err) : ETI_OK;
}

eti_status eti__report_write(const eti_report *report, const char *format,
                             const eti_write_options *options, eti_write_function write,
                             void *context, eti_error *err) {
    const eti_writer *writer;
    eti_output *output;
    ETI_TRY(find_writer(format, NULL, options, &writer, err));
    ETI_TRY(eti__output_open_function(&output, write, context, err));
    return write_report(report, writer, options, output, err);
}

/* Writes a compressed file. If the compressor's output fails, the file has the reason. */
static eti_status save_compressed(const eti_report *report, const eti_writer *writer,
                                  const char *path, const eti_write_options *options,
                                  eti_error *err) {
    eti_gzip *gzip;
    eti_output *output;
    ETI_TRY(open_gzip(&gzip, &output, path, err));
    if (options && options->no_sync)
        eti__output_leave_unsynced(gzip_file(gzip));
    eti_status status = write_report(report, writer, options, output, err);
    bool is_full = status == ETI_ERROR_WRITE && eti__output_failed(gzip_file(gzip));
    eti_status closed = close_gzip(gzip, status == ETI_OK || is_full, err);
    return is_full || status == ETI_OK ? closed : status;
}

eti_status eti__report_save(const eti_report *report, const char *format, const char *path,
                            const eti_write_options *options, eti_error *err) {
    const eti_writer *writer;
    eti_output *output;
    ETI_TRY(find_writer(format, path, options, &writer, err));
    if (options && options->append)
        return append_report(report, writer, options, path, err);
    if (eti__writer_compresses(writer, path))
        return save_compressed(report, writer, path, options, err);
    ETI_TRY(eti__output_open(&output, path, err));
    return write_report(report, writer, options, output, err);
}

eti_status eti_table_write(const eti_table *table, const char *format, eti_write_function write,
                           void *context, eti_error *err) {
    eti_section section = {.name = "rows", .table = (eti_table *)table, .has_chosen_columns = true};
    const eti_report report = {.view = "table", .sections = &section, .n_sections = 1};
    return eti__report_write(&report, format, NULL, write, context, err);
}

eti_status eti_table_save(const eti_table *table, const char *format, const char *path,
                          eti_error *err) {
    eti_section section = {.name = "rows", .table = (eti_table *)table, .has_chosen_columns = true};
    const eti_report report = {.view = "table", .sections = &section, .n_sections = 1};
    return eti__report_save(&report, format, path, NULL, err);
}
